import Glibc
import StepperConfiguration
import StepperCore
import StepperInterfaces
import StepperProgram
import TestSupport
import Testing
@testable import stepperd_midi

@Suite("A port of MIDI") struct MidiDeviceTests {
  // MARK: Finding

  @Test func `is a device when something was moved on it, and another one with each that is found`() {
    var bench = Bench()
    #expect(bench.take() == [])
    bench.control(16, 1, 1)
    #expect(bench.take() == ["attach REL_DIAL"])
    bench.control(16, 1, 2, 127)
    #expect(bench.take() == ["REL_DIAL 1", "REL_DIAL 2", "REL_DIAL -1"])
    bench.control(7, 40, 41, 42, 43)
    #expect(bench.take() == ["detach", "attach REL_DIAL ABS_X:127"])
    bench.control(7, 44)
    bench.send(.note(channel: 1, number: 60, velocity: 100))
    #expect(bench.take() == ["ABS_X 44", "detach", "attach BTN_0 REL_DIAL ABS_X:127"])
    bench.send(.note(channel: 1, number: 60, velocity: 0), .note(channel: 1, number: 60, velocity: 1))
    bench.send(.note(channel: 1, number: 60, velocity: 0))
    // The end of the press that it was found by does nothing.
    #expect(bench.take() == ["BTN_0 0", "BTN_0 1", "BTN_0 0"])
  }

  @Test func `what is held stays so, and what was done counts, while something else is found`() {
    var bench = Bench(found: [
      "note-1-60": "button BTN_0", "cc-1-7": "fader ABS_X", "cc-1-16": "knob-sign REL_DIAL",
    ])
    bench.send(.note(channel: 1, number: 60, velocity: 100))
    #expect(bench.take() == ["attach BTN_0 REL_DIAL ABS_X:127", "BTN_0 1"])
    // All of it at once, before the daemon is called.
    bench.send(
      .controller(channel: 1, number: 7, value: 50), .controller(channel: 1, number: 16, value: 1),
      .note(channel: 1, number: 61, velocity: 100), .controller(channel: 1, number: 16, value: 1))
    #expect(
      bench.take() == [
        "detach", "attach BTN_0 BTN_1 REL_DIAL ABS_X:127", "lost [\"BTN_0\"]", "ABS_X 50", "REL_DIAL 2",
      ])
    bench.send(.note(channel: 1, number: 60, velocity: 0))
    #expect(bench.take() == ["BTN_0 0"])
    // Where a fader was that has reported it is not said again: its control may be elsewhere since.
    bench.send(.note(channel: 1, number: 62, velocity: 100))
    #expect(bench.take() == ["detach", "attach BTN_0 BTN_1 BTN_2 REL_DIAL ABS_X:127"])
  }

  @Test func `is there while much is found on it, and misses nothing`() {
    var bench = Bench(found: [
      "cc-1-16": "knob-sign REL_DIAL", "cc-1-7": "fader ABS_X", "note-1-1": "button BTN_0",
    ])
    for number in 60..<66 { bench.send(.note(channel: 1, number: number, velocity: 100)) }
    _ = bench.take()
    // No other device is to be had at once.
    bench.control(16, 1)
    bench.control(7, 60)
    bench.send(.note(channel: 1, number: 1, velocity: 100), .note(channel: 1, number: 65, velocity: 100))
    #expect(bench.take() == ["REL_DIAL 1", "ABS_X 60", "BTN_0 1"])
    bench.pass(.seconds(1))
    let buttons = (0...6).map { "BTN_\($0)" }
    #expect(
      bench.take() == [
        "detach", "attach \(buttons.joined(separator: " ")) REL_DIAL ABS_X:127",
        "lost [\"BTN_0\"]", "BTN_6 1",
      ])
    bench.send(.note(channel: 1, number: 1, velocity: 0), .note(channel: 1, number: 65, velocity: 0))
    #expect(bench.take() == ["BTN_0 0", "BTN_6 0"])
  }

  @Test func `what a port does not have any more is forgotten, and its code is free`() {
    let now = Instant.milliseconds(1_000)
    var found = FoundInputs(["nano\tcc-1-16": "fader ABS_X", "other\tcc-1-1": "fader ABS_X"])
    found.note(["cc-1-22": "fader ABS_X"], of: "nano", at: now)
    #expect(found.texts == ["nano\tcc-1-22": "fader ABS_X", "other\tcc-1-1": "fader ABS_X"])
    #expect(found.words(of: "nano") == ["cc-1-22": "fader ABS_X"])
    // A full file takes changes of what is in it, and no more of others.
    for number in 0..<5_000 { found.note(["cc-1-1": "fader ABS_X"], of: "port \(number)", at: now) }
    found.note(["cc-1-22": "button BTN_0"], of: "nano", at: now)
    #expect(found.texts.count == 4_096 && found.words(of: "nano") == ["cc-1-22": "button BTN_0"])
  }

  @Test func `what is found is written once, and again where it could not be`() throws {
    let now = Instant.milliseconds(1_000)
    var found = FoundInputs()
    var written: [[String: String]] = []
    found.note(["cc-1-1": "fader ABS_X"], of: "nano", at: now)
    #expect(found.due == now + .seconds(1))
    #expect(throws: ExitFailure.self) {
      try found.save(at: now) { _ in throw ExitFailure(.system, "the disk is full") }
    }
    #expect(found.due == now + .seconds(60))
    for _ in 0..<2 { found.save(at: now) { written.append($0) } }
    #expect(found.due == nil && written == [["nano\tcc-1-1": "fader ABS_X"]])
  }

  @Test func `what is the unit's is not taken for a matter of the user`() {
    #expect(Sequencer.failure(-EPERM).reason.contains("restart the service"))
    #expect(Sequencer.failure(-ENOENT).reason.contains("restart the service"))
    #expect(Sequencer.failure(-EACCES).reason.contains("group audio"))
  }

  @Test func `equal ports of programs are told apart by their number`() {
    #expect(MidiPort.path(besides: []) == nil)
    #expect(MidiPort.path(besides: [nil]) == "2")
    #expect(MidiPort.path(besides: ["2"]) == nil)
    #expect(MidiPort.path(besides: ["3", nil, "2"]) == "4")
  }

  @Test func `has what was found on another one of its name, with the same codes`() {
    var first = Bench()
    var second = Bench()
    first.control(16, 1, 1)
    second.device.add(first.device.inputs.words, at: second.now)
    second.serve()
    #expect(second.take() == ["attach REL_DIAL"])
    second.control(17, 1, 1)
    #expect(second.device.inputs.words["cc-1-17"]?.hasSuffix("REL_MISC") == true)
    second.device.add(first.device.inputs.words, at: second.now)
    second.serve()
    #expect(second.take() == ["detach", "attach REL_DIAL REL_MISC"], "what is known is no news")
  }

  @Test func `knows the next time what was found`() {
    var bench = Bench()
    bench.control(16, 65, 65)
    bench.control(20, 127, 0)
    bench.send(.bend(channel: 3, value: 8_192))
    let words = bench.device.inputs.words
    #expect(
      words == ["cc-1-16": "knob-offset REL_DIAL", "cc-1-20": "button BTN_0", "bend-3": "fine-fader ABS_X"])
    #expect(bench.device.hasFound)
    var next = Bench(found: words)
    #expect(next.take() == ["attach BTN_0 REL_DIAL ABS_X:16383"])
    next.control(16, 63)
    next.send(.bend(channel: 3, value: 100))
    #expect(next.take() == ["REL_DIAL -1", "ABS_X 100"])
    #expect(!next.device.hasFound)
  }

  @Test(arguments: [
    ["cc-1-16": "knob REL_DIAL"], ["cc-1-16": "knob-sign ABS_X"], ["cc-17-1": "fader ABS_X"],
    ["cc-1-120": "fader ABS_X"], ["cc-01-1": "fader ABS_X"], ["x": "y"], ["note-1-1": "button KEY_POWER"],
    ["bend-1-2": "fader ABS_X"],
  ])
  func `leaves words out that nobody has written`(words: [String: String]) {
    #expect(MidiInputs(words: words).entries.isEmpty)
  }

  @Test func `an encoding that was taken for another one is mended`() {
    var bench = Bench()
    bench.control(16, 65, 65)
    #expect(bench.device.inputs.words == ["cc-1-16": "knob-offset REL_DIAL"])
    bench.control(16, 65, 1, 65)
    #expect(bench.device.inputs.words == ["cc-1-16": "knob-sign REL_DIAL"])
    #expect(bench.take() == ["attach REL_DIAL", "REL_DIAL 1", "REL_DIAL 1", "REL_DIAL -1"])
  }

  @Test func `the table says what cannot be found`() {
    var bench = Bench(encoding: .sign, knobs: [.controller(channel: 1, number: 16)])
    bench.control(16, 65, 65)
    #expect(bench.take() == ["attach REL_DIAL", "REL_DIAL -1"])
    bench.control(17, 65, 65, 65)
    #expect(bench.take() == ["detach", "attach REL_DIAL REL_MISC", "REL_MISC -1"])
  }

  @Test func `the table is right about what was found before`() {
    var bench = Bench(
      knobs: [.controller(channel: 1, number: 16)], faders: [.controller(channel: 1, number: 7)],
      found: ["cc-1-16": "fader ABS_X", "cc-1-7": "knob-sign REL_DIAL", "cc-1-20": "knob-sign REL_MISC"])
    #expect(bench.device.inputs.words == ["cc-1-20": "knob-sign REL_MISC"])
    bench.control(16, 1)
    bench.control(7, 3)
    bench.control(16, 1)
    bench.control(7, 3)
    #expect(
      bench.device.inputs.words == [
        "cc-1-16": "knob-complement REL_DIAL", "cc-1-7": "fader ABS_X", "cc-1-20": "knob-sign REL_MISC",
      ])
    #expect(bench.take().suffix(2) == ["REL_DIAL 1", "ABS_X 3"])
    var other = Bench(encoding: .offset, found: ["cc-1-20": "knob-sign REL_MISC"])
    other.control(20, 63)
    #expect(other.take().last == "REL_MISC -1")
  }

  @Test func `two controllers that come together are one fader of 14 bits`() {
    var bench = Bench()
    for value in 1_000..<1_010 {
      bench.control(1, value >> 7)
      bench.control(33, value & 127)
    }
    #expect(bench.device.inputs.words == ["cc-1-1": "fine-fader ABS_X"])
    #expect(bench.take().suffix(2) == ["ABS_X 1008", "ABS_X 1009"])
    // Only the half that changes.
    bench.control(33, 120)
    bench.control(1, 8)
    bench.control(33, 0)
    #expect(bench.take() == ["ABS_X 1016", "ABS_X 1024"])
    // A controller without the other half counts without it.
    bench.control(1, 9)
    bench.control(1, 10)
    #expect(bench.take() == ["ABS_X 1280"])
    bench.pass(.milliseconds(20))
    bench.control(1, 11)
    bench.pass(.milliseconds(19))
    #expect(bench.take() == [])
    bench.pass(.milliseconds(1))
    #expect(bench.take() == ["ABS_X 1408"], "also the last one")
  }

  /// The nanoKONTROL2 has faders at 0 to 7 and buttons at 32 to 39.
  @Test func `a button that is pressed after a fader with its number less 32 is no half of it`() {
    var bench = Bench()
    for step in 0..<6 {
      for value in 40 + step * 5..<45 + step * 5 {
        bench.control(0, value)
        bench.pass(.milliseconds(10))
      }
      bench.control(32, 127)
      bench.pass(.milliseconds(80))
      bench.control(32, 0)
      bench.pass(.milliseconds(80))
    }
    #expect(bench.device.inputs.words == ["cc-1-0": "fader ABS_X", "cc-1-32": "button BTN_0"])
  }

  @Test func `numbers of parameters and modes are no controllers`() {
    var bench = Bench()
    for _ in 0..<8 {
      bench.control(99, 1)
      bench.control(98, 2)
      bench.control(6, 3, 4)
      bench.control(38, 5)
      bench.control(123, 0, 127)
    }
    #expect(bench.device.inputs.entries.isEmpty)
  }

  @Test func `what has no place is left out`() {
    var bench = Bench()
    for number in 0..<20 { bench.control(number, 1, 1) }
    #expect(bench.device.inputs.entries.count == DeviceDefaults.knobCodes.count)
    #expect(bench.device.excess.count == 20 - DeviceDefaults.knobCodes.count)
    bench.pass(.seconds(20))
    _ = bench.take()
    bench.control(0, 1)
    #expect(bench.take() == ["REL_DIAL 1"])
  }

  @Test func `of more controllers than anybody moves those that sent last are looked at`() {
    var bench = Bench()
    for channel in 2...10 {
      for number in 40..<64 { bench.send(.controller(channel: channel, number: number, value: 50)) }
    }
    bench.control(7, 40, 41, 42, 43)
    #expect(bench.take() == ["attach ABS_X:127"])
  }

  @Test func `all codes are those of the kernel, and none is one twice`() {
    let all = DeviceDefaults.knobCodes + DeviceDefaults.faderCodes + DeviceDefaults.buttonCodes
    #expect(Set(all).count == all.count)
    #expect(MackieControl.inputs.entries.count == 102 + 9 + 9 + 9)
    #expect(
      MackieControl.outputs.count <= 256
        && Set(MackieControl.outputs.map(\.name)).count == MackieControl.outputs.count)
  }

  // MARK: Losses

  @Test func `its buttons are up when messages were lost, or it was unplugged`() {
    var bench = Bench(found: ["note-1-60": "button BTN_0"])
    bench.send(.note(channel: 1, number: 60, velocity: 100))
    bench.device.noteLoss()
    bench.serve()
    #expect(bench.take() == ["attach BTN_0", "BTN_0 1", "lost []"])
    bench.device.unplug()
    bench.serve()
    #expect(bench.take() == ["detach"])
    bench.send(.note(channel: 1, number: 60, velocity: 100))
    bench.device.plugIn(at: bench.now)
    bench.serve()
    #expect(bench.take() == ["attach BTN_0"])
  }

  @Test(arguments: Seed.fresh(10))
  func `any messages leave a device that the daemon takes`(_ seed: Seed) {
    var random = SeededGenerator(seed)
    var bench = Bench(protocol: Bool.random(using: &random) ? .plain : .mackie, motors: true)
    for _ in 0..<3_000 {
      let (channel, number) = (
        Int.random(in: 1...16, using: &random), Int.random(in: 0...127, using: &random)
      )
      let value = Int.random(in: 0...127, using: &random)
      switch Int.random(in: 0...9, using: &random) {
      case 0: bench.send(.bend(channel: channel, value: value << 7))
      case 1: bench.device.noteLoss()
      case 2...4: bench.send(.note(channel: channel, number: number, velocity: value))
      default: bench.send(.controller(channel: channel, number: number, value: value))
      }
      if value == 0 { bench.pass(.milliseconds(300)) }
    }
    let declaration = bench.device.inputs.attach(name: "x", path: nil, outputs: [])
    #expect((declaration.relative ?? []).count <= 16 && (declaration.absolute ?? []).count <= 64)
    #expect((declaration.keys ?? []).count <= 256)
    #expect(MidiInputs(words: bench.device.inputs.words).words == bench.device.inputs.words)
  }

  // MARK: Outputs

  @Test func `lights and motors are messages of their input`() {
    var bench = Bench(
      motors: true,
      found: [
        "note-2-60": "button BTN_0", "cc-1-20": "button BTN_1", "cc-1-7": "fader ABS_X",
        "cc-1-1": "fine-fader ABS_Y",
        "bend-1": "fine-fader ABS_Z",
      ])
    #expect(bench.light("note-2-60", 1) == [.note(channel: 2, number: 60, velocity: 127)])
    #expect(bench.light("note-2-60", 0) == [.note(channel: 2, number: 60, velocity: 0)])
    #expect(bench.light("cc-1-20", 0.5) == [.controller(channel: 1, number: 20, value: 64)])
    #expect(bench.position("cc-1-7", 0.5) == [.controller(channel: 1, number: 7, value: 64)])
    #expect(
      bench.position("cc-1-1", 0.5) == [
        .controller(channel: 1, number: 1, value: 64), .controller(channel: 1, number: 33, value: 0),
      ])
    #expect(bench.position("bend-1", 1) == [.bend(channel: 1, value: 16_383)])
    #expect(bench.light("note-9-9", 1) == [.note(channel: 9, number: 9, velocity: 127)])
    // Of another device.
    bench.device.take(.init(handle: "other", light: .init(output: "cc-1-20", brightness: 1)), at: bench.now)
    #expect(!bench.device.hasMessages)
  }

  @Test func `every button has a light, and every fader of a port with motors one`() {
    var found: [String: String] = [:]
    for (number, code) in DeviceDefaults.buttonCodes.enumerated() {
      found["note-1-\(number)"] = "button \(code)"
    }
    for (number, code) in DeviceDefaults.faderCodes.enumerated() { found["cc-2-\(number)"] = "fader \(code)" }
    let outputs = Bench(motors: true, found: found).device.outputs
    #expect(outputs.count == found.count && Set(outputs.map(\.name)) == Set(found.keys))
  }

  @Test func `a port without motors has no positions`() {
    #expect(!Bench(found: ["cc-1-7": "fader ABS_X"]).device.declaresMotors)
    #expect(Bench(motors: true, found: ["cc-1-7": "fader ABS_X"]).device.declaresMotors)
  }

  @Test func `what a motor says on its way is no hand`() {
    var bench = Bench(motors: true, found: ["cc-1-7": "fader ABS_X"])
    bench.control(7, 0)
    #expect(bench.take() == ["attach ABS_X:127", "ABS_X 0"])
    #expect(bench.position("cc-1-7", 1) == [.controller(channel: 1, number: 7, value: 127)])
    bench.control(7, 30, 60, 100, 127, 126, 127)
    #expect(bench.take() == [])
    // A hand takes it away on its way.
    _ = bench.position("cc-1-7", 0)
    bench.control(7, 100, 60, 70)
    #expect(bench.take() == ["ABS_X 70"])
    // And long after it has come.
    _ = bench.position("cc-1-7", 0)
    bench.pass(.seconds(2))
    bench.control(7, 1)
    #expect(bench.take() == ["ABS_X 1"])
  }

  @Test func `a hand that leaves the fader elsewhere while the motor has its time is one at the end`() {
    var bench = Bench(motors: true, found: ["cc-1-7": "fader ABS_X"])
    bench.control(7, 0)
    _ = bench.take()
    _ = bench.position("cc-1-7", 1)
    // A hand holds it on its way.
    bench.control(7, 30, 60)
    bench.pass(.milliseconds(999))
    #expect(bench.take() == [])
    bench.pass(.milliseconds(1))
    #expect(bench.take() == ["ABS_X 60"])
    bench.pass(.seconds(10))
    #expect(bench.take() == [], "once")
    // One step beside it is the motor's.
    _ = bench.position("cc-1-7", 0)
    bench.control(7, 30, 1)
    bench.pass(.seconds(10))
    #expect(bench.take() == [])
  }

  @Test func `a touch whose messages may be lost is none`() {
    var bench = Bench(protocol: .mackie)
    bench.send(.note(channel: 1, number: 104, velocity: 127), .bend(channel: 1, value: 100))
    bench.device.noteLoss()
    bench.serve()
    _ = bench.take()
    bench.send(.bend(channel: 1, value: 9_000))
    #expect(bench.take() == ["ABS_X 9000"])
  }

  // MARK: Mackie Control

  @Test func `a Mackie Control has its inputs from the beginning`() {
    var bench = Bench(protocol: .mackie)
    let attach = bench.take()
    #expect(attach.count == 1)
    bench.control(16, 1, 65, 3)
    #expect(bench.take() == ["REL_DIAL 1", "REL_DIAL -1", "REL_DIAL 3"])
    bench.send(.note(channel: 1, number: 0, velocity: 127), .note(channel: 1, number: 0, velocity: 0))
    #expect(bench.take() == ["BTN_0 1", "BTN_0 0"])
    bench.send(.note(channel: 5, number: 0, velocity: 127), .controller(channel: 1, number: 90, value: 1))
    #expect(bench.take() == [])
  }

  @Test func `its fader is moved by a hand only while that touches it, and stays where the hand leaves it`()
    throws
  {
    var bench = Bench(protocol: .mackie)
    let touch = try #require(bench.device.inputs.entries[.bend(channel: 1)]?.touch)
    _ = bench.take()
    bench.send(.note(channel: 1, number: 104, velocity: 127), .bend(channel: 1, value: 5_000))
    _ = bench.device.takeMessages()
    bench.send(.note(channel: 1, number: 104, velocity: 0))
    #expect(bench.take() == ["\(touch) 1", "ABS_X 5000", "\(touch) 0"])
    #expect(bench.device.takeMessages() == [.bend(channel: 1, value: 5_000)])
    bench.send(.bend(channel: 1, value: 9_000))
    #expect(bench.take() == [])
  }

  @Test func `its rings, lights and displays show controls`() {
    var bench = Bench(protocol: .mackie)
    #expect(bench.light("ring-1", 0) == [.controller(channel: 1, number: 48, value: 0x20)])
    #expect(bench.light("ring-8", 1) == [.controller(channel: 1, number: 55, value: 0x2b)])
    #expect(bench.light("note-1-94", 1) == [.note(channel: 1, number: 94, velocity: 127)])
    let messages = bench.order { handle in
      .init(
        handle: handle,
        text: .init(
          output: "display-2", control: "v", title: "Lautstärke", value: "-3.5", unit: "dB", limit: .none))
    }
    func line(_ place: UInt8, _ text: String) -> MidiMessage {
      .exclusive([0xf0, 0, 0, 0x66, 0x14, 0x12, place] + Array(text.utf8) + [0xf7])
    }
    #expect(messages == [line(7, "Lautst "), line(63, "-3.5 d ")])
  }
}
