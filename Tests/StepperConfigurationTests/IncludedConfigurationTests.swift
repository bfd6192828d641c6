import StepperCore
import StepperConfiguration
import Testing

@Suite struct `A file that a configuration includes` {
  private static let configuration = """
    [device.panel]
    virtual = true
    [profile.loud]
    step = 5
    [control.volume]
    maximum = 10
    rotate = "panel:dial"
    on-change = ["/bin/true"]
    """

  private func problems(_ text: String) -> [String] {
    IncludedConfiguration.problems(
      Array(text.utf8), file: "sent.toml", in: Array(Self.configuration.utf8)
    ).map { "\($0)" }
  }

  @Test func `has devices, profiles and controls`() {
    let text = """
      # Of version 7.
      [device.knob]
      match = { name = "Knob" }
      [profile.soft]
      step = 1
      [control.balance]
      rotate = "panel:dial"
      writable-by = "everyone"
      """
    #expect(problems(text) == [])
    #expect(problems("") == [])
  }

  @Test(arguments: [
    ("[daemon]\nproviders = [\"user:nobody\"]", "not allowed in an included file"),
    ("[\"daemon\"]\nsocket = \"/tmp/x\"", "not allowed in an included file"),
    ("[mqtt]\nbroker = \"mqtt://elsewhere\"", "not allowed in an included file"),
    ("[link.a]\ncontrol = \"volume\"\ncommand = [\"/bin/sh\"]", "not allowed in an included file"),
    ("[control.x]\non-change = [\"/bin/sh\"]", "runs a program"),
    ("[control.\"x\"]\n\"on-change\" = [\"/bin/sh\"]", "runs a program"),
    ("[control]\nx.on-long-press = [\"/bin/sh\"]", "runs a program"),
    ("[control.x]\nspeak = true", "runs a program"),
    ("maximum = 5\n[control.x]", "not allowed in an included file"),
    ("\u{feff}maximum = 5\n[control.x]", "not allowed in an included file"),
    ("[control.volume]\nmaximum = 5", "is in the configuration already"),
    ("[control.volume.repeat]\ndelay = \"1s\"\ninterval = \"1s\"", "is in the configuration already"),
    ("[control.volume.push]\ninput = \"panel:push\"", "is in the configuration already"),
    ("[control]\nvolume.step = 5", "is in the configuration already"),
    ("[device.panel.match]\nname = \"Knob\"", "is in the configuration already"),
    ("[profile.loud.repeat]\ndelay = \"1s\"", "is in the configuration already"),
    ("[control.x", "sent.toml:1"),
  ])
  func `has nothing else`(_ text: String, _ expected: String) {
    #expect(problems(text).first?.contains(expected) == true, "\(problems(text))")
  }

  /// `main` with an included file that has `included`; nil: there is none.
  private func complete(_ main: String, _ included: String?) -> CompleteConfiguration {
    CompleteConfiguration(
      Array(main.utf8), file: "main.toml", including: { _, _ in included.map { Array($0.utf8) } },
      check: { Configuration.load($0, file: $1) })
  }

  @Test func `is left out without the warnings of the other file once more`() {
    let main = "[daemon]\ninclude = \"/sent.toml\"\nidle-after = \"1m\"\n[control.volume]\n"
    let problems = complete(main, "[control.bass]\nmaximum = \"x\"\n").problems
    #expect(problems.map(\.severity) == [.warning, .error])
    #expect(problems.map(\.file) == ["main.toml", "/sent.toml"])
  }

  /// The end of a line about the included file.
  private static let origin = " (included from main.toml:2:1)"
  private static let including = "[daemon]\ninclude = \"/sent.toml\"\n[control.volume]\n"

  @Test func `is read as if it stood at the end`() {
    let read = complete(Self.including, "[control.bass]\nmaximum = 3\n")
    #expect(read.configuration?.controls.map(\.settings.name) == ["volume", "bass"])
    #expect(read.problems == [] && read.leftOut == [] && read.included?.count == 27)
    #expect(Configuration.load(read.text, file: "joined.toml").configuration == read.configuration)
    // Some editors begin a file with a byte order mark.
    let marked = complete(Self.including, "\u{feff}[control.bass]\nmaximum = 3\n")
    #expect(marked.configuration == read.configuration && marked.problems == [])
    #expect(complete("\u{feff}" + Self.including, "[control.bass]\nmaximum = 3\n").problems == [])
    let missing = complete(Self.including, nil)
    #expect(missing.configuration?.controls.count == 1 && missing.problems == [] && missing.included == nil)
  }

  @Test(arguments: [
    ("[control.bass]\nmaximun = 3\n", "/sent.toml:2:1: error: control.bass.maximun: unknown key"),
    ("[control.volume]\n", "is in the configuration already"),
    ("[mqtt]\n", "not allowed in an included file"),
  ])
  func `with errors is left out, and they have its name and line`(_ included: String, _ problem: String) {
    let read = complete(Self.including, included)
    #expect(read.configuration?.controls.map(\.settings.name) == ["volume"])
    #expect(read.problems == read.leftOut)
    let description = read.problems.first?.description ?? ""
    #expect(description.contains(problem) && description.hasSuffix(Self.origin), "\(read.problems)")
  }

  @Test func `that cannot be read is left out`() {
    struct Refused: Error {}
    let read = CompleteConfiguration(
      Array(Self.including.utf8), file: "main.toml", including: { _, _ in throw Refused() },
      check: { Configuration.load($0, file: $1) })
    #expect(read.configuration?.controls.count == 1)
    #expect(read.leftOut.map(\.description) == ["/sent.toml: error: Refused()\(Self.origin)"])
  }

  @Test func `with warnings is used, and they have the line that includes it`() {
    let read = complete(Self.including, "[device.knob]\nmatch = { name = \"Knob\" }\n")
    #expect(read.configuration?.devices.count == 1)
    #expect(
      read.problems.map(\.description) == [
        "/sent.toml:1:1: warning: device.knob: no control uses this device\(Self.origin)"
      ])
  }

  @Test func `is not read for a configuration with errors`() {
    let read = complete(Self.including + "maximun = 3\n", "[control.volume]\n")
    #expect(read.configuration == nil && read.included == nil)
    #expect(read.problems.map(\.file) == ["main.toml"])
  }

  @Test func `has a limit`() {
    let text = String(repeating: "# 456789\n", count: IncludedConfiguration.mostBytes / 9 + 1)
    #expect(problems(text).first?.contains("at most 49152 are allowed") == true)
  }
}
