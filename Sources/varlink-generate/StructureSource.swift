import Varlink

/// The Swift of a structure: its fields, what makes one, and how it is written.
struct StructureSource {
  private let name: String
  private let conformances: String
  private let documentation: [String]
  /// What stands before its fields.
  private let head: [String]
  private let fields: [Field]

  private struct Field {
    let name: String
    let swiftName: String
    let type: String
    let isOptional: Bool
    let writingThrows: Bool
    let documentation: [String]
  }

  init(
    _ name: String, _ documentation: DocumentationComment,
    conformingTo conformances: String = "Codable, Hashable, Sendable",
    head: [String] = [], _ fields: [VarlinkField], _ comments: FieldComments, depth: Int = 1
  ) throws(UnsupportedType) {
    self.name = name
    self.conformances = conformances
    self.documentation = documentation.lines(indentation: 2 * depth)
    self.head = head
    var all: [Field] = []
    for field in fields {
      all.append(
        Field(
          name: field.name, swiftName: SwiftNames.escaped(field.name), type: try field.type.swiftName,
          isOptional: field.type.isOptional, writingThrows: field.type.writingThrows,
          documentation: comments.comment(of: field).lines(indentation: 2 * depth + 2)))
    }
    self.fields = all
  }

  var lines: [String] {
    documentation + ["public struct \(name): \(conformances), JSONWritable {"]
      + (head + fields.flatMap { $0.documentation + ["public var \($0.swiftName): \($0.type)"] } + [""]
      + initializer + [""] + writing).indented + ["}"]
  }

  private var initializer: [String] {
    guard !fields.isEmpty else { return ["/// It has no fields.", "public init() {}"] }
    let hasOptional = fields.contains(where: \.isOptional)
    let parameters = fields.map { "\($0.swiftName): \($0.type)\($0.isOptional ? " = nil" : "")" }
    return [
      "/// Takes every field\(hasOptional ? "; one that may be absent is absent unless it is given" : "").",
      "public init(\(parameters.joined(separator: ", "))) {",
    ] + fields.map { "  self.\($0.name == "init" ? $0.swiftName : $0.name) = \($0.swiftName)" } + ["}"]
  }

  private var writing: [String] {
    let mayThrow = fields.contains(where: \.writingThrows)
    return [
      "/// Appends a JSON object, its members in the order of the interface description.",
      "public func appendJSON(to buffer: inout [UInt8])\(mayThrow ? " throws(VarlinkMessageError)" : "") {",
      "  let start = buffer.count",
    ]
      + fields.map { field in
        "  \(field.writingThrows ? "try " : "")JSONText.append(\",\\\"\(field.name)\\\":\", \(field.swiftName), to: &buffer)"
      } + ["  JSONText.endObject(from: start, in: &buffer)", "}"]
  }
}

extension [String] {
  /// The lines, two spaces farther right.
  var indented: [String] { map { $0.isEmpty ? "" : "  \($0)" } }
}
