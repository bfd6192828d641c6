/// Where a value stands in a document: `control.volume.repeat.stages[1].interval`.
struct ValuePath: Hashable, Sendable {
  enum Component: Hashable, Sendable {
    case key(String)
    /// Place in an array, from 0.
    case index(Int)
  }

  var components: [Component] = []

  static let root = ValuePath()

  subscript(key: String) -> ValuePath { ValuePath(components: components + [.key(key)]) }
  subscript(index: Int) -> ValuePath { ValuePath(components: components + [.index(index)]) }

  /// The table or array it is in; nil for the document itself.
  var parent: ValuePath? {
    components.isEmpty ? nil : ValuePath(components: Array(components.dropLast()))
  }

  var lastKey: String? {
    guard case .key(let key) = components.last else { return nil }
    return key
  }
}

extension ValuePath: CustomStringConvertible {
  /// As one would write it in TOML: keys that are not bare are quoted.
  var description: String {
    var text = ""
    for component in components {
      switch component {
      case .index(let index): text += "[\(index)]"
      case .key(let key): text += (text.isEmpty ? "" : ".") + (isBareKey(key) ? key : quoted(key))
      }
    }
    return text
  }
}

/// Whether TOML lets `key` stand without quotes.
func isBareKey(_ key: String) -> Bool {
  !key.isEmpty && key.utf8.count <= 64 && key.utf8.allSatisfy(isBareKeyByte)
}

func isBareKeyByte(_ byte: UInt8) -> Bool {
  switch byte {
  case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"):
    true
  default: false
  }
}

/// `text` in double quotes, fit for one line of a terminal: control characters are escaped and what is
/// longer than 80 characters is cut.
func quoted(_ text: String) -> String {
  var result = "\""
  for (count, scalar) in text.unicodeScalars.enumerated() {
    guard count < 80 else {
      result += "…"
      break
    }
    switch scalar {
    case "\"", "\\": result += "\\\(scalar)"
    case "\n": result += "\\n"
    case "\t": result += "\\t"
    case _
    where scalar.properties.generalCategory == .control || scalar.properties.generalCategory == .format:
      result += "\\u{\(String(scalar.value, radix: 16))}"
    default: result.unicodeScalars.append(scalar)
    }
  }
  return result + "\""
}
