import StepperCommands
import StepperCore
import StepperText
import TestSupport
import Testing

@Suite struct RecordingReaderTests {
  @Test(arguments: Seed.fresh(30))
  func `what is written is read back`(seed: Seed) throws {
    let recording = Self.random(seed)
    let text = RecordingWriter.lines(of: recording, codes: kernelCodes, comments: ["one", "", "a\nb"])
      .map { "\($0)\n" }.joined()
    #expect(try Recording.read(Array(text.utf8), file: "test", codes: kernelCodes) == recording)
    let foreign = Array(text.replacing("\n", with: "\r\n").utf8)
    #expect(try Recording.read(foreign, file: "test", codes: kernelCodes) == recording)
    // Every line can be seen, whatever the names are.
    #expect(text.unicodeScalars.allSatisfy { $0 == "\n" || $0.value >= 0x20 && $0 != "\u{202e}" })
  }

  @Test(arguments: Seed.fresh(20))
  func `a damaged recording is read or refused, and nothing else`(seed: Seed) throws {
    var generator = SeededGenerator(seed)
    let lines = RecordingWriter.lines(of: Self.random(seed), codes: kernelCodes)
    for _ in 0..<50 {
      var bytes = Array(lines.map { "\($0)\n" }.joined().utf8)
      for _ in 0..<Int.random(in: 1...5, using: &generator) where !bytes.isEmpty {
        let place = Int.random(in: bytes.indices, using: &generator)
        switch Int.random(in: 0..<3, using: &generator) {
        case 0: bytes[place] = UInt8.random(in: .min ... .max, using: &generator)
        case 1: bytes.remove(at: place)
        default: bytes.insert(bytes[Int.random(in: bytes.indices, using: &generator)], at: place)
        }
      }
      do throws(RecordingProblem) {
        var recording = try Recording.read(bytes, file: "test", codes: kernelCodes)
        recording.isCut = false
        let text = RecordingWriter.lines(of: recording, codes: kernelCodes).map { "\($0)\n" }.joined()
        let again = try Recording.read(Array(text.utf8), file: "test", codes: kernelCodes)
        #expect(again == recording)
      } catch {
        #expect(error.description.hasPrefix("test:") && !error.description.contains("\n"))
      }
    }
  }

  private static let head =
    "stepperd-recording 1\ndevice knob\n  codes REL_DIAL BTN_0\n  axis ABS_X 0..9 at 3\n"

  @Test(arguments: [
    ("", "test:1: error: it is empty; the first line must be \"stepperd-recording 1\""),
    ("abc", "there is no line \"stepperd-recording 1\" before the last line, which has no line end"),
    ("stepperd-recording 2\n", "test:1: error: the first line must be"),
    ("stepperd-log 9\n", "the first line must be \"stepperd-recording 1\" or \"stepperd-log 1\", found"),
    ("\n# x\nhello\n", "test:3: error: the first line must be"),
    (head + "0ms frame knob REL_DAIL=1\n", "test:5: error: there is no key or axis \"REL_DAIL\""),
    (head + "0ms frame knob REL_DIAL\n", "test:5: error: \"REL_DIAL\" is no event such as REL_DIAL=1"),
    (head + "0ms frame knob REL_DIAL=9999999999\n", "whole number from -2147483648 to 2147483647"),
    (head + "0ms frame nkob REL_DIAL=1\n", "no device \"nkob\" is described above"),
    (head + "0ms jump knob\n", "there is no event \"jump\""),
    (head + "5ms frame knob\n4.999ms frame knob\n", "test:6: error: 4.999ms is before 5ms"),
    (head + "-5ms frame knob\n", "\"-5ms\" is nothing that a device has"),
    (head + "5 frame knob\n", "\"5\" is no time"),
    (head + "9999999s frame knob\n", "a recording lasts at most"),
    (head + "1ms end now\n", "\"now\" is not expected here"),
    (head + "1ms end\n2ms frame knob\n", "test:6: error: nothing may follow the line \"end\""),
    (head + "1ms lost 0\n", "must be more than 0"),
    (head + "device knob\n", "there is a device \"knob\" already"),
    (head + "device k\u{e4}\n", "is no name of a device"),
    (head + "  color \"red\"\n", "\"color\" is nothing that a device has"),
    (head + "  name Knob\n", "a text in quotes is expected"),
    (head + "  name \"Knob\n", "a text has no quote at its end"),
    (head + "  name \"\\n\"\n", "after a backslash only u{NUMBER} is allowed"),
    (head + "  name \"a\" b\n", "\"b\" is behind the text"),
    (head + "  vendor 0x077d\n", "is not up to four hexadecimal digits"),
    (head + "  vendor -0\n", "is not up to four hexadecimal digits"),
    (head + "  axis ABS_X 0..9\n", "ABS_X is described twice"),
    (head + "  axis ABS_Y 9..0\n", "the smaller end comes first"),
    (head + "  axis REL_X 0..9\n", "REL_X is no absolute axis"),
    (head + "  name \"\(String(repeating: "x", count: 5_000))\"\n", "a text has 5000 bytes; at most 4096"),
    (head + "0ms frame knob" + String(repeating: " BTN_0=1", count: 3_000) + "\n", "a frame has 3000 events"),
    (String(repeating: "#", count: 3 << 20), "the line is longer than"),
  ])
  func `a fault is named with its line and with what is allowed`(text: String, expected: String) throws {
    let problem = try #require(throws: RecordingProblem.self) {
      try Recording.read(Array(text.utf8), file: "test", codes: kernelCodes)
    }
    #expect(problem.description.contains(expected), "\(problem)")
  }

  @Test func `what is no text is refused`() throws {
    let bytes = Array("stepperd-recording 1\n# ".utf8) + [0xff, 0x0a]
    let problem = try #require(throws: RecordingProblem.self) {
      try Recording.read(bytes, file: "test", codes: kernelCodes)
    }
    #expect(
      problem.description
        == "test:2: error: the line is not UTF-8 with at most 30 combining characters in a row")
  }

  // MARK: Random recordings

  private static func random(_ seed: Seed) -> Recording {
    var generator = SeededGenerator(seed)
    var inputs = RandomInputs(seed)
    let texts = [
      "", "Knob", "a \"b\" \\ c", "\u{202e}evil\u{1b}[2J\n\r\t", "e\u{301}\u{301}", "\u{301}x", "日本",
    ]
    func text() -> String { texts.randomElement(using: &generator) ?? "" }
    func device(_ name: String) -> RecordedDevice {
      var device = RecordedDevice(name: name)
      device.identity.name = text()
      device.identity.physicalPath = text()
      device.identity.node = "/dev/input/event\(Int.random(in: 0...9, using: &generator))"
      device.identity.links = [text(), text()].filter { !$0.isEmpty }
      device.identity.properties = ["ID_BUS": text(), "odd name": text(), "\u{301}": "1"]
      device.identity.vendor = UInt16.random(in: .min ... .max, using: &generator)
      device.identity.bus = 3
      device.identity.usages = Set(RandomInputs.usages.filter { _ in Bool.random(using: &generator) })
      for usage in device.identity.usages.sorted() where usage.isAbsolute {
        var axis = RecordedAxis(usage, -5...Int32.max, at: Int32.random(in: .min ... .max, using: &generator))
        axis.fuzz = Int32.random(in: 0...3, using: &generator)
        axis.flat = Int32.random(in: -3...3, using: &generator)
        device.axes.append(axis)
      }
      device.keysDown = inputs.keys()
      if Bool.random(using: &generator) {
        device.identity.provider = ["midi", "", "a b"].randomElement(using: &generator)
      }
      if device.identity.usages.contains(.dial), Bool.random(using: &generator) {
        device.countsPerDetent[EvdevUsage.dial.code] = Int.random(in: 2...9, using: &generator)
      }
      return device
    }
    var recording = Recording()
    recording.devices = ["knob", "knob:2", "event5"].map(device)
    var time: Int64 = 0
    for _ in 0..<Int.random(in: 1...40, using: &generator) {
      time += Int64.random(in: 0...5_000_000_000, using: &generator)
      let place = Int.random(in: recording.devices.indices, using: &generator)
      let event: Recording.Event =
        switch Int.random(in: 0..<8, using: &generator) {
        case 0: .resynchronized(place, inputs.events(), keysDown: inputs.keys())
        case 1: .lost(Int64.random(in: 1...9, using: &generator))
        case 2: .removed(place)
        case 3: .added(recording.devices.count)
        default: .frame(place, inputs.events())
        }
      if case .added(let place) = event {
        var added = device("new\(place)")
        added.isPresentAtStart = false
        recording.devices.append(added)
        // Described devices have a line above it, so that it is not one of the beginning.
        if recording.entries.isEmpty { recording.entries.append(.init(.milliseconds(0), .lost(1))) }
      }
      recording.entries.append(Recording.Entry(Instant(nanoseconds: time), event))
    }
    if Bool.random(using: &generator) {
      recording.entries.append(Recording.Entry(Instant(nanoseconds: time), .end))
    }
    return recording
  }
}
