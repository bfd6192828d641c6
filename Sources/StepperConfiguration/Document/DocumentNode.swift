import StepperCore

/// A value of a document.
///
/// Values nest at most ``ConfigurationLimit/nesting`` deep, so recursion is safe.
package enum DocumentNode {
  case string(String)
  case boolean(Bool)
  /// The text of the file: decimals are parsed from their text without conversion to binary fractions.
  case integer(literal: String)
  case decimal(literal: String)
  case date
  case array(DocumentArray)
  case table(DocumentTable)

  /// The name of the kind with its article, for messages.
  var kind: String {
    switch self {
    case .string: "a text"
    case .boolean: "a boolean"
    case .integer: "an integer"
    case .decimal: "a decimal number"
    case .date: "a date or time"
    case .array: "an array"
    case .table: "a table"
    }
  }

  /// The value for messages: short values literally, others by their kind.
  var found: String {
    switch self {
    case .string(let text): quoted(text)
    case .boolean(let value): "\(value)"
    case .integer(let literal), .decimal(let literal): literal.utf8.count <= 40 ? literal : kind
    case .date, .array, .table: kind
    }
  }

  /// The text; nil if the value is of another kind.
  var text: String? { if case .string(let text) = self { text } else { nil } }
  var table: DocumentTable? { if case .table(let table) = self { table } else { nil } }

  /// The entry or element at `component`; nil if there is none.
  subscript(component: ValuePath.Component) -> DocumentEntry? {
    switch (self, component) {
    case (.table(let table), .key(let key)): table.entry(key)
    case (.array(let array), .index(let index)) where array.elements.indices.contains(index):
      array.elements[index]
    default: nil
    }
  }

  /// Whether the value is exactly this text.
  func isText(_ text: String) -> Bool { self.text?.isExactly(text) ?? false }
}

extension DocumentNode {
  /// The value of an integer in any of TOML's notations; nil for other values and for integers beyond 64 bits.
  var integerValue: Int64? {
    guard case .integer(let literal) = self else { return nil }
    return Self.integer(literal)
  }

  /// Whether the value is an integer written with `0x`.
  var isHexadecimal: Bool {
    guard case .integer(let literal) = self else { return false }
    return literal.hasPrefix("0x")
  }

  /// A finite number, exactly as written; nil for other values, for more than nine decimal places, and for more than
  /// `Int64` holds.
  var decimalValue: FixedPoint? {
    switch self {
    case .integer(let literal): Self.integer(literal).map { FixedPoint(units: $0, digits: 0) }
    case .decimal(let literal): FixedPoint(literal.filter { $0 != "_" })
    default: nil
    }
  }

  /// The nearest double of a number; nil for everything else.
  var doubleValue: Double? {
    switch self {
    case .integer(let literal): Self.integer(literal).map { Double($0) }
    case .decimal(let literal): Double(literal.filter { $0 != "_" })
    default: nil
    }
  }

  private static func integer(_ literal: String) -> Int64? {
    let digits = literal.filter { $0 != "_" }
    for (prefix, radix) in [("0x", 16), ("0o", 8), ("0b", 2)] where digits.hasPrefix(prefix) {
      return Int64(digits.dropFirst(2), radix: radix)
    }
    return Int64(digits)
  }
}
