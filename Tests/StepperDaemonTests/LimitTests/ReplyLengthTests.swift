import StepperCore
import StepperInterfaces
import TestSupport
import Testing
import Varlink
@testable import StepperDaemon

/// No reply has more than 1 MiB, whatever the configuration, the devices and the call.
@MainActor @Suite(.timeLimit(.minutes(10)))
struct ReplyLengthTests {
  private typealias Interface = ControlInterface
  private static let most = 1 << 20

  /// A control with everything as long as a configuration may have it.
  private func description(_ number: Int, choices: Int, title: Int = 256) -> Interface.Description {
    let name = "\(1_000 + number)" + String(repeating: "n", count: 60)
    return Interface.Description(
      control: name, kind: .choice, profile: name, title: String(repeating: "\"", count: title),
      titles: ["de": String(repeating: "t", count: 128)], unit: String(repeating: "\\", count: 32),
      minimum: -999_999_999.123456789, maximum: 999_999_999.123456789, step: 1e-9, page: 1e-9, digits: 9,
      format: .init(), choices: (0..<choices).map { "\($0)" + String(repeating: "c", count: 60) }, wrap: true,
      writable: true,
      default: 0, subtitle: String(repeating: "s", count: 256),
      subtitles: ["de": String(repeating: "t", count: 128)], group: String(repeating: "g", count: 256),
      groupTitle: String(repeating: "g", count: 256), groupTitles: ["de": String(repeating: "t", count: 128)])
  }

  private func state(_ description: Interface.Description) -> Interface.State {
    Interface.State(
      control: description.control, value: -999_999_999.123456789, text: description.choices?.last,
      limit: .maximum,
      origin: .configuration, live: false, turned: 1 << 53, presses: 1 << 53, pressed: false, editing: false,
      canIncrement: false, canDecrement: false, sequence: 1 << 53, monotonicMicroseconds: 1 << 53)
  }

  @Test(arguments: [(256, 0), (256, 1), (256, 32), (48, 256), (12, 1024)])
  func `the longest list of controls keeps to it, and leaves out only what it must`(
    _ count: Int, _ choices: Int
  ) throws {
    let descriptions = (0..<count).map { description($0, choices: choices) }
    var room = ReplyRoom()
    let controls = descriptions.map {
      Interface.Control(description: $0.fitted(into: &room), state: state($0))
    }
    let reply = Interface.List.Reply(instance: "", sequence: 1 << 53, controls: controls)
    #expect(VarlinkReply(parameters: try VarlinkParameters(encoding: reply)).encoded().count <= Self.most)
    #expect(controls.map(\.description.control) == descriptions.map(\.control))
    let whole = controls.prefix { $0.description.choices != nil }
    #expect(whole.map(\.description) == Array(descriptions.prefix(whole.count)))
    #expect(choices > 1 ? (1..<count).contains(whole.count) : whole.count == count)
    for control in controls.dropFirst(whole.count) {
      #expect(control.description.choices == nil && control.description.titles == nil)
      #expect(control.description.title != nil)
    }
  }

  @Test func `a list of few controls is whole`() {
    var room = ReplyRoom()
    for number in 0..<20 {
      let whole = description(number, choices: 256)
      #expect(whole.fitted(into: &room) == whole)
    }
  }

  @Test func `the longest list of devices keeps to it, and counts the inputs that it leaves out`() throws {
    let capabilities = (0..<800).map { number in
      DeviceInterface.Capability(
        name: "KEY_NUMBER_\(number)", role: .button, controls: ["volume"], eventType: "EV_KEY",
        eventCode: "KEY_NUMBER_\(number)", minimum: -2_147_483_648, maximum: 2_147_483_647)
    }
    let devices = (0..<16).map { number in
      DeviceInterface.Device(
        device: "event\(number)", name: String(repeating: "n", count: 255), virtual: false, state: .unused,
        capabilities: capabilities, outputs: [], lights: [], events: 1 << 53, overruns: 1 << 53,
        connects: 1 << 53)
    }.fitted
    let reply = DeviceInterface.List.Reply(devices: devices)
    #expect(VarlinkReply(parameters: try VarlinkParameters(encoding: reply)).encoded().count <= Self.most)
    #expect(devices[0].capabilities == capabilities && devices[0].omittedCapabilities == nil)
    for device in devices {
      #expect(device.capabilities.count + Int(device.omittedCapabilities ?? 0) == capabilities.count)
    }
    #expect(devices[15].omittedCapabilities == 800)
  }

  @Test func `a list of as many attached devices as there may be keeps to it, and leaves out lights`() throws
  {
    let long = String(repeating: "\"", count: 255)
    let lights = (0..<64).map { "\($0)" + String(repeating: "\"", count: 62) }
    let capabilities = (0..<64).map { number in
      DeviceInterface.Capability(
        name: "ABS_\(number)", role: .axis, controls: [], eventType: "EV_ABS", eventCode: "ABS_\(number)",
        minimum: -2_147_483_648, maximum: 2_147_483_647)
    }
    let devices = (0..<256).map { number in
      DeviceInterface.Device(
        device: "provided\(number)", name: long, vendor: "ffff", product: "ffff", physicalPath: long,
        uniqueName: long, virtual: false, provider: String(repeating: "p", count: 64),
        providerProcess: 1 << 53, providerUser: 1 << 53, attachedMicroseconds: 1 << 53, state: .unused,
        capabilities: capabilities, outputs: ["provider"], lights: lights, events: 1 << 53,
        overruns: 1 << 53, connects: 1 << 53)
    }
    let fitted = devices.fitted
    let reply = DeviceInterface.List.Reply(devices: fitted)
    #expect(VarlinkReply(parameters: try VarlinkParameters(encoding: reply)).encoded().count <= Self.most)
    #expect(fitted.map(\.device) == devices.map(\.device) && fitted[255].lights.isEmpty)
    let few = Array(devices.prefix(8))
    #expect(few.fitted == few)
  }

  @Test func `what a slow reader of moments is kept has a limit, and what is dropped is counted`() throws {
    func moment(_ number: Int64, _ speech: Int) -> Interface.MomentEvent {
      Interface.MomentEvent(
        control: "volume", moment: .increment, effect: .light, value: 1, text: "1",
        speech: String(repeating: "\"", count: speech), device: "panel", monotonicMicroseconds: number)
    }
    for speech in [10, 1_000, 300_000] {
      var waiting = WaitingEvents()
      var dropped: Int64 = 0
      let count: Int64 = speech > 1_000 ? 3 : 600
      for number in 0..<count {
        let event = try #require(WaitingEvents.Event(moment(number, speech), at: .milliseconds(number)))
        dropped += waiting.append(event)
      }
      let left = waiting.takeAll()
      #expect(Int64(left.count) + dropped == count)
      #expect(left.map(\.time) == ((count - Int64(left.count))..<count).map(Instant.milliseconds))
      let counts: ClosedRange<Int> = speech > 1_000 ? 0...0 : speech > 10 ? 100...255 : 256...256
      #expect(counts.contains(left.count))
      var reply: [UInt8] = []
      try JSONText.append("\"moments\":", left, to: &reply)
      #expect(reply.count <= Self.most / 2)
      #expect(waiting.isEmpty)
    }
  }

  @Test(arguments: [
    ("a = 1\n", 2_000, ""), ("\"" + String(repeating: "k", count: 4_000) + "\" = 1\n", 2, ""),
    ("[control.c]\nminimum = \"" + String(repeating: "x", count: 4_000) + "\"\n", 1, ""),
    ("a = 1\n", 500, String(repeating: "\u{1}", count: 1_024)),
    ("[control.\"" + String(repeating: "\\u0001", count: 1_500) + "\"]\n", 1, "f"),
  ])
  func `a check answers with the first problems and the number of the others`(
    _ line: String, _ count: Int, _ file: String
  ) throws {
    let daemon = try RunningDaemon()
    let client = try daemon.client()
    let text = String(repeating: line, count: count)
    let call = try VarlinkCall(
      ManagerInterface.Check.self, .init(text: text, file: file.isEmpty ? nil : file))
    #expect(call.encoded().count <= 65_536)
    client.send(call.encoded())
    let message = try #require(try client.message(within: 60))
    #expect(message.utf8.count <= Self.most)
    let problems = try VarlinkReply(decoding: message.utf8).decode(ManagerInterface.Check.Reply.self).problems
    #expect(!problems.isEmpty)
    for problem in problems {
      #expect(problem.message.utf8.count <= 2048 && problem.keyPath.utf8.count <= 1024)
    }
  }

  @Test func `problems that do not fit are counted, with the severity of the worst`() {
    func problems(_ count: Int, _ severity: ManagerInterface.Severity) -> [ManagerInterface.Problem] {
      (0..<count).map { number in
        ManagerInterface.Problem(
          file: "f", keyPath: "a\(number)", line: Int64(number), severity: severity,
          message: String(repeating: "m", count: 500))
      }
    }
    #expect(problems(100, .error).fitted == problems(100, .error))
    let many = problems(1_000, .warning).fitted
    #expect(many.dropLast() == problems(1_000, .warning).prefix(many.count - 1))
    #expect(many.last?.message == "… and \(1_000 - many.count + 1) more")
    #expect(many.last?.severity == .warning && many.last?.keyPath == "")
    #expect((problems(1_000, .warning) + problems(1, .error)).fitted.last?.severity == .error)
    #expect((1...100).map { "\($0)" }.fitted == (1...64).map { "\($0)" } + ["… and 36 more"])
    #expect((1...64).map { "\($0)" }.fitted.count == 64)
  }
}
