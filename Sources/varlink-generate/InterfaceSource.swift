import Varlink

/// A file of Swift source.
struct GeneratedFile {
  /// The path of the file in the output folder.
  let path: String
  let text: String
}

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
    try checkContents()
    for member in interface.members {
      try SwiftNames.check(member: member.name)
      let documentation = DocumentationComment(member.comment)
      switch member.declaration {
      case .type(.enumeration(let words)):
        enumerations.append(
          try EnumerationSource(name: member.name, comment: member.comment, words: words).lines())
      case .type(.structure(let fields)):
        let source = StructureSource(
          name: member.name, documentation: documentation, fields: fields, comments: comments)
        add("Types", member.name, [try source.lines()])
      case .type:
        throw UnsupportedType(what: "'\(member.name)' is neither a structure nor an enumeration")
      case .method(let parameters, let reply):
        add("Methods", member.name, [try method(member, parameters, reply)])
      case .error(let fields):
        let source = StructureSource(
          name: member.name, documentation: documentation, conformances: "VarlinkError",
          head: name(of: member), fields: fields, comments: comments)
        errors.append(try source.lines())
      }
    }
    add(nil, "Enumerations", enumerations)
    add(nil, "Errors", errors)
    addNamespace()
  }

  /// Throws if a structure contains itself other than in a list or map, which no Swift value can.
  private func checkContents() throws(UnsupportedType) {
    var contents: [String: [String]] = [:]
    for member in interface.members {
      guard case .type(.structure(let fields)) = member.declaration else { continue }
      contents[member.name] = fields.compactMap { $0.type.contained(saying: $0.comment) }
    }
    for name in contents.keys.sorted() {
      var reached: Set<String> = []
      var next = contents[name] ?? []
      while let type = next.popLast() {
        guard type != name else { throw UnsupportedType(what: "'\(name)' contains itself") }
        if reached.insert(type).inserted { next += contents[type] ?? [] }
      }
    }
  }

  private mutating func add(_ folder: String?, _ name: String, _ declarations: [[String]]) {
    guard !declarations.isEmpty else { return }
    add(
      [folder, "\(namespace)+\(name).swift"].compactMap(\.self), imports: importsVarlink,
      ["extension \(namespace) {"] + Array(declarations.joined(separator: [""])).indented + ["}"])
  }

  private mutating func addNamespace() {
    let documentation = DocumentationComment(
      interface.comment.isEmpty ? "\"\(interface.name)\"" : interface.comment)
    add(
      ["\(namespace).swift"], imports: false,
      documentation.lines(indentation: 0) + [
        "public enum \(namespace) {", "  /// The name of the interface.",
        "  public static let name = \"\(interface.name)\"", "}",
      ])
  }

  /// Adds a file with `lines` under a first line that names its source.
  private mutating func add(_ path: [String], imports: Bool, _ lines: [String]) {
    let head = ["// Made by varlink-generate from \(interface.name).varlink; do not edit.", ""]
    let text = head + (imports ? ["public import Varlink", ""] : []) + lines + [""]
    files.append(
      GeneratedFile(
        path: ([SwiftNames.folder(interface.name)] + path).joined(separator: "/"),
        text: text.joined(separator: "\n")))
  }

  private func name(of member: VarlinkInterface.Member) -> [String] {
    let name = "\(interface.name).\(member.name)"
    return ["/// `\(name)`.", "public static let name = \"\(name)\""]
  }

  private func method(
    _ member: VarlinkInterface.Member, _ parameters: [VarlinkField], _ reply: [VarlinkField]
  ) throws(UnsupportedType) -> [String] {
    let sentence = member.comment.inOneLine
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
    return try StructureSource(
      name: type, documentation: DocumentationComment("The \(what) of ``\(member.name)``"), fields: fields,
      comments: comments, depth: 2
    ).lines()
  }
}
