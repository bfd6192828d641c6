/// Reads Varlink's interface description language by recursive descent.
struct DescriptionParser {
  private var scanner: DescriptionScanner
  private var token = DescriptionScanner.Token(text: "", comment: "", line: 1)
  /// The types that fields refer to, with the line of the first reference.
  private var references: [String: Int] = [:]

  /// Types nest at most this deep, so that any text needs only a bounded stack.
  private static let maximumDepth = 32

  init(_ text: String) { scanner = DescriptionScanner(text) }

  mutating func interface() throws(DescriptionError) -> VarlinkInterface {
    try advance()
    let comment = token.comment
    try expect("interface")
    let name = try self.name("the name of an interface", where: DescriptionNames.isInterface)
    var members: [VarlinkInterface.Member] = []
    var names: Set<String> = []
    while !token.text.isEmpty {
      let line = token.line
      let member = try member()
      guard names.insert(member.name).inserted else {
        throw DescriptionError(line: line, reason: "'\(member.name)' is declared twice")
      }
      members.append(member)
    }
    let types = members.compactMap { if case .type = $0.declaration { $0.name } else { nil } }
    let missing = references.filter { !types.contains($0.key) }.min { $0.value < $1.value }
    if let missing {
      throw DescriptionError(line: missing.value, reason: "there is no type '\(missing.key)'")
    }
    return VarlinkInterface(name: name, comment: comment, members: members)
  }

  private mutating func member() throws(DescriptionError) -> VarlinkInterface.Member {
    let comment = token.comment
    let keyword = token.text
    guard ["type", "method", "error"].contains(keyword) else {
      throw unexpected("'type', 'method' or 'error'")
    }
    try advance()
    let name = try self.name("a name that begins with a capital letter", where: DescriptionNames.isMember)
    let declaration: VarlinkInterface.Declaration
    switch keyword {
    case "type":
      declaration = .type(try inlineType(depth: 1))
    case "error":
      declaration = .error(try fields(depth: 1))
    default:
      let parameters = try fields(depth: 1)
      try expect("->")
      declaration = .method(parameters: parameters, reply: try fields(depth: 1))
    }
    return VarlinkInterface.Member(name: name, comment: comment, declaration: declaration)
  }

  private mutating func fields(depth: Int) throws(DescriptionError) -> [VarlinkField] {
    guard case .structure(let fields) = try inlineType(depth: depth) else {
      throw DescriptionError(
        line: token.line, reason: "fields with types were expected, but words were found")
    }
    return fields
  }

  /// `(name: type, …)` or `(word, …)`; `()` is an empty structure.
  private mutating func inlineType(depth: Int) throws(DescriptionError) -> VarlinkType {
    try expect("(")
    var fields: [VarlinkField] = []
    var words: [VarlinkWord] = []
    var names: Set<String> = []
    while token.text != ")" {
      if !names.isEmpty { try expect(",") }
      let (comment, line) = (token.comment, token.line)
      let name = try self.name("a name", where: DescriptionNames.isField)
      guard names.insert(name).inserted else {
        throw DescriptionError(line: line, reason: "'\(name)' stands twice in a list")
      }
      if token.text == ":", words.isEmpty {
        try advance()
        fields.append(VarlinkField(name: name, type: try type(depth: depth + 1), comment: comment))
      } else if fields.isEmpty {
        words.append(VarlinkWord(name: name, comment: comment))
      } else {
        throw unexpected("':'")
      }
    }
    try advance()
    return words.isEmpty ? .structure(fields) : .enumeration(words)
  }

  private mutating func type(depth: Int) throws(DescriptionError) -> VarlinkType {
    guard depth <= Self.maximumDepth else {
      throw DescriptionError(line: token.line, reason: "types nest more than \(Self.maximumDepth) deep")
    }
    switch token.text {
    case "(":
      return try inlineType(depth: depth)
    case "?":
      try advance()
      guard token.text != "?" else { throw unexpected("a type that is not optional") }
      return .optional(try type(depth: depth + 1))
    case "[":
      try advance()
      let isMap = token.text == "string"
      if isMap { try advance() }
      try expect("]")
      let element = try type(depth: depth + 1)
      return isMap ? .map(element) : .array(element)
    default:
      return try namedType()
    }
  }

  private mutating func namedType() throws(DescriptionError) -> VarlinkType {
    let builtIn: [String: VarlinkType] = [
      "bool": .boolean, "int": .integer, "float": .float, "string": .string, "object": .object,
    ]
    if let type = builtIn[token.text] {
      try advance()
      return type
    }
    let line = token.line
    let name = try self.name("a type", where: DescriptionNames.isMember)
    references[name] = references[name] ?? line
    return .named(name)
  }

  // MARK: Tokens

  private mutating func advance() throws(DescriptionError) { token = try scanner.next() }

  private mutating func expect(_ text: String) throws(DescriptionError) {
    guard token.text == text else { throw unexpected("'\(text)'") }
    try advance()
  }

  private mutating func name(
    _ expected: String, where isName: (String) -> Bool
  ) throws(DescriptionError) -> String {
    let name = token.text
    guard isName(name) else { throw unexpected(expected) }
    try advance()
    return name
  }

  private func unexpected(_ expected: String) -> DescriptionError {
    let found = token.text.isEmpty ? "the end" : "'\(token.text.clipped(toBytes: 64))'"
    return DescriptionError(line: token.line, reason: "\(expected) was expected, but \(found) was found")
  }
}
