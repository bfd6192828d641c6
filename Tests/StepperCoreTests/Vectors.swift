import FoundationEssentials
import StepperCore
import Testing

/// What the real steppers do, measured or read in their sources: a file of the folder `Vectors`.
func vector(_ name: String) throws -> JSON {
  let folder = #filePath.split(separator: "/").dropLast().reduce("") { "\($0)/\($1)" } + "/Vectors"
  let text = try String(contentsOfFile: "\(folder)/\(name).json", encoding: .utf8)
  return try JSONDecoder().decode(JSON.self, from: Data(text.utf8))
}

/// Any JSON value, to be asked for what a test expects in it.
enum JSON: Decodable, Hashable, Sendable {
  case null
  case bool(Bool)
  case number(Double)
  case string(String)
  case array([JSON])
  case object([String: JSON])

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .null
    } else if let value = try? container.decode(Bool.self) {
      self = .bool(value)
    } else if let value = try? container.decode(Double.self) {
      self = .number(value)
    } else if let value = try? container.decode(String.self) {
      self = .string(value)
    } else if let value = try? container.decode([JSON].self) {
      self = .array(value)
    } else {
      self = .object(try container.decode([String: JSON].self))
    }
  }

  /// The member of an object; null if there is none.
  subscript(_ name: String) -> JSON {
    guard case .object(let members) = self else { return .null }
    return members[name] ?? .null
  }

  /// The elements of an array; none if it is something else.
  var elements: [JSON] {
    guard case .array(let elements) = self else { return [] }
    return elements
  }

  var bool: Bool? {
    guard case .bool(let value) = self else { return nil }
    return value
  }

  var double: Double? {
    guard case .number(let value) = self else { return nil }
    return value
  }

  var int: Int? { double.flatMap { Int(exactly: $0) } }

  /// A double of a file is the shortest text of it, so the decimal is exact.
  var decimal: FixedPoint? { double.flatMap(FixedPoint.init(nearest:)) }

  var string: String? {
    guard case .string(let value) = self else { return nil }
    return value
  }
}

/// The names of all files there.
func vectorNames() throws -> [String] {
  let folder = #filePath.split(separator: "/").dropLast().reduce("") { "\($0)/\($1)" } + "/Vectors"
  return try FileManager.default.contentsOfDirectory(atPath: folder).map {
    String($0.dropLast(".json".count))
  }
  .sorted()
}
