import Testing
@testable import StepperConfiguration

@Suite struct `The ports of MIDI of a configuration` {
  private func load(_ text: String) -> (tables: [MidiConfiguration]?, problems: [String]) {
    let (tables, problems) = MidiConfiguration.load(Array(text.utf8), file: "s.toml")
    return (tables, problems.map(\.description))
  }

  @Test func `are read in their order`() {
    let (tables, problems) = load(
      """
      [midi.mixer]
      port = "X-Touch*"
      protocol = "mackie"
      [midi.nano]
      port = "nanoKONTROL2*"
      encoding = "offset"
      knobs = ["cc-1-16", "cc-16-119"]
      motors = true
      [midi.piano]
      port = "Digital Piano*"
      ignore = true
      """)
    #expect(problems == [])
    var mixer = MidiConfiguration(name: "mixer", port: "X-Touch*")
    mixer.protocol = .mackie
    let nano = MidiConfiguration(
      name: "nano", port: "nanoKONTROL2*", encoding: .offset,
      knobs: [.controller(channel: 1, number: 16), .controller(channel: 16, number: 119)], hasMotors: true)
    let piano = MidiConfiguration(name: "piano", port: "Digital Piano*", isIgnored: true)
    #expect(tables == [mixer, nano, piano])
    #expect(load("").tables == [])
  }

  @Test(arguments: [
    ("[midi.a]\n", "needs port"), ("[midi.a]\nport = 1", "text in quotes"),
    ("[midi.a]\nport = \"x\"\nprotocol = \"hui\"", "plain"),
    ("[midi.a]\nport = \"x\"\nknobs = [\"cc-0-1\"]", "must be a controller such as"),
    ("[midi.a]\nport = \"x\"\nknobs = [\"cc-1-120\"]", "must be a controller such as"),
    ("[midi.a]\nport = \"x\"\nfaders = [\"cc-01-16\"]", "must be a controller such as"),
    ("[midi.a]\nport = \"x\"\nfaders = [\"cc-1-+16\"]", "must be a controller such as"),
    ("[midi.a]\nport = \"x\"\nspeed = 1", "unknown key"),
  ])
  func `that are wrong are named`(text: String, expected: String) {
    let (tables, problems) = load(text)
    #expect(tables == nil)
    #expect(problems.contains { $0.contains(expected) }, "\(problems)")
  }
}
