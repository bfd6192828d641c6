import Testing

@testable import StepperConfiguration

/// What can be wrong with what is felt. The lines of a control begin at line 4.
@Suite struct BadFeedbackTests {
  @Test(arguments: [
    (
      #"feedback = { increment = "hard" }"#,
      #"f:4:26: error: control.c.feedback.increment: must be one of "none", "light", "medium", "heavy", "soft", "#
        + #""rigid", "selection", "success", "warning", "error", found "hard""#
    ),
    (
      #"feedback = { incremnt = "light" }"#,
      "f:4:14: error: control.c.feedback.incremnt: there is no moment \"incremnt\"; known are increment, decrement, "
        + "limit, minimum, maximum, wrap, press, release, short-press, double-press, triple-press, long-press, reset, set, connect, disconnect, end, idle "
        + #"(did you mean "increment"?)"#
    ),
    (
      #"feedback = "light""#,
      #"f:4:12: error: control.c.feedback: must be true, false or a table such as { limit = "rigid" }, found "light""#
    ),
    (
      #"outputs = "knob:rumbl""#,
      #"f:4:11: error: control.c.outputs: there is no output "rumbl"; known are rumble, periodic, constant, haptic, provider, "#
        + #"vibrator, click, tone, bell, pulse-led, led, class-led (did you mean "rumble"?)"#
    ),
    (
      #"outputs = "buzzer""#,
      "f:4:11: error: control.c.outputs: there is no [device.buzzer]"
    ),
    (
      #"light = "nob:LED_MUTE""#,
      #"f:4:9: error: control.c.light: there is no [device.nob] (did you mean "knob"?)"#
    ),
    (
      "on-change = []",
      "f:4:13: error: control.c.on-change: must be an array of 1 to 64 texts, the program and its arguments"
    ),
    (
      #"on-change = { debounce = "1s" }"#,
      #"f:4:13: error: control.c.on-change: needs command = ["PROGRAM", "ARGUMENT", …]"#
    ),
    (
      #"on-limit = ["say", "{vlaue}"]"#,
      #"f:4:20: error: control.c.on-limit[1]: there is no {vlaue}; known are {control}, {moment}, {value}, {text}, "#
        + "{previous}, {previous-text}, {origin}, {limit}, {minimum}, {maximum}, {unit}, {title}, {speech}, "
        + #"{sequence}, {device}, {text-title} (did you mean "value"?)"#
    ),
    (
      #"on-press = ["./h.sh"]"#,
      #"f:4:13: error: control.c.on-press[0]: commands begin in /; write the whole path, found "./h.sh""#
    ),
    (
      #"on-press = { command = ["", "x"] }"#,
      "f:4:25: error: control.c.on-press.command[0]: must not be empty"
    ),
    (
      #"on-change = { command = ["x"], timeout = "1d" }"#,
      #"f:4:42: error: control.c.on-change.timeout: must be a text with a unit (ms, s, m or h) such as "500ms" or "#
        + #""2s", found "1d""#
    ),
    (
      #"speak = "festival""#,
      #"f:4:9: error: control.c.speak: must be one of "spd-say", "espeak-ng", found "festival""#
    ),
    (
      #"rotate = { input = "panel:dial", feedback = "strong" }"#,
      #"f:4:45: error: control.c.rotate.feedback: must be one of "none", "light", "medium", "heavy", "soft", "#
        + #""rigid", "selection", "success", "warning", "error", found "strong""#
    ),
    (
      #"reset = { input = "knob:BTN_0", feedback = "light" }"#,
      "f:4:33: error: control.c.reset.feedback: applies to inputs that step, turn or slide; this one causes a "
        + "moment of the control"
    ),
  ])
  func `a wrong line is told in one line with its place`(line: String, expected: String) {
    #expect(errors(inControl: line) == [expected])
  }

  @Test func `a command line in one text is probably a mistake`() {
    let problems = load(control("on-change = \"notify-send {text}\"")).problems.map(\.description)
    #expect(
      problems.contains {
        $0.hasPrefix(
          "f:4:13: warning: control.c.on-change: no shell reads it: write the program and its arguments")
      }, "\(problems)")
  }

  @Test(arguments: [
    (#"on-long-press = ["true"]"#, "f:4:1: warning: control.c.on-long-press: "),
    (
      "push = \"knob:BTN_0\"\non-long-press = [\"true\"]", "f:5:1: warning: control.c.on-long-press: "
    ),
    (
      #"feedback = { long-press = "heavy", press = "light" }"#,
      "f:4:14: warning: control.c.feedback.long-press: "
    ),
  ])
  func `a long press that cannot be is told`(lines: String, place: String) {
    let message = "never happens: the control has no push with an action for long"
    #expect(warnings(inControl: lines) == [place + message])
  }

  @Test func `a long press of a button needs a delay`() {
    #expect(
      warnings(inControl: "kind = \"button\"\npush = \"knob:BTN_0\"\non-long-press = [\"true\"]")
        == ["f:6:1: warning: control.c.on-long-press: never happens: the control has no push with delay"])
  }

  @Test(arguments: [
    (
      #"push = { input = "knob:BTN_0", short = "reset", delay = "2s" }"#, "4:49",
      "delay: has no effect without an action for long"
    ),
    (
      #"push = { input = "knob:BTN_0", short = "toggle", toggle = [0, 500] }"#, "4:63",
      "toggle[1]: 500 is outside the range 0…100"
    ),
    (
      "kind = \"toggle\"\npush = { input = \"knob:BTN_0\", short = \"toggle\", toggle = [5, 1] }", "5:60",
      "toggle[0]: 5 is outside the range 0…1"
    ),
  ])
  func `what a push never does is told`(lines: String, place: String, message: String) {
    #expect(warnings(inControl: lines) == ["f:\(place): warning: control.c.push.\(message)"])
  }

  @Test(arguments: [
    ("on-double-press = [\"true\"]", "on-double-press", ""),
    ("on-short-press = [\"true\"]", "on-short-press", ""),
    (
      "push = \"knob:BTN_0\"\nfeedback = { triple-press = \"heavy\" }", "feedback.triple-press", ""
    ),
  ])
  func `several presses that cannot be are told`(lines: String, key: String, needed: String) {
    let place = lines.hasPrefix("push") ? "5:14" : "4:1"
    #expect(
      warnings(inControl: lines)
        == ["f:\(place): warning: control.c.\(key): never happens: the control has no push\(needed)"])
  }

  @Test(arguments: [
    #"push = { input = "knob:BTN_0", long = "reset" }"#, #"feedback = { long-press = "none" }"#,
    "push = \"knob:BTN_0\"\non-short-press = [\"true\"]\non-double-press = [\"true\"]",
    #"push = { input = "knob:BTN_0", triple = "reset" }"#,
    "feedback = true",
  ])
  func `a long press that can be, or that is silent, is no mistake`(lines: String) {
    #expect(warnings(inControl: lines) == [])
    let hook = "push = { input = \"knob:BTN_0\", long = \"reset\" }\non-long-press = [\"true\"]"
    #expect(warnings(inControl: hook) == [])
  }

  /// The warnings of a control of these lines.
  private func warnings(inControl lines: String) -> [String] {
    problems(in: control(lines)).filter { $0.contains("warning: control.c") }
  }

  @Test(arguments: [
    ("led = \"../x\"", "must be a name in /sys/class/leds"),
    ("led = \"a\"\nvirtual = true", "a device is only one of"),
    ("led = \"a\"\nvibrator = \"b\"", "a device is only one of"),
    (
      "grab = true",
      "needs match = { … } to say which device it is, virtual = true, led = \"NAME\" or vibrator = \"NAME\""
    ),
  ])
  func `a device is one thing`(lines: String, message: String) {
    let problems = load("[device.d]\n\(lines)\n").problems.filter { $0.severity == .error }
    #expect(problems.contains { $0.message.hasPrefix(message) }, "\(problems)")
  }

  @Test func `something of the LED class has no inputs`() {
    let text = "device.s.led = \"a\"\ncontrol.c.rotate = \"s:REL_DIAL\"\n"
    #expect(
      problems(in: text).last
        == #"f:2:20: error: control.c.rotate: "s" has no inputs: it is a light or a vibrator of /sys/class/leds"#
    )
  }

  @Test(arguments: [
    (
      #"light = "knob:""#,
      #"control.c.light: must be "DEVICE" or "DEVICE:LIGHT" such as "knob:LED_MUTE", found "knob:""#
    ),
    (#"light = "lamp:""#, #"control.c.light: "lamp" is the one light "front", found """#),
    (#"light = "lamp:rear""#, #"control.c.light: "lamp" is the one light "front", found "rear""#),
    (#"light = "buzz""#, #"control.c.light: "buzz" is a vibrator: it has no lights"#),
    (#"light = ["panel:LED_MUTE"]"#, #"control.c.light[0]: "panel" is virtual: it has no lights"#),
    (#"outputs = "panel""#, #"control.c.outputs: "panel" is virtual: it plays no effects and has no lights"#),
    (
      #"outputs = "lamp:rumble""#,
      #"control.c.outputs: there is no output "rumble"; "lamp" has only class-led"#
    ),
    (#"outputs = "buzz:""#, #"control.c.outputs: there is no output ""; "buzz" has only vibrator"#),
  ])
  func `what can never play or shine is refused`(line: String, expected: String) {
    let devices = "device.lamp.led = \"front\"\ndevice.buzz.vibrator = \"buzz\"\n"
    let errors = load(devices + control(line)).problems.filter { $0.severity == .error }
    #expect(errors.map { "\($0.keyPath): \($0.message)" } == [expected])
    #expect(errors.first?.line == 6)
  }

  @Test(arguments: [
    #"light = ["lamp", "lamp:front", "knob", "knob:LED_MUTE"]"#,
    #"outputs = ["lamp", "lamp:class-led", "buzz:vibrator", "knob:rumble"]"#,
  ])
  func `what can play and shine is taken`(line: String) {
    let devices = "device.lamp.led = \"front\"\ndevice.buzz.vibrator = \"buzz\"\n"
    #expect(!load(devices + control(line)).problems.contains { $0.severity == .error })
  }

  @Test func `braces that are no placeholder stay as they are`() throws {
    let text = control(#"on-change = ["x", "{}", "{ value }", "a{text}b{value}", "{", "}{"]"#)
    let hook = try #require(load(text).configuration?.controls.first?.hooks.first)
    #expect(
      hook.command(with: ["text": "T", "value": "5"]) == ["x", "{}", "{ value }", "aTb5", "{", "}{"])
  }

  @Test func `arguments may be empty, and of many lines`() throws {
    let text = control("on-change = [\"sh\", \"\", \"\\t\", '''\nif true\nthen echo ./x\nfi''']")
    let hook = try #require(load(text).configuration?.controls.first?.hooks.first)
    #expect(hook.command == ["sh", "", "\t", "if true\nthen echo ./x\nfi"])
  }
}
