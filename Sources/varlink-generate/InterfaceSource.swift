import Varlink

/// The Swift files of an interface: one for each structure and each method, one for all enumerations, one for all errors.
struct InterfaceSource {
  private(set) var files: [GeneratedFile] = []

  private let interface: VarlinkInterface
  private let comments: FieldComments
  private let importsVarlink: Bool
  private var namespace: String { SwiftNames.namespace(interface.name) }

  init(of interface: VarlinkInterface, importsVarlink: Bool) throws(UnsupportedType) {
    self.interface = interface
    self.importsVarlink = importsVarlink
    comments = FieldComments(of: interface)
    var enumerations: [[String]] = []
    var errors: [[String]] = []
    for member in interface.members {
      switch member.declaration {
      case .type(.enumeration(let words)):
        enumerations.append(try EnumerationSource(member.name, member.comment, words).lines())
      case .type(.structure(let fields)):
        let lines = try StructureSource(member.name, DocumentationComment(member.comment), fields, comments)
          .lines
        add("Types", member.name, [lines])
      case .type:
        throw UnsupportedType(what: "'\(member.name)' is neither a structure nor an enumeration")
      case .method(let parameters, let reply):
        add("Methods", member.name, [try method(member, parameters, reply)])
      case .error(let fields):
        errors.append(try error(member, fields))
      }
    }
    add(nil, "Enumerations", enumerations)
    add(nil, "Errors", errors)
    addNamespace()
  }

  private mutating func add(_ folder: String?, _ name: String, _ declarations: [[String]]) {
    guard !declarations.isEmpty else { return }
    let lines = ["extension \(namespace) {"] + Array(declarations.joined(separator: [""])).indented + ["}"]
    let path = [SwiftNames.folder(interface.name), folder, "\(namespace)+\(name).swift"].compactMap(\.self)
    files.append(
      GeneratedFile(
        path.joined(separator: "/"), of: interface.name, importsVarlink: importsVarlink, lines))
  }

  private mutating func addNamespace() {
    let documentation = DocumentationComment(
      interface.comment.isEmpty ? "\"\(interface.name)\"" : interface.comment)
    let lines =
      documentation.lines(indentation: 0) + [
        "public enum \(namespace) {", "  /// The name of the interface.",
        "  public static let name = \"\(interface.name)\"", "}",
      ]
    files.append(
      GeneratedFile(
        "\(SwiftNames.folder(interface.name))/\(namespace).swift", of: interface.name, importsVarlink: false,
        lines))
  }

  private func name(of member: VarlinkInterface.Member) -> [String] {
    let name = "\(interface.name).\(member.name)"
    return ["/// `\(name)`.", "public static let name = \"\(name)\""]
  }

  private func error(
    _ member: VarlinkInterface.Member, _ fields: [VarlinkField]
  ) throws(UnsupportedType) -> [String] {
    try StructureSource(
      member.name, DocumentationComment(member.comment), conformingTo: "VarlinkError", head: name(of: member),
      fields,
      comments
    ).lines
  }

  private func method(
    _ member: VarlinkInterface.Member, _ parameters: [VarlinkField], _ reply: [VarlinkField]
  ) throws(UnsupportedType) -> [String] {
    let sentence = member.comment.split { $0 == "\n" || $0 == " " }.joined(separator: " ")
    let more = [
      "/// It is answered with a stream of replies, and only when called with `more`.",
      "public static let expectsMore = true",
    ]
    var lines = name(of: member)
    if sentence.contains("Must be called with \"more\"") { lines += more }
    lines += [""] + (try part("Parameters", "parameters", of: member, parameters))
    lines += [""] + (try part("Reply", "results", of: member, reply))
    return DocumentationComment(member.comment).lines(indentation: 2)
      + ["public enum \(member.name): VarlinkMethod {"] + lines.indented + ["}"]
  }

  private func part(
    _ type: String, _ what: String, of member: VarlinkInterface.Member, _ fields: [VarlinkField]
  ) throws(UnsupportedType) -> [String] {
    guard !fields.isEmpty else {
      return ["/// ``\(member.name)`` has no \(what).", "public typealias \(type) = NoParameters"]
    }
    let documentation = DocumentationComment("The \(what) of ``\(member.name)``")
    return try StructureSource(type, documentation, fields, comments, depth: 2).lines
  }
}
