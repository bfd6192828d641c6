package import StepperCore

/// A value that is written into a document.
package indirect enum ValueLiteral: Hashable, Sendable {
  case string(String)
  case boolean(Bool)
  case integer(Int64)
  case decimal(FixedPoint)
  case array([ValueLiteral])
  /// Written in braces.
  case table([Entry])

  package struct Entry: Hashable, Sendable {
    package var key: String
    package var value: ValueLiteral

    package init(_ key: String, _ value: ValueLiteral) { (self.key, self.value) = (key, value) }
  }
}

extension ValueLiteral: CustomStringConvertible {
  /// As TOML writes it, on one line.
  package var description: String {
    switch self {
    case .string(let text): Self.literal(text)
    case .boolean(let value): "\(value)"
    case .integer(let value): "\(value)"
    case .decimal(let value): "\(value.normalized)"
    case .array(let values): "[\(values.map(\.description).joined(separator: ", "))]"
    case .table(let entries): entries.isEmpty ? "{}" : "{ \(Self.assignments(entries)) }"
    }
  }

  private static func assignments(_ entries: [Entry]) -> String {
    entries.map { "\(key($0.key)) = \($0.value)" }.joined(separator: ", ")
  }

  /// A key, in quotes if it needs them.
  static func key(_ text: String) -> String {
    !text.isEmpty && text.utf8.allSatisfy(isBareKeyByte) ? text : literal(text)
  }

  /// Keys joined by dots.
  static func key(_ parts: some Sequence<String>) -> String { parts.map(key).joined(separator: ".") }

  /// A text in double quotes. Characters that TOML forbids or that control a terminal are escaped.
  private static func literal(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"", "\\": result += "\\\(scalar)"
      case "\n": result += "\\n"
      case "\t": result += "\\t"
      case _ where isPrintable(scalar): result.unicodeScalars.append(scalar)
      default:
        let isShort = scalar.value <= 0xffff
        result += (isShort ? "\\u" : "\\U") + scalar.value.digits(isShort ? 4 : 8, radix: 16, uppercase: true)
      }
    }
    return "\"\(result)\""
  }

  /// Whether `node` is what a document with this literal would contain.
  func isSame(as node: DocumentNode) -> Bool {
    switch (self, node) {
    case (.string(let text), .string(let other)): text.isExactly(other)
    case (.boolean(let value), .boolean(let other)): value == other
    case (.integer(let value), .integer): value == node.integerValue
    case (.decimal(let value), .integer), (.decimal(let value), .decimal): value == node.decimalValue
    case (.array(let values), .array(let other)):
      values.count == other.elements.count
        && zip(values, other.elements).allSatisfy { $0.isSame(as: $1.node) }
    case (.table(let entries), .table(let other)):
      entries.count == other.entries.count
        && zip(entries, other.entries).allSatisfy { $0.key.isExactly($1.key) && $0.value.isSame(as: $1.node) }
    default: false
    }
  }
}
