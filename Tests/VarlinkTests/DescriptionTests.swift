import StepperInterfaces
import Testing
import Varlink

/// Reading the interface description language.
@Suite struct DescriptionTests {
  @Test func `a description is read with its comments`() throws {
    let text = """
      # About printers.
      #
      #   Two spaces stay.
      interface org.example.printer-1

      # Not of the type below, for there is an empty line.

      # A page.
      type Page (
        # Its number
        number: int, # not of the next field
        size: ?(width: float, height: float),
        # Its words
        words: [string][]string
      )
      type Tray(upper,# the lower one is noisy
        # The lower one.
        lower)
      method Print(pages: []Page, tray: ?Tray) -> (done: bool, rest: object)
      error Empty ()
      """
    let interface = try VarlinkInterface(parsing: text)
    #expect(interface.name == "org.example.printer-1")
    #expect(interface.comment == "About printers.\n\n  Two spaces stay.")
    #expect(interface.members.map(\.name) == ["Page", "Tray", "Print", "Empty"])
    #expect(interface.members.map(\.comment) == ["A page.", "", "", ""])
    guard case .type(.structure(let fields)) = interface.members[0].declaration else {
      Issue.record("Page is no structure")
      return
    }
    #expect(fields.map(\.name) == ["number", "size", "words"])
    #expect(fields.map(\.comment) == ["Its number", "", "Its words"])
    #expect(fields[2].type == .map(.array(.string)))
    guard case .optional(.structure(let sizes)) = fields[1].type else {
      Issue.record("size is no optional structure")
      return
    }
    #expect(sizes.map(\.type) == [.float, .float])
    guard case .type(.enumeration(let words)) = interface.members[1].declaration else {
      Issue.record("Tray is no enumeration")
      return
    }
    #expect(words.map(\.name) == ["upper", "lower"])
    #expect(words.map(\.comment) == ["", "The lower one."])
    guard case .method(let parameters, let reply) = interface.members[2].declaration else {
      Issue.record("Print is no method")
      return
    }
    #expect(parameters.map(\.type) == [.array(.named("Page")), .optional(.named("Tray"))])
    #expect(reply.map(\.type) == [.boolean, .object])
    #expect(interface.members[3].declaration == .error([]))
  }

  @Test(arguments: [.service] + InterfaceDescription.stepperd)
  func `our own descriptions have the methods that their service answers`(_ description: InterfaceDescription)
    throws
  {
    let interface = try VarlinkInterface(parsing: description.text)
    #expect(interface.name == description.name)
    let methods = interface.members.filter { if case .method = $0.declaration { true } else { false } }
    #expect(methods.map { "\(interface.name).\($0.name)" } == description.methods)
  }

  @Test(arguments: [
    ("", 1, "'interface' was expected, but the end was found"),
    ("interface example", 1, "the name of an interface was expected, but 'example' was found"),
    ("interface org.-example", 1, "the name of an interface was expected, but 'org.-example' was found"),
    ("interface 1.example", 1, "the name of an interface was expected, but '1.example' was found"),
    ("interface a.b\nstruct A ()", 2, "'type', 'method' or 'error' was expected, but 'struct' was found"),
    (
      "interface a.b\n\nerror a ()", 3,
      "a name that begins with a capital letter was expected, but 'a' was found"
    ),
    ("interface a.b\nerror A (b: int,)", 2, "a name was expected, but ')' was found"),
    ("interface a.b\nerror A (b: int c: int)", 2, "',' was expected, but 'c' was found"),
    ("interface a.b\nerror A (b_: int)", 2, "a name was expected, but 'b_' was found"),
    ("interface a.b\nerror A (b: int", 2, "',' was expected, but the end was found"),
    ("interface a.b\nerror A (b, c)", 2, "fields with types were expected, but words were found"),
    ("interface a.b\nerror A (b: int, c)", 2, "':' was expected, but ')' was found"),
    ("interface a.b\nerror A (b, c: int)", 2, "',' was expected, but ':' was found"),
    ("interface a.b\nmethod A (b: int)\nerror C ()", 3, "'->' was expected, but 'error' was found"),
    ("interface a.b\nmethod A () -> (\n  c: integer)", 3, "a type was expected, but 'integer' was found"),
    (
      "interface a.b\nmethod A () -> (c: ??int)", 2,
      "a type that is not optional was expected, but '?' was found"
    ),
    ("interface a.b\nmethod A () -> (c: [int]int)", 2, "']' was expected, but 'int' was found"),
    ("interface a.b\nerror A (b: int, b: int)", 2, "'b' stands twice in a list"),
    ("interface a.b\ntype A (b, b)", 2, "'b' stands twice in a list"),
    ("interface a.b\nerror A ()\nmethod A () -> ()", 3, "'A' is declared twice"),
    ("interface a.b\nerror A (\n  b: ?[]C\n)\nerror C ()", 3, "there is no type 'C'"),
    ("interface a.b\nerror A (b: int; c: int)", 2, "a character that no description has"),
    ("interface a.b\nerror Ä ()", 2, "a character that no description has"),
    ("interface a.b\u{0}", 1, "a character that no description has"),
  ])
  func `what is wrong is said with its line`(text: String, line: Int, reason: String) {
    let error = #expect(throws: DescriptionError.self) { try VarlinkInterface(parsing: text) }
    #expect(error?.line == line)
    #expect(error?.reason == reason)
  }

  @Test(arguments: ["[]", "(a: ", "[string]", "?[]"])
  func `types nest as deep as is sensible, whoever wrote them`(part: String) throws {
    func text(_ depth: Int) -> String {
      let closing = part.hasPrefix("(") ? String(repeating: ")", count: depth) : ""
      return "interface a.b\nerror A (b: \(String(repeating: part, count: depth))int\(closing))"
    }
    _ = try VarlinkInterface(parsing: text(10))
    #expect(throws: DescriptionError.self) { try VarlinkInterface(parsing: text(100)) }
    #expect(throws: DescriptionError.self) { try VarlinkInterface(parsing: text(50_000)) }
  }

  @Test func `a long name is not repeated in an error`() {
    let text = "interface a.b\nerror A (b: \(String(repeating: "x", count: 50_000)))"
    let error = #expect(throws: DescriptionError.self) { try VarlinkInterface(parsing: text) }
    #expect((error?.reason.utf8.count ?? .max) < 200)
  }
}
