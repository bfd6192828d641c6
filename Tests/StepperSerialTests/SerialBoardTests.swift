import StepperClient
import StepperCore
import StepperInterfaces
import Testing
@testable import stepperd_serial

/// A board in virtual time, with a daemon that answers at once.
private struct Bench {
  var board = SerialBoard(path: "desk")
  var now = Instant.milliseconds(1_000)
  private var daemon = AnsweringDaemon()

  mutating func say(_ lines: String...) {
    board.receive(lines.flatMap { Array($0.utf8) + [0x0a] }, at: now)
    serve()
  }

  mutating func sayHello() {
    say(
      "hello desk A1", "knob dial", "button push", "fader level 0 1023", "light ring", "motor level",
      "effects buzz")
  }

  mutating func pass(_ duration: Duration) {
    let end = now + duration
    while let deadline = board.deadline, deadline <= end {
      now = max(now, deadline)
      serve()
    }
    now = end
    serve()
  }

  mutating func serve() {
    while let call = board.advance(to: now) {
      board.device.answered(daemon.answer(call), at: now)
    }
  }

  mutating func take() -> [String] { daemon.take() }

  static func attached() -> Bench {
    var bench = Bench()
    bench.board.opened(at: bench.now)
    bench.sayHello()
    bench.pass(.milliseconds(200))
    _ = bench.take()
    return bench
  }
}

@Suite("A board on a serial line") struct SerialBoardTests {
  @Test func `it is a device when it has said what it has`() {
    var bench = Bench()
    bench.board.opened(at: bench.now)
    bench.serve()
    var asked = bench.board
    #expect(asked.takeOutput() == Array("\nhello\n".utf8), "a line that was cut short ends")
    #expect(bench.board.takeLines() == ["hello"], "one that has been running is asked")
    bench.say("hello desk A1", "knob dial 4")
    bench.pass(.milliseconds(150))
    bench.say("button push")
    bench.pass(.milliseconds(150))
    #expect(bench.take() == [])
    bench.pass(.milliseconds(60))
    #expect(bench.take() == ["attach desk"])
    #expect(
      bench.board.device.attachment?.declaration.identity
        == .init(provider: "serial", name: "desk", path: "desk", serial: "A1"))
    #expect(
      bench.board.device.attachment?.declaration.relative == [.init(code: "REL_DIAL", countsPerDetent: 4)])
  }

  @Test func `its first event ends the declaration, and is not lost`() {
    var bench = Bench()
    bench.board.opened(at: bench.now)
    bench.say("hello desk", "knob dial", "dial 2")
    #expect(bench.take() == ["attach desk", "REL_DIAL 2"])
  }

  @Test func `it is asked again until it says hello`() {
    var bench = Bench()
    bench.board.opened(at: bench.now)
    bench.serve()
    _ = bench.board.takeLines()
    bench.say("dial 1")
    bench.pass(.milliseconds(1_999))
    #expect(bench.board.takeLines() == [])
    bench.pass(.milliseconds(1))
    #expect(bench.board.takeLines() == ["hello"])
    #expect(bench.take() == [])
  }

  @Test(arguments: [[], ["boot ok", "dial 1", "ready!"]])
  func `one that says hello and nothing behind it is asked again`(log: [String]) {
    var bench = Bench()
    bench.board.opened(at: bench.now)
    bench.serve()
    _ = bench.board.takeLines()
    bench.say("hello desk")
    for line in log { bench.say(line) }
    bench.pass(.milliseconds(200))
    #expect(bench.take() == [])
    #expect(bench.board.takeLines() == [])
    bench.pass(.seconds(2))
    #expect(bench.board.takeLines() == ["hello"])
    bench.say("hello desk", "boot ok", "knob dial", "boot 1", "dial 1")
    #expect(bench.take() == ["attach desk", "REL_DIAL 1"], "a line of a log does not end what it has")
  }

  @Test func `a wheel has the counts that it said, or those of the kernel`() {
    var bench = Bench()
    bench.board.opened(at: bench.now)
    bench.say("hello desk", "knob REL_WHEEL", "knob dial 4", "dial 1")
    #expect(
      bench.board.device.attachment?.declaration.relative == [
        .init(code: "REL_WHEEL"), .init(code: "REL_DIAL", countsPerDetent: 4),
      ])
  }

  @Test func `what it has not said that it has is told to nobody`() {
    var bench = Bench.attached()
    for name in ["none", "level", "ring\nmotor level 0", "buzz"] {
      bench.board.take(
        .init(handle: "h1", light: .init(output: name, brightness: 1)), at: bench.now)
    }
    bench.board.take(
      .init(
        handle: "h1",
        detents: .init(output: "dial", axis: "REL_DIAL", position: 0, wraps: false, strength: 1)),
      at: bench.now)
    for name in ["ring", "x"] {
      bench.board.take(
        .init(handle: "h1", effect: .init(output: name, effect: .heavy, strength: 1)), at: bench.now)
    }
    for name in ["dial", "push"] {
      bench.board.take(
        .init(handle: "h1", position: .init(output: name, axis: "ABS_X", position: 1)), at: bench.now)
    }
    #expect(!bench.board.hasOutput)
  }

  @Test func `turns, presses and positions are events`() {
    var bench = Bench.attached()
    bench.say("dial +3", "dial -1", "push down", "push up", "level 100", "level 200")
    #expect(bench.take() == ["REL_DIAL 2", "BTN_0 1", "BTN_0 0", "ABS_X 200"])
  }

  @Test(arguments: ["kn\u{83}b dial", "knob diam"])
  func `one whose declaration was damaged is asked once more`(line: String) {
    var bench = Bench()
    bench.board.opened(at: bench.now)
    bench.serve()
    _ = bench.board.takeLines()
    bench.say("hello desk A1", line, "button push", "push down", "push up")
    bench.say("dial 1")
    #expect(bench.take() == ["attach desk", "BTN_0 1", "BTN_0 0"])
    bench.pass(.seconds(2))
    #expect(bench.board.takeLines() == ["hello"])
    bench.say("hello desk A1", "knob dial", "button push", "dial 1")
    #expect(bench.take() == ["detach", "attach desk", "REL_DIAL 1"])
    // Lines of a log are no reason to ask for ever.
    var questions = 0
    for _ in 0..<20 {
      bench.say("temperature 21")
      bench.pass(.seconds(2))
      guard bench.board.takeLines() == ["hello"] else { continue }
      questions += 1
      bench.say("hello desk A1", "knob dial", "button push", "dial 1")
    }
    #expect(questions == 2)
  }

  @Test func `a line of its log releases nothing that is held`() {
    var bench = Bench.attached()
    _ = bench.board.takeLines()
    bench.say("push down", "turned left")
    bench.pass(.seconds(9))
    #expect(bench.board.takeLines() == [] && bench.take() == ["BTN_0 1"])
    bench.say("push up")
    bench.pass(.seconds(2))
    #expect(bench.board.takeLines() == ["hello"] && bench.take() == ["BTN_0 0"])
  }

  @Test func `one that declares nothing after its hello is asked until it does`() {
    var bench = Bench.attached()
    _ = bench.board.takeLines()
    bench.say("hello desk A1")
    for _ in 0..<3 {
      bench.pass(.seconds(2) + .milliseconds(200))
      #expect(bench.board.takeLines() == ["hello"])
    }
    bench.sayHello()
    bench.pass(.seconds(9))
    #expect(bench.board.takeLines() == [])
  }

  @Test func `where its faders are is a part of what it has, and no movement`() {
    var bench = Bench()
    bench.board.opened(at: bench.now)
    bench.sayHello()
    bench.say("level 700", "level 1024")
    #expect(bench.take() == [])
    bench.say("level 701")
    bench.pass(.milliseconds(200))
    #expect(bench.take() == ["attach desk"])
    #expect(bench.board.device.attachment?.declaration.absolute?.map(\.value) == [701])
    bench.say("level 702")
    #expect(bench.take() == ["ABS_X 702"])
    // It has begun again, and the fader was moved meanwhile.
    bench.sayHello()
    bench.say("level 10", "dial 1")
    bench.pass(.seconds(1))
    #expect(bench.take() == ["detach", "attach desk", "REL_DIAL 1"])
    #expect(bench.board.device.attachment?.declaration.absolute?.map(\.value) == [10])
  }

  @Test func `a board that begins again has its buttons up`() {
    var bench = Bench.attached()
    bench.say("push down")
    _ = bench.take()
    bench.say("hello desk A1")
    #expect(bench.take() == ["lost []"], "at once, whatever comes next")
    bench.sayHello()
    bench.pass(.milliseconds(200))
    #expect(bench.take() == ["lost []"], "its outputs are told anew")
    bench.say("hello desk A1", "knob dial")
    bench.pass(.milliseconds(200))
    #expect(bench.take() == ["detach", "attach desk"])
  }

  @Test func `what a board does right after it has become another device counts`() {
    var bench = Bench.attached()
    bench.say(
      "hello desk A1", "knob dial", "button push", "fader level 0 1000", "level 700", "push down", "dial 2")
    #expect(
      bench.take() == ["detach", "attach desk", "BTN_0 1", "REL_DIAL 2"])
    bench.say("push up")
    #expect(bench.take() == ["BTN_0 0"])
    // One that begins again meanwhile has its buttons up.
    bench.say("hello desk A1", "knob dial", "button push", "push down", "hello desk A1", "button push")
    bench.pass(.milliseconds(200))
    #expect(bench.take().contains { $0.hasPrefix("BTN_0") } == false)
  }

  @Test func `the reason is made of the first line that is not understood`() {
    var log = BoardLog()
    var made = 0
    for _ in 0..<100 {
      log.note(
        [],
        {
          made += 1; return "reason"
        }())
    }
    #expect(made == 1 && log.misfits == 100)
    #expect(log.takeMisfit()?.reason == "reason")
  }

  @Test func `it is detached when it is unplugged, and plugged in again is another one`() {
    var bench = Bench.attached()
    bench.say("push down")
    _ = bench.take()
    bench.board.closed()
    bench.serve()
    #expect(bench.take() == ["detach"])
    #expect(bench.board.device.attachment.map(\.isEnded) ?? true)
    bench.board.opened(at: bench.now)
    bench.say("hello desk A1", "knob dial", "dial 1")
    #expect(bench.take() == ["attach desk", "REL_DIAL 1"])
  }

  @Test func `a board that begins anew without end is another device once a second`() {
    var bench = Bench.attached()
    for index in 0..<1_000 {
      bench.say("hello board\(index)", "knob dial", "dial 1")
      bench.pass(.milliseconds(5))
    }
    let attaches = bench.take().count { $0.hasPrefix("attach") }
    #expect((8...10).contains(attaches), "\(attaches) in 5 s")
    bench.pass(.seconds(2))
    bench.say("dial 3")
    #expect(bench.take().last == "REL_DIAL 3")
    #expect(bench.board.device.attachment?.declaration.identity.name == "board999")
  }

  @Test func `orders are lines, of each output the latest`() {
    var bench = Bench.attached()
    for brightness in [0.1, 0.25, 1] {
      bench.board.take(
        .init(handle: "h1", light: .init(output: "ring", brightness: brightness)), at: bench.now)
    }
    bench.board.take(
      .init(handle: "h1", position: .init(output: "level", axis: "ABS_X", position: 0.5)), at: bench.now)
    for strength in [0.5, 2] {
      bench.board.take(
        .init(handle: "h1", effect: .init(output: "buzz", effect: .heavy, strength: strength)), at: bench.now)
    }
    #expect(
      bench.board.takeLines() == [
        "light ring 1", "motor level 512", "effect buzz heavy 0.500", "effect buzz heavy 1",
      ])
    #expect(!bench.board.hasOutput)
  }

  @Test func `detents and displays are lines of the input that they belong to`() {
    var bench = Bench()
    bench.board.opened(at: bench.now)
    bench.say(
      "hello desk", "knob dial 4", "button push", "detents dial", "display dial", "display push", "dial 4")
    bench.serve()
    #expect(
      bench.board.device.attachment?.declaration.outputs == [
        .init(name: "dial", kind: .detents, axis: "REL_DIAL"),
        .init(name: "display of dial", kind: .text, axis: "REL_DIAL"),
        .init(name: "display of push", kind: .text, axis: "BTN_0"),
      ])
    _ = bench.board.takeLines()
    func detents(_ position: Int64, _ minimum: Int64?, _ maximum: Int64?, wraps: Bool = false) -> [String] {
      bench.board.take(
        .init(
          handle: "h1",
          detents: .init(
            output: "dial", axis: "REL_DIAL", position: position, minimum: minimum, maximum: maximum,
            wraps: wraps, strength: 1)), at: bench.now)
      return bench.board.takeLines()
    }
    #expect(detents(4, 0, 10) == ["detents dial 4 0 10"])
    #expect(detents(-4, nil, 0) == ["detents dial -4 - 0"])
    #expect(detents(0, 0, 59, wraps: true) == ["detents dial 0 0 59 wraps"])
    func text(_ title: String, _ value: String?, _ unit: String? = nil) -> [String] {
      bench.board.take(
        .init(
          handle: "h1",
          text: .init(
            output: "display of dial", control: "x", title: title, value: value, unit: unit, limit: .none)),
        at: bench.now)
      return bench.board.takeLines()
    }
    #expect(text("Lautstärke", "-3.5", "dB") == ["title dial Lautstärke", "value dial -3.5 dB"])
    #expect(text("", nil, "dB") == ["title dial", "value dial"])
    #expect(text("a\nvalue dial 9\u{1b}", "b") == ["title dial a value dial 9 ", "value dial b"])
    for line in text(String(repeating: "ä", count: 200), String(repeating: "x", count: 200)) {
      #expect(line.utf8.count <= BoardLine.limit && line.utf8.count > BoardLine.limit - 2)
    }
  }

  @Test(arguments: [
    ("dial", "an event is a name and one word"), ("dial x", "x is not a whole number"),
    ("dial 1001", "from -1000 to 1000"),
    ("push 1", "a button is down or up"), ("level 1024", "from 0 to 1023"),
    ("none 1", "there is no input none; declared are: dial, level, push"),
    ("knob new", "begins with the line hello NAME"), ("fader x 5 5", "the minimum is not below"),
    ("hello", "hello NAME [SERIAL]"),
    ("knob knob", "is a word of the protocol"), ("hello a/b", "a name has letters"), ("dial é", "not ASCII"),
    (String(repeating: "x", count: 129), "longer than 128"),
  ])
  func `what is not understood is named, and does nothing`(line: String, reason: String) {
    var bench = Bench.attached()
    bench.say(line)
    let misfit = bench.board.log.takeMisfit()
    #expect(misfit?.reason.contains(reason) == true, "\(misfit?.reason ?? "")")
    #expect(bench.take() == [])
    bench.say("dial 1")
    #expect(bench.take() == ["REL_DIAL 1"])
  }

  @Test(arguments: [
    (["knob a", "knob a"], "declared twice"), (["button KEY_A", "button KEY_A"], "declared twice"),
    (["motor level"], "a fader of the same name, declared before"),
    (["button x", "detents x"], "a knob of the same name, declared before"),
    (["display x"], "a knob, a button or a fader of"),
    (["button x", "display x", "display x"], "declared twice"), (["light a", "light a"], "declared twice"),
    (["effects a", "effects b"], "a board has one"),
    (["knob a", "knob REL_DIAL"], "another input has the code REL_DIAL"),
    ((0..<9).map { "knob k\($0)" }, "more than 8"), ((0..<33).map { "light l\($0)" }, "more than 32"),
    ((0..<51).map { "button b\($0)" }, "more than 50"),
  ])
  func `declarations have limits`(lines: [String], reason: String) {
    var bench = Bench()
    bench.board.opened(at: bench.now)
    bench.say("hello desk")
    for line in lines { bench.say(line) }
    #expect(bench.board.log.takeMisfit()?.reason.contains(reason) == true)
  }

  @Test func `lines of any bytes are cut and skipped`() {
    var generator = SystemRandomNumberGenerator()
    for _ in 0..<200 {
      var bench = Bench.attached()
      let bytes = (0..<Int.random(in: 0...2_000)).map { _ in UInt8.random(in: 0...255, using: &generator) }
      bench.board.receive(bytes + [0x0a], at: bench.now)
      bench.serve()
      _ = bench.take()
      bench.say("dial 1")
      #expect(bench.take() == ["REL_DIAL 1"], "\(bytes)")
    }
  }
}
