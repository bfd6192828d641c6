import Testing
import Varlink
@testable import varlink_generate

/// The source that a description gives. That the result compiles is for the interfaces of this repository to show.
@Suite struct InterfaceSourceTests {
  @Test func `each structure and each method has a file, enumerations and errors have one each`() throws {
    let source = try source(
      """
      # Prints.
      interface org.example.page-printer
      type A (x: int)
      type B (y, z)
      method C() -> ()
      error D ()
      """)
    #expect(
      Set(source.files.map(\.path)) == [
        "PagePrinter/PagePrinterInterface.swift", "PagePrinter/PagePrinterInterface+Enumerations.swift",
        "PagePrinter/PagePrinterInterface+Errors.swift", "PagePrinter/Types/PagePrinterInterface+A.swift",
        "PagePrinter/Methods/PagePrinterInterface+C.swift",
      ])
  }

  @Test(arguments: [
    ("org.varlink.service", "Service/ServiceInterface.swift"),
    ("io.example-board.service", "ExampleBoardService/ExampleBoardServiceInterface.swift"),
    ("org.example.services", "Services/ServicesInterface.swift"),
  ])
  func `an interface named service is told from that of Varlink itself`(_ name: String, _ path: String) throws
  {
    #expect(try source("interface \(name)\nmethod A() -> ()").files.map(\.path).contains(path))
  }

  @Test func `a structure has its fields, their comments, and writes them in their order`() throws {
    let text = try text(
      "Types/AInterface+Page.swift",
      """
      interface org.example.a
      # A page,
      # of "paper"
      type Page (
        # Its number
        number: int,
        default: ?float,
        words: [string][]string,
        kind: ?[]Kind,
        # Those found; most often one
        found: ?[]Kind
      )
      type Kind (small)
      """)
    #expect(
      text == """
        // Made by varlink-generate from org.example.a.varlink; do not edit.

        public import Varlink

        extension AInterface {
          /// A page, of `paper`.
          public struct Page: Hashable, Sendable, JSONReadable, JSONWritable {
            /// Its number.
            public var number: Int64
            public var `default`: Double?
            public var words: [String: [String]]
            public var kind: [Kind]?
            /// Those found; most often one.
            public var found: ShortList<Kind>?

            /// Takes every field; one that may be absent is absent unless it is given.
            public init(number: Int64, `default`: Double? = nil, words: [String: [String]], kind: [Kind]? = nil, found: ShortList<Kind>? = nil) {
              self.number = number
              self.default = `default`
              self.words = words
              self.kind = kind
              self.found = found
            }

            /// Reads the members of a JSON object.
            public init(json value: JSONValue) throws(JSONMisfit) {
              var members = try JSONMembers(value)
              self.number = try members.value("number")
              self.default = try members.optional("default")
              self.words = try members.value("words")
              self.kind = try members.optional("kind")
              self.found = try members.optional("found")
              try members.end()
            }

            /// Appends a JSON object, its members in the order of the interface description.
            public func appendJSON(to buffer: inout [UInt8]) throws(VarlinkMessageError) {
              let start = buffer.count
              JSONText.append(",\\"number\\":", number, to: &buffer)
              try JSONText.append(",\\"default\\":", `default`, to: &buffer)
              try JSONText.append(",\\"words\\":", words, to: &buffer)
              try JSONText.append(",\\"kind\\":", kind, to: &buffer)
              try JSONText.append(",\\"found\\":", found, to: &buffer)
              JSONText.endObject(from: start, in: &buffer)
            }
          }
        }

        """)
  }

  @Test func `a field without a comment has that of its type, or of a field of its name and type`() throws {
    let text = try text(
      "Methods/AInterface+C.swift",
      """
      interface org.example.a
      # How it stands. Every field counts.
      type State (
        # What it is called
        name: string
      )
      method C(name: string) -> (name: int, state: ?State)
      """)
    #expect(text.contains("/// What it is called.\n      public var name: String\n"))
    #expect(text.contains("/// How it stands.\n      public var state: State?\n"))
    #expect(!text.contains("/// What it is called.\n      public var name: Int64"))
  }

  @Test(arguments: [("Must be called with\n# \"more\".", true), ("It may be called with \"more\".", false)])
  func `the comment of a method says whether it is answered with a stream`(sentence: String, isStream: Bool)
    throws
  {
    let text = try text(
      "Methods/AInterface+C.swift", "interface org.example.a\n# Follows. \(sentence)\nmethod C() -> ()")
    #expect(text.contains("public static let expectsMore = true") == isStream)
    #expect(text.contains("public typealias Parameters = NoParameters"))
    #expect(text.contains("public typealias Reply = NoParameters"))
  }

  @Test func `the comment of an enumeration says what is done with an unknown word`() throws {
    func type(_ comment: String) throws -> String {
      try text(
        "AInterface+Enumerations.swift", "interface org.example.a\n# \(comment)\ntype Kind (small, switch)")
    }
    let strict = try type("Kinds.")
    #expect(
      strict.contains(
        "public enum Kind: String, CaseIterable, Hashable, Sendable, JSONReadable, JSONWritable {"))
    #expect(strict.contains("case small, `switch`"))
    #expect(!strict.contains("init(json"))
    let tolerant = try type("New kinds may be added; clients must\n# treat an unknown kind as \"switch\".")
    #expect(tolerant.contains("self = Self(rawValue: try String(json: value)) ?? .`switch`"))
    let open = try type("New ones may be added; clients must ignore those they do not know.")
    #expect(open.contains("public static let `switch` = Self(rawValue: \"switch\")"))
    #expect(throws: UnsupportedType.self) { try type("Clients treat an unknown kind as \"large\".") }
  }

  @Test func `the comment of a field says what an object holds`() throws {
    let text = try text(
      "Methods/AInterface+C.swift",
      """
      interface org.example.a
      method C(
        # Each is an object whose members
        # are strings
        x: ?[]object
      ) -> ()
      """)
    #expect(text.contains("public var x: [[String: String]]?\n"))
  }

  @Test(arguments: [
    "error E (x: object)", "error E (x: (y: int))", "type T (x: ?(y, z))", "type A (self: string)",
    "type String (x: int)", "method Sendable() -> ()", "error Type ()", "type E (a, allCases)",
    "type A (a: ?A)",
    "type A (b: B)\ntype B (c: int, a: ?A)", "type A (\n# Most often one: most often one\na: []A)",
  ])
  func `what has no Swift type is refused`(declaration: String) {
    #expect(throws: UnsupportedType.self) { try source("interface org.example.a\n\(declaration)") }
  }

  @Test func `what is like it is not`() throws {
    _ = try source("interface org.example.a\ntype A (a: []A, b: [string]A, c: ?B)\ntype B (x: int)")
    let text = try text("AInterface+Enumerations.swift", "interface org.example.a\ntype E (Type, default)")
    #expect(text.contains("case `Type`, `default`"))
  }

  @Test(arguments: ["\r\n", "\r"]) func `lines may end with CR`(end: String) throws {
    let lines = [
      "interface org.example.a", "", "# Harmless.", "# let x = 1", "method C(", "# The a", "a: int) -> ()",
      "",
    ]
    let path = "Methods/AInterface+C.swift"
    #expect(try text(path, lines.joined(separator: end)) == text(path, lines.joined(separator: "\n")))
  }

  private func source(_ description: String) throws -> InterfaceSource {
    try InterfaceSource(of: VarlinkInterface(parsing: description), importsVarlink: true)
  }

  private func text(_ path: String, _ description: String) throws -> String {
    try #require(source(description).files.first { $0.path == "A/\(path)" }).text
  }
}
