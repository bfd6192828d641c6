import StepperCore
import TestSupport
import Testing

@testable import StepperConfiguration

/// Random changes of random documents: a change has its effect and no other, or is refused and has none.
struct EditingProperties {
  @Test(arguments: Seed.fresh(40))
  func `a change changes what it should`(seed: Seed) throws {
    var random = RandomDocument(seed)
    var made = 0
    for _ in 0..<60 {
      let text = random.document()
      var editor = try DocumentEditor(Array(text.utf8))
      for _ in 0..<4 { if change(&editor, &random) { made += 1 } }
    }
    #expect(made > 60)
  }

  @Test(
    .enabled(if: !ConformanceCase.all.isEmpty, "needs the Debian package golang-github-burntsushi-toml-dev"),
    arguments: Seed.fresh(2))
  func `a change of the documents of toml-test changes what it should`(seed: Seed) throws {
    var random = RandomDocument(seed)
    for example in ConformanceCase.valid {
      guard var editor = try? DocumentEditor(try example.bytes()) else { continue }
      for _ in 0..<3 { _ = change(&editor, &random) }
    }
  }

  @Test(arguments: Seed.fresh(4))
  func `damaged documents are changed right or refused`(seed: Seed) {
    var torture = Torture(seed)
    var random = RandomDocument(seed)
    let documents = (0..<8).map { _ in Array(random.document().utf8) }
    for _ in 0..<400 {
      // Most of them are no TOML, which is refused.
      guard var editor = try? DocumentEditor(torture.next(from: documents)) else { continue }
      _ = change(&editor, &random)
    }
  }

  /// One random change; whether it was made.
  private func change(_ editor: inout DocumentEditor, _ random: inout RandomDocument) -> Bool {
    let before = editor
    let path = random.path(in: before)
    let literal = random.literal()
    do throws(EditRefusal) {
      switch Int.random(in: 0..<4, using: &random) {
      case 0: try editor.append(literal, to: path)
      case 1: try editor.addTable(path, [.init("k", literal), .init("a b", .integer(1))])
      case 2: try editor.remove(Int.random(in: 0..<3, using: &random), from: path)
      default: try editor.set(path, to: literal)
      }
    } catch {
      #expect(editor.bytes == before.bytes)
      #expect(!error.message.isEmpty)
      return false
    }
    expectKept(before, editor, path)
    return true
  }

  /// Everything but `path` is as before, and so are all comments and line endings.
  private func expectKept(_ before: DocumentEditor, _ after: DocumentEditor, _ path: ValuePath) {
    let (old, new) = (Document(before.bytes), Document(after.bytes))
    #expect(new.errors.isEmpty)
    #expect(
      leaves(of: old, except: path) == leaves(of: new, except: path), "\(before.text)\n=>\n\(after.text)")
    // A value that is replaced takes the comments inside its array along.
    let isReplaced = before.valueRange(of: path) != nil
    if !isReplaced {
      #expect(subsequence(before.bytes, of: after.bytes) || after.bytes.count < before.bytes.count)
    }
    let carriageReturns = before.bytes.count { $0 == UInt8(ascii: "\r") }
    #expect(isReplaced || after.bytes.count { $0 == UInt8(ascii: "\r") } >= carriageReturns)
  }

  /// Whether `new` has all bytes of `old` in their order.
  private func subsequence(_ old: [UInt8], of new: [UInt8]) -> Bool {
    var rest = old[...]
    for byte in new where byte == rest.first { rest.removeFirst() }
    return rest.isEmpty
  }

  /// The scalars outside `path`, with their paths.
  private func leaves(of document: Document, except path: ValuePath) -> [String] {
    var found: [String] = []
    func walk(_ node: DocumentNode, _ here: ValuePath) {
      guard here != path else { return }
      switch node {
      case .table(let table):
        for entry in table.entries { walk(entry.node, here[entry.key]) }
      case .array(let array):
        for (index, element) in array.elements.enumerated() { walk(element.node, here[index]) }
      case .string(let text): found.append("\(here.components)=\(text)")
      default: found.append("\(here.components)=\(node.found)")
      }
    }
    walk(.table(document.root), .root)
    return found.sorted()
  }
}

/// Documents in every form that TOML has for tables and values, with comments, blank lines and both line endings.
struct RandomDocument: RandomNumberGenerator {
  private var generator: SeededGenerator

  init(_ seed: Seed) { generator = SeededGenerator(seed) }

  mutating func next() -> UInt64 { generator.next() }

  private static let names = ["volume", "knob", "a", "\"b c\"", "'d'", "e-f", "\"g.h\""]
  private static let keys = ["maximum", "step", "rotate", "match", "x", "\"y z\""]

  mutating func document() -> String {
    var lines: [String] = []
    var tables: Set<String> = []
    if flip(3) { lines.append("# top") }
    if flip(4) { lines += ["daemon.level = 1 # root", "device.panel.virtual = true"] }
    if flip(6) { lines.append("control = { volume = { maximum = \(value()) }, x.y = 2 }") }
    let hasControls = lines.last?.hasPrefix("control = ") == true
    for _ in 0..<Int.random(in: 0...6, using: &self) {
      let kind = hasControls || flip(2) ? "device" : "control"
      let name = pick(Self.names)
      guard tables.insert("\(kind).\(name)").inserted else { continue }
      if flip(2) { lines.append("") }
      if flip(3) { lines.append("# \(kind) of \(name)") }
      let isList = flip(8)
      lines.append(isList ? "[[list.\(name)]]" : flip(6) ? "[ \(kind) . \(name) ] # c" : "[\(kind).\(name)]")
      body(&lines)
      if !isList, flip(4) {
        lines.append("[\(kind).\(name).sub]")
        body(&lines)
      }
      if flip(4) { lines.append("# end") }
    }
    let ending = flip(3) ? "\r\n" : "\n"
    let text = lines.joined(separator: ending)
    return (flip(8) ? "\u{feff}" : "") + (flip(3) || lines.isEmpty ? text : text + ending)
  }

  private mutating func body(_ lines: inout [String]) {
    for key in Self.keys.shuffled(using: &self).prefix(Int.random(in: 0...4, using: &self)) {
      if flip(5) { lines.append("") }
      let indentation = flip(4) ? "  " : ""
      let dotted = flip(4) ? "\(key).\(pick(Self.names))" : key
      lines.append("\(indentation)\(dotted) = \(value())\(flip(4) ? " # \(key)" : "")")
      if flip(6) { lines.append("# after \(key)") }
    }
  }

  private mutating func value(depth: Int = 0) -> String {
    switch Int.random(in: 0..<(depth < 2 ? 10 : 6), using: &self) {
    case 0: "1_0"
    case 1: "\"text # no comment\""
    case 2: "'it is [a.b]'"
    case 3: "true"
    case 4: "1979-05-27"
    case 5: "-1.5"
    case 6: "[\(value(depth: depth + 1)), \(value(depth: depth + 1)),]"
    case 7: "[ # first\n  \(value(depth: 2)), # one\n  \(value(depth: 2)) # two\n]"
    case 8: "{ p = \(value(depth: 2)), q.r = 2 }"
    default: "\"\"\"\n[control.volume]\nstep = 1\n\"\"\""
    }
  }

  mutating func literal() -> ValueLiteral {
    switch Int.random(in: 0..<6, using: &self) {
    case 0: .string(pick(["x", "a \"b\"", "\u{1b}\n", "é"]))
    case 1: .boolean(flip(2))
    case 2: .integer(Int64.random(in: -9...9, using: &self))
    case 3: .decimal(FixedPoint(units: Int64.random(in: -99...99, using: &self), digits: 1))
    case 4: .array([.string("p"), .integer(1)])
    default: .table([.init("input", .string("knob:REL_DIAL")), .init("multiplier", .integer(2))])
    }
  }

  /// One that exists, or one that does not.
  mutating func path(in editor: DocumentEditor) -> ValuePath {
    var path = ValuePath.root
    while let node = editor.node(at: path), path.components.count < 5 {
      switch node {
      case .table(let table):
        let keys = table.entries.map(\.key) + ["new", "volume", "step", "control"]
        path = path[keys[Int.random(in: 0..<keys.count, using: &self)]]
      case .array(let array) where flip(2) && !array.elements.isEmpty:
        path = path[Int.random(in: 0..<array.elements.count, using: &self)]
      default: return path
      }
      if path.components.count > 1, flip(4) { break }
    }
    return path
  }

  private mutating func flip(_ sides: Int) -> Bool { Int.random(in: 0..<sides, using: &self) == 0 }

  private mutating func pick(_ words: [String]) -> String {
    words[Int.random(in: 0..<words.count, using: &self)]
  }
}
