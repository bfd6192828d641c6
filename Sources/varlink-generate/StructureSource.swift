import Varlink

/// The Swift source of a structure: its fields, its initializers, and how it is written.
struct StructureSource {
  let name: String
  let documentation: DocumentationComment
  var conformances = "Hashable, Sendable, JSONReadable, JSONWritable"
  /// Lines to put before the fields.
  var head: [String] = []
  let fields: [VarlinkField]
  let comments: FieldComments
  /// The number of types that enclose the structure.
  var depth = 1

  func lines() throws(UnsupportedType) -> [String] {
    let properties = head + (try properties())
    let body = properties + [""] + (try initializer()) + reading + [""] + writing
    return documentation.lines(indentation: 2 * depth) + ["public struct \(name): \(conformances) {"]
      + body.indented
      + ["}"]
  }

  private func properties() throws(UnsupportedType) -> [String] {
    let properties = try fields.map { field throws(UnsupportedType) in
      try SwiftNames.check(field: field.name)
      return comments.comment(of: field).lines(indentation: 2 * depth + 2)
        + ["public var \(field.swiftName): \(try field.swiftType)"]
    }
    return Array(properties.joined())
  }

  private func initializer() throws(UnsupportedType) -> [String] {
    guard !fields.isEmpty else { return ["/// It has no fields.", "public init() {}"] }
    let hasOptional = fields.contains(where: \.type.isOptional)
    let parameters = try fields.map { field throws(UnsupportedType) in
      "\(field.swiftName): \(try field.swiftType)\(field.type.isOptional ? " = nil" : "")"
    }
    return [
      "/// Takes every field\(hasOptional ? "; one that may be absent is absent unless it is given" : "").",
      "public init(\(parameters.joined(separator: ", "))) {",
    ] + fields.map { "  self.\($0.name == "init" ? $0.swiftName : $0.name) = \($0.swiftName)" } + ["}"]
  }

  private var reading: [String] {
    let head = [
      "", "/// Reads the members of a JSON object.",
      "public init(json value: JSONValue) throws(JSONMisfit) {",
    ]
    guard !fields.isEmpty else { return head + ["  try JSONMembers(value).end()", "}"] }
    return head + ["  var members = try JSONMembers(value)"]
      + fields.map { field in
        let take = field.type.isOptional ? "optional" : "value"
        let property = field.name == "init" ? field.swiftName : field.name
        return "  self.\(property) = try members.\(take)(\"\(field.name)\")"
      } + ["  try members.end()", "}"]
  }

  private var writing: [String] {
    let mayThrow = fields.contains(where: \.type.writingThrows)
    return [
      "/// Appends a JSON object, its members in the order of the interface description.",
      "public func appendJSON(to buffer: inout [UInt8])\(mayThrow ? " throws(VarlinkMessageError)" : "") {",
      "  let start = buffer.count",
    ]
      + fields.map { field in
        let attempt = field.type.writingThrows ? "try " : ""
        return "  \(attempt)JSONText.append(\",\\\"\(field.name)\\\":\", \(field.swiftName), to: &buffer)"
      } + ["  JSONText.endObject(from: start, in: &buffer)", "}"]
  }
}

extension VarlinkField {
  var swiftName: String { SwiftNames.escaped(name) }
  var swiftType: String { get throws(UnsupportedType) { try type.swiftName(saying: comment) } }
}

extension String {
  /// The words of the text, with one space between them.
  var inOneLine: String { split { $0 == "\n" || $0 == " " }.joined(separator: " ") }
}

extension [String] {
  /// The lines, indented by two more spaces.
  var indented: [String] { map { $0.isEmpty ? "" : "  \($0)" } }
}
