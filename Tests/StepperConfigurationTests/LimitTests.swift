import StepperCore
import StepperText
import Testing

@testable import StepperConfiguration

/// How much a configuration may hold, and what is said beyond.
@Suite struct LimitTests {
  typealias Limit = (make: @Sendable (Int) -> String, most: Int, error: String)

  static let head = "device.panel.virtual = true\ndevice.k.match.name = \"K\"\ncontrol.c."

  static func list(_ count: Int, _ piece: (Int) -> String) -> String {
    "[" + (0..<count).map(piece).joined(separator: ", ") + "]"
  }
  static func text(_ count: Int, _ letter: String = "x") -> String {
    "\"\(String(repeating: letter, count: count))\""
  }

  /// Buttons while another is held, all different.
  static let inputs: [String] = {
    let keys = codes.keys.filter { $0.hasPrefix("KEY_") }.sorted()
    return keys.flatMap { key in
      keys.filter { $0 != key }.map { "{ input = \"k:\(key)\", while = \"k:\($0)\" }" }
    }
  }()

  static let limits: [Limit] = [
    (
      { "device.d.match = " + list($0) { "{ name = \"n\($0)\" }" } }, 32,
      "f:1:18: error: device.d.match: has 33 values; at most 32 are allowed"
    ),
    (
      { "device.d.match.has = " + list($0) { _ in "\"REL_X\"" } }, 64,
      "f:1:22: error: device.d.match.has: has 65 values; at most 64 are allowed"
    ),
    (
      { "[device.d.match.property]\n" + (0..<$0).map { "P\($0) = \"1\"\n" }.joined() }, 32,
      "f:1:1: error: device.d.match.property: has 33 patterns; at most 32 are allowed"
    ),
    (
      { "device.d.match.name = " + text($0) }, 256,
      "f:1:23: error: device.d.match.name: is 257 bytes long; at most 256 are allowed"
    ),
    (
      { head + "increment = " + list($0) { inputs[$0] } }, 64,
      "f:3:23: error: control.c.increment: has 65 values; at most 64 are allowed"
    ),
    (
      { head + "outputs = " + list($0) { _ in "\"k\"" } }, 16,
      "f:3:21: error: control.c.outputs: has 17 values; at most 16 are allowed"
    ),
    (
      { head + "light = " + list($0) { _ in "\"k\"" } }, 16,
      "f:3:19: error: control.c.light: has 17 values; at most 16 are allowed"
    ),
    (
      { "[control.c.title]\n" + (0..<$0).map { "a\($0) = \"x\"\n" }.joined() }, 64,
      "f:1:1: error: control.c.title: has 65 languages; at most 64 are allowed"
    ),
    (
      { head + "title = " + text($0) }, 256,
      "f:3:19: error: control.c.title: is 257 bytes long; at most 256 are allowed"
    ),
    (
      { head + "unit = " + text($0) }, 32,
      "f:3:18: error: control.c.unit: is 33 bytes long; at most 32 are allowed"
    ),
    (
      { head + "choices = " + list($0) { "\"c\($0)\"" } }, 256,
      "f:3:21: error: control.c.choices: must be an array of 1 to 256 names, found an array"
    ),
    (
      { head + "choices = [" + text($0) + "]" }, 64,
      "f:3:22: error: control.c.choices[0]: is 65 bytes long; at most 64 are allowed"
    ),
    (
      {
        head + "repeat = { delay = \"1s\", stages = "
          + list($0) { "{ from = \"\($0)s\", interval = \"1s\" }" } + " }"
      }, 32, "f:3:45: error: control.c.repeat.stages: has 33 values; at most 32 are allowed"
    ),
    (
      { head + "on-change = " + list($0) { _ in "\"x\"" } }, 64,
      "f:3:23: error: control.c.on-change: must be an array of 1 to 64 texts, the program and its arguments"
    ),
    (
      { head + "on-change = [\"x\", " + text($0) + "]" }, 4_096,
      "f:3:29: error: control.c.on-change[1]: is 4097 bytes long; at most 4096 are allowed"
    ),
    (
      { "daemon.socket = \"/" + String(repeating: "x", count: $0 - 1) + "\"" }, 107,
      "f:1:17: error: daemon.socket: is 108 bytes long; at most 107 are allowed"
    ),
    (
      { "daemon.admin-group = " + text($0) }, 32,
      "f:1:22: error: daemon.admin-group: is 33 bytes long; at most 32 are allowed"
    ),
    (
      { "control." + String(repeating: "n", count: $0) + ".step = 1" }, 64,
      "the name is 65 bytes long; at most 64 are allowed"
    ),
    (
      { (0..<$0).map { "device.d\($0).virtual = true\n" }.joined() }, 64,
      "f:65:8: error: device.d64: 65 tables; at most 64 are allowed"
    ),
    (
      { (0..<$0).map { "profile.p\($0).step = 1\n" }.joined() }, 64,
      "f:65:9: error: profile.p64: 65 tables; at most 64 are allowed"
    ),
    (
      { (0..<$0).map { "control.c\($0).step = 1\n" }.joined() }, 256,
      "f:257:9: error: control.c256: 257 tables; at most 256 are allowed"
    ),
    (
      { "#" + String(repeating: " ", count: $0 - 1) }, 1_048_576,
      "f: error: is 1048577 bytes long; at most 1048576 are allowed"
    ),
  ]

  @Test(arguments: limits.indices) func `as much as is allowed is, and no more`(index: Int) throws {
    let (make, most, error) = Self.limits[index]
    let (accepted, _) = load(make(most))
    #expect(accepted != nil)
    let errors = load(make(most + 1)).problems.filter { $0.severity == .error }.map(\.description)
    #expect(errors.contains { $0.hasSuffix(error) }, "\(errors)")
  }

  @Test func `a key and its nesting have limits too`() {
    let key = String(repeating: "k", count: 256)
    #expect(problems(in: "\(key) = 1").first?.contains("unknown key") == true)
    #expect(
      problems(in: "\(key)k = 1").first == "f:1:1: error: the name is 257 bytes long; at most 256 are allowed"
    )
    let path = Array(repeating: "a", count: 32).joined(separator: ".")
    #expect(
      problems(in: "\(path) = 1") == [
        "f:1:1: error: a: unknown key; known are daemon, device, profile, control, link, mqtt, serial, midi"
      ])
    #expect(
      problems(in: "\(path).a = 1").first
        == "f:1:65: error: is nested too deeply; at most 32 levels are allowed")
  }

  @Test func `the limits are in the reference and the manual`() throws {
    let reference = try #require(DocumentationTests.text("Documentation/configuration.md"))
    let manual = try #require(DocumentationTests.text("Documentation/man/stepperd.toml.5"))
    for (what, most) in ConfigurationLimit.table {
      #expect(reference.contains("| \(what) | \(most) |"), "\(what)")
      #expect(manual.contains(".It \(what.filter { $0 != "`" }) Ta \(most)\n"), "\(what)")
    }
  }

  // MARK: Numbers and durations

  @Test(arguments: [
    ("1000000000000000000s", "must be from 0s to 24h"),
    ("99999999999999999999999999h", "must be from 0s to 24h"),
    ("0.000000001h", nil), ("24h", nil), ("24.000000001h", "must be from 0s to 24h"),
    ("-1ms", "must be from 0s to 24h"),
    ("-0s", nil), ("1e3s", "must be a text with a unit"), ("1.0000000001s", "must be a text with a unit"),
    ("--1s", "must be a text with a unit"), ("1-s", "must be a text with a unit"),
    ("1.s", "must be a text with a unit"),
    (".5s", "must be a text with a unit"), ("s", "must be a text with a unit"),
    ("1 s", "must be a text with a unit"),
    ("٣s", "must be a text with a unit"), ("1s\u{301}", "must be a text with a unit"),
  ])
  func `a duration is in its range, or told at its key`(duration: String, message: String?) {
    let problem = load("[daemon]\nsave-interval = \"\(duration)\"\n[control.c]").problems.first
    #expect(problem?.message.hasPrefix(message ?? "") ?? (message == nil))
    #expect((problem == nil) == (message == nil))
    if let problem { #expect(problem.keyPath == "daemon.save-interval" && problem.line == 2) }
  }

  @Test func `a duration of a fraction of a millisecond is written as it is`() {
    #expect(Duration.nanoseconds(1_500_000).text == "1.5ms")
    #expect(Duration.nanoseconds(1_500_000_000).text == "1500ms")
  }
}

extension ConfigurationLimit {
  /// As configuration.md lists them.
  static let table: [(what: String, most: String)] = [
    ("the file", "\(fileBytes >> 20) MiB"),
    ("tables and arrays in each other", "\(nesting)"),
    ("a key", "\(keyBytes) bytes"),
    ("combining characters in a row", "\(combiningCharacters)"),
    ("the name of a device, profile or control", "\(nameBytes) bytes"),
    ("devices", "\(devices)"),
    ("profiles", "\(profiles)"),
    ("controls", "\(controls)"),
    ("links", "\(links)"),
    ("alternatives of a `match`", "\(alternatives)"),
    ("codes of `has`", "\(codes)"),
    ("patterns of `property`", "\(properties)"),
    ("a pattern", "\(patternBytes) bytes"),
    ("`title`, `subtitle`, `group`, `about`, `initial`, `profile`, `base`", "\(textBytes) bytes"),
    ("languages of a `title` or `subtitle`", "\(languages)"),
    ("`unit`", "\(unitBytes) bytes"),
    ("`choices`", "\(choices)"),
    ("the name of a choice", "\(choiceBytes) bytes"),
    ("inputs of one key", "\(inputs)"),
    ("controls in `when` of a binding", "\(conditions)"),
    ("`outputs`", "\(outputs)"),
    ("`light`", "\(lights)"),
    ("`stages`", "\(stages)"),
    ("a `command`", "\(arguments) texts"),
    ("an argument of a `command`", "\(argumentBytes) bytes"),
    ("`socket`", "\(socketPathBytes) bytes"),
    ("`state-directory`, `path`", "\(pathBytes) bytes"),
    ("`socket-group`, `admin-group`", "\(groupBytes) bytes"),
    ("`providers`", "\(ConfigurationLimit.providers)"),
    ("`id` and a group of `[mqtt]`", "\(nameBytes) bytes"),
    ("a file of `[mqtt]`, `include`", "\(pathBytes) bytes"),
    ("tables `[mqtt.remote.NAME]`", "\(remotes)"),
    ("a `topic`", "255 bytes"),
    ("tables `[serial.NAME]`, `[midi.NAME]`", "\(serialPorts) each"),
    ("`knobs`, `faders` of a table `[midi.NAME]`", "\(midiKnobs), \(midiFaders)"),
    ("the included file", "\(IncludedConfiguration.mostBytes >> 10) KiB"),
    ("problems that are told one by one", "\(problems)"),
  ]
}
