import StepperCore
import Testing

/// A row of a table in a vector file, or a table that is one row.
struct VectorRow: CustomTestStringConvertible, Sendable {
  let file: String
  /// Such as `step[3]` or `wear_compose.hold_10s`.
  let path: String
  let json: JSON

  var testDescription: String { "\(file) \(path)" }

  subscript(_ name: String) -> JSON { json[name] }

  /// The rows of a table that apply to hardware.
  static func table(_ file: String, _ path: String) throws -> [VectorRow] {
    try rows(file, path).filter { !NotApplicable.contains($0) }
  }

  static func rows(_ file: String, _ path: String) throws -> [VectorRow] {
    let names = path.split(separator: ".").map(String.init)
    let table = names.reduce(try vector(file)) { $0[$1] }
    guard case .array(let elements) = table, elements.contains(where: \.isRow) || names.isEmpty else {
      return [VectorRow(file: file, path: path, json: table)]
    }
    return elements.enumerated().map { index, json in
      VectorRow(file: file, path: "\(path)[\(index)]", json: json)
    }
  }

  static func row(_ file: String, _ path: String) throws -> JSON {
    try #require(try rows(file, path).first).json
  }
}

extension JSON {
  var isRow: Bool {
    if case .object = self { true } else { false }
  }

  var members: [String: JSON] {
    guard case .object(let members) = self else { return [:] }
    return members
  }

  /// Every value in it that is no object, and every array that is no table, with its path.
  func leaves(at path: String = "") -> [String] {
    switch self {
    case .object(let members):
      return members.flatMap { name, value in value.leaves(at: path.isEmpty ? name : "\(path).\(name)") }
    case .array(let elements) where elements.contains(where: \.isRow):
      return elements.enumerated().flatMap { index, element in element.leaves(at: "\(path)[\(index)]") }
    default: return [path]
    }
  }
}

/// `number` rounded to the precision of a control that was made for it.
///
/// GTK and AppKit add doubles, and what gathers behind the last decimal stays in the value. stepperd adds
/// decimals: that is the one intended difference, and every comparison with a vector goes through here.
func rounded(_ number: JSON, to digits: Int = 6) throws -> FixedPoint {
  try #require(number.decimal).rescaled(to: digits)
}
