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

  @Test func `has a limit`() {
    let text = String(repeating: "# 456789\n", count: IncludedConfiguration.mostBytes / 9 + 1)
    #expect(problems(text).first?.contains("at most 49152 are allowed") == true)
  }
}
