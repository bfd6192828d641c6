@testable import StepperCommands
import StepperCore
import StepperText
import TestSupport
import Testing

/// Remedies that can be carried out here: commands that change files.
@Suite(.timeLimit(.minutes(10))) struct `A remedy` {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private var file: String { "\(folder.path)/stepperd.toml" }

  /// The facts of root, whose configuration is the file of this test.
  private func facts(_ change: (inout Facts) -> Void = { _ in }) throws -> Facts {
    let text = try folder.read("stepperd.toml")
    return try HealthySystem.facts { facts in
      facts.caller.identity = Identity(user: 0, groups: [0])
      facts.configuration = ConfigurationFacts(text: text, path: file)
      change(&facts)
    }
  }

  /// Runs the commands of a finding that change files.
  private func carryOut(_ finding: Finding) throws {
    for command in finding.commands where command.hasPrefix("sed ") || command.hasPrefix("printf ") {
      let (status, output) = try run("/bin/sh", ["-c", command])
      #expect(status == 0 && output == "", "\(command): \(output)")
    }
  }

  @Test(arguments: [
    "maximun = 3", "  maximun=3 # as maximum", "titel = \"maximun\"", "profile = \"uikt\"",
    "rotate = { input = \"knob:REL_DAIL\" }",
  ]) func `for a misspelt word corrects it and nothing else`(line: String) throws {
    try folder.write(
      HealthySystem.configuration.replacing("rotate = \"knob:REL_DIAL\"", with: "# a comment\n\(line)\n"),
      to: "stepperd.toml")
    let before = try facts()
    let finding = try #require(before.finding("configuration.error"))
    #expect(finding.commands.first?.hasPrefix("sed ") ?? false, "\(finding)")
    try carryOut(finding)
    #expect(try facts().finding("configuration.error") == nil)
    #expect(try folder.read("stepperd.toml").contains("# a comment\n"))
  }

  @Test(arguments: [
    "Griffin PowerMate", #"a/b & c\d "e" 'f' $(g) `h` [i] ^.*$"#, "Drehknopf Größe 5 ✓", "\u{1b}[2J",
    // With a combining character each is another Character, and not for a shell and sed.
    "Knob'\u{301}; exit 7 #", "a/\u{301}b&\u{301}c\\\u{301}d\"\u{301}e",
  ]) func `for a table without a device matches the one that is there`(name: String) throws {
    try folder.write(
      HealthySystem.configuration.replacing("Griffin PowerMate", with: "Nothing"), to: "stepperd.toml")
    func facts() throws -> Facts { try self.facts { $0.inputs[0].identity.name = name } }
    try carryOut(try #require(try facts().finding("device.unmatched")))
    let after = try facts()
    let text = try folder.read("stepperd.toml")
    #expect(after.finding("configuration.error") == nil, "\(text)")
    #expect(after.finding("device.matched") != nil)
  }

  @Test func `is for the line of a file whose lines end in CR LF`() throws {
    let lines = HealthySystem.configuration.replacing("Griffin PowerMate", with: "Nothing")
    try folder.write(lines.replacing("\n", with: "\r\n"), to: "stepperd.toml")
    try carryOut(try #require(try facts().finding("device.unmatched")))
    #expect(try facts().finding("device.matched") != nil)
  }

  @Test(arguments: [
    "", "plain-1.toml", "it's", "'\u{301}", "a\u{301}'\u{301}\u{302}b", "$(touch x) `y` \\ \"z\"", "\n", "é",
  ]) func `has each text as one word of the shell`(text: String) throws {
    let (status, output) = try run("/bin/sh", ["-c", "printf '<%s>' \(Shell.quoted(text))"])
    #expect(status == 0 && output == "<\(text)>")
  }

  @Test func `for a code that the device lacks writes the one it has`() throws {
    try folder.write(HealthySystem.configuration.replacing("REL_DIAL", with: "REL_X"), to: "stepperd.toml")
    try carryOut(try #require(try facts().finding("binding.missing")))
    #expect(try folder.read("stepperd.toml") == HealthySystem.configuration)
    #expect(try facts().complaints == [])
  }

  @Test func `for an overlay changes its line`() throws {
    try folder.write("", to: "stepperd.toml")
    try folder.write(
      "dtoverlay=gpio-key,gpio=1,keycode=116\ndtoverlay=gpio-key,gpio=22\ndtoverlay=rotary-encoder,pin_a=1\n",
      to: "config.txt")
    func board() throws -> Facts {
      let lines = try folder.read("config.txt").split(separator: "\n").map(String.init)
      return try facts { facts in
        facts.board.kind = .raspberryPi
        facts.board.file = "\(folder.path)/config.txt"
        facts.board.lines = lines
        facts.kernel.platform = ["gpio-keys", "rotary-encoder"].map {
          .init(name: $0, compatible: $0, hasDriver: true)
        }
      }
    }
    let findings = try board().findings.filter { $0.name.hasPrefix("board.") }
    #expect(findings.map(\.name) == ["board.power-key", "board.power-key", "board.absolute"])
    for finding in findings { try carryOut(finding) }
    #expect(try board().findings.filter { $0.name.hasPrefix("board.") } == [])
  }

  @Test func `quotes what comes from outside for a shell`() throws {
    let file = "\(folder.path)/it's $(touch x) `y` \"z\""
    try folder.write(HealthySystem.configuration + "\nmaximun = 3\n", to: "it's $(touch x) `y` \"z\"")
    let text = try folder.read("it's $(touch x) `y` \"z\"")
    let facts = try HealthySystem.facts { facts in
      facts.caller.identity = Identity(user: 0, groups: [0])
      facts.configuration = ConfigurationFacts(text: text, path: file)
    }
    try carryOut(try #require(facts.finding("configuration.error")))
    #expect(try folder.read("it's $(touch x) `y` \"z\"").hasSuffix("\nmaximum = 3\n"))
  }
}
