import Testing
@testable import StepperConfiguration

@Suite struct `The serial lines of a configuration` {
  private func load(_ text: String) -> (ports: [SerialConfiguration]?, problems: [String]) {
    let (ports, problems) = SerialConfiguration.load(Array(text.utf8), file: "s.toml")
    return (ports, problems.map(\.description))
  }

  @Test func `are read in their order`() {
    let (ports, problems) = load(
      """
      [serial.desk]
      port = "/dev/serial/by-id/usb-a"
      [serial.b]
      port = "/dev/ttyS1"
      baud = 9600
      reset = true
      """)
    #expect(problems == [])
    #expect(
      ports == [
        SerialConfiguration(name: "desk", port: "/dev/serial/by-id/usb-a"),
        SerialConfiguration(name: "b", port: "/dev/ttyS1", baud: .b9600, isReset: true),
      ])
    #expect(load("").ports == [])
  }

  @Test(arguments: [
    ("[serial.a]\n", "needs port"), ("[serial.a]\nport = \"ttyS0\"", "absolute path"),
    ("[serial.a]\nport = \"/dev/a\"\nbaud = 1200", "must be one of 9600"),
    ("[serial.a]\nport = \"/dev/a\"\nspeed = 1", "unknown key"),
    ("[serial.a]\nport = \"/dev/a\"\n[serial.b]\nport = \"/dev/a\"", "another table has the port"),
  ])
  func `that are wrong are named`(text: String, expected: String) {
    let (ports, problems) = load(text)
    #expect(ports == nil)
    #expect(problems.contains { $0.contains(expected) }, "\(problems)")
  }
}
