import StepperCore
import StepperText
import Testing

@testable import StepperCommands

struct MatchTests {
  private let port1 = "/dev/input/by-path/pci-0000:00:14.0-usb-0:1:1.0-event"
  private let port2 = "/dev/input/by-path/pci-0000:00:14.0-usb-0:2:1.0-event"

  private func proposal(_ device: RecordedDevice, among others: [RecordedDevice] = []) -> DeviceMatch? {
    MatchProposal.match(for: device, with: [.dial], among: others + [device])
  }

  @Test func `a built-in device is where it is soldered`() throws {
    let rotary = device(
      "event0", links: ["/dev/input/by-path/platform-rotary@11-event"], builtIn: true, title: "rotary@11")
    var expected = DeviceMatch()
    expected.path = "/dev/input/by-path/platform-rotary@11-event"
    #expect(proposal(rotary) == expected)
  }

  @Test func `a serial number goes with the model`() {
    let knob = device("event5", vendor: 0x1209, product: 0x2303, uniq: "A1", links: [port1])
    var expected = DeviceMatch()
    (expected.vendor, expected.product, expected.uniqueName) = (0x1209, 0x2303, "A1")
    #expect(proposal(knob) == expected)
    #expect(
      proposal(knob, among: [device("event6", vendor: 0x1209, product: 0x2303, uniq: "A2")]) == expected)
  }

  @Test func `the only one of its model needs no more`() {
    var expected = DeviceMatch()
    (expected.vendor, expected.product) = (0x077d, 0x0410)
    #expect(
      proposal(device("event5", vendor: 0x077d, product: 0x0410, phys: "usb-1/input0", links: [port1]))
        == expected)
  }

  @Test func `of the nodes of a Surface Dial the one with the dial is meant`() throws {
    let dial = device("event5", vendor: 0x045e, product: 0x091b, title: "Surface Dial System Multi Axis")
    let keys = device(
      "event6", vendor: 0x045e, product: 0x091b, usages: [.key(142)], title: "Surface Dial System Control")
    let match = try #require(proposal(dial, among: [keys]))
    #expect(match.name == "Surface Dial System Multi Axis" && match.path == nil)
    #expect(match.matches(dial.identity) && !match.matches(keys.identity))
  }

  @Test func `two equal devices are told by their sockets`() throws {
    let left = device(
      "event5", vendor: 0x1209, product: 1, phys: "usb-1/input0", links: [port1], title: "Knob")
    let right = device(
      "event6", vendor: 0x1209, product: 1, phys: "usb-2/input0", links: [port2], title: "Knob")
    #expect(try #require(proposal(left, among: [right])).path == port1)
    #expect(try #require(proposal(right, among: [left])).path == port2)
  }

  @Test func `without links the physical path tells them`() throws {
    let left = device("event5", vendor: 0x1209, product: 1, phys: "usb-1/input0", title: "Knob")
    let right = device("event6", vendor: 0x1209, product: 1, phys: "usb-2/input0", title: "Knob")
    let match = try #require(proposal(left, among: [right]))
    #expect(match.physicalPath == "usb-1/input0" && match.vendor == 0x1209)
  }

  @Test func `a device of a program is matched by it, and never one of the kernel`() throws {
    func fader(_ name: String, phys: String = "", uniq: String = "") -> RecordedDevice {
      var fader = device(name, node: "", vendor: 1, uniq: uniq, phys: phys, title: "Fader")
      fader.identity.provider = "midi"
      return fader
    }
    var expected = DeviceMatch()
    (expected.provider, expected.name) = ("midi", "Fader")
    #expect(proposal(fader("midi-1", phys: "port 1"), among: [device("event5", title: "Fader")]) == expected)
    expected.physicalPath = "port 1"
    #expect(proposal(fader("midi-1", phys: "port 1"), among: [fader("midi-2", phys: "port 2")]) == expected)
    (expected.physicalPath, expected.uniqueName) = (nil, "7")
    #expect(proposal(fader("midi-1", uniq: "7"), among: [fader("midi-2", uniq: "8")]) == expected)
    #expect(!expected.matches(device("event5", uniq: "7", title: "Fader").identity))
  }

  @Test func `a device without numbers has its name`() {
    var expected = DeviceMatch()
    expected.name = "gpio-keys"
    #expect(proposal(device("event1", title: "gpio-keys")) == expected)
  }

  @Test func `what nothing distinguishes has no match`() {
    #expect(proposal(device("event5", title: "Knob"), among: [device("event6", title: "Knob")]) == nil)
    #expect(proposal(device("event5", title: "")) == nil)
  }

  @Test func `the node is never used`() throws {
    for device in [
      device("event5", links: ["/dev/input/by-id/usb-x-event"], title: "x"),
      device("event5", vendor: 1, product: 1),
    ] {
      let match = try #require(proposal(device))
      #expect(match.path == nil && match.properties.isEmpty)
    }
  }

  @Test func `a name that is a pattern matches its device alone`() throws {
    let star = device("event5", title: "*")
    let found = try #require(proposal(star))
    #expect(found.name == "?" && found.matches(star.identity))
    #expect(!found.matches(device("event6", title: "Keyboard").identity))
  }

  @Test func `a name with control characters is not used`() {
    #expect(proposal(device("event5", title: "a\u{1b}[31m")) == nil)
  }
}
