import Testing

@testable import StepperConfiguration

/// One wrong line in `[control.c]` (line 4 of the file), and all that is said about it.
@Suite struct BadControlTests {
  @Test(arguments: [
    (
      #"maximun = 5"#,
      #"f:4:1: error: control.c.maximun: unknown key (did you mean "maximum"?)"#
    ),
    ("xyzzy = 5", "f:4:1: error: control.c.xyzzy: unknown key; stepperd.toml(5) has them all"),
    (
      "on-change = []",
      "f:4:13: error: control.c.on-change: must be an array of 1 to 64 texts, the program and its arguments"
    ),
    (
      #"on-end = { debounce = "1s" }"#,
      #"f:4:10: error: control.c.on-end: needs command = ["PROGRAM", "ARGUMENT", …]"#
    ),
    (
      #"feedback = "heavy""#,
      #"f:4:12: error: control.c.feedback: must be true, false or a table such as { limit = "rigid" }, found "heavy""#
    ),
    (#"light = "knop""#, #"f:4:9: error: control.c.light: there is no [device.knop] (did you mean "knob"?)"#),
    (
      #"speak = "say""#,
      #"f:4:9: error: control.c.speak: must be one of "spd-say", "espeak-ng", found "say""#
    ),
    (
      #"profile = "gtk4""#,
      #"f:4:11: error: control.c.profile: there is no profile "gtk4" (did you mean "gtk"?)"#
    ),
    (#"title = 5"#, "f:4:9: error: control.c.title: must be a text in quotes, found 5"),
    (#"title = """#, "f:4:9: error: control.c.title: must not be empty"),
    (#"wraps = "yes""#, #"f:4:9: error: control.c.wraps: must be true or false, found "yes""#),
    (#"step = "1""#, #"f:4:8: error: control.c.step: must be a number, found "1""#),
    ("step = 0", "f:4:8: error: control.c.step: must be greater than 0, found 0"),
    ("step = -0.5", "f:4:8: error: control.c.step: must be greater than 0, found -0.5"),
    (
      "page = 0",
      #"f:4:8: error: control.c.page: must be greater than 0, "a tenth" or "ten steps", found 0"#
    ),
    (
      #"page = "tenth""#,
      #"f:4:8: error: control.c.page: must be a number, "a tenth" or "ten steps", found "tenth""#
    ),
    ("minimum = 200", "f:4:11: error: control.c.minimum: the minimum 200 is greater than the maximum 100"),
    ("maximum = -1", "f:4:11: error: control.c.maximum: the minimum 0 is greater than the maximum -1"),
    ("initial = 101", "f:4:11: error: control.c.initial: 101 is outside the range 0…100"),
    ("maximum = inf", #"f:4:11: error: control.c.maximum: must be a finite number or "none", found inf"#),
    (
      "step = 0.0000000001",
      "f:4:8: error: control.c.step: 0.0000000001 has more than nine decimal places, or more than eighteen digits in all"
    ),
    (
      "maximum = 1000000000000000001",
      "f:4:11: error: control.c.maximum: 1000000000000000001 is too large; at most 1000000000000000000 is allowed"
    ),
    (
      #"writable-by = "admins""#,
      #"f:4:15: error: control.c.writable-by: must be one of "everyone", "admin", "nobody", found "admins" (did you mean "admin"?)"#
    ),
    (
      "digits = 10",
      "f:4:10: error: control.c.digits: must be an integer from 0 to 9 or \"as needed\", found 10"
    ),
    (
      #"increment = "KEY_UP""#,
      #"f:4:13: error: control.c.increment: must be "DEVICE:CODE" such as "knob:REL_DIAL", found "KEY_UP""#
    ),
    (
      #"increment = "knop:KEY_UP""#,
      #"f:4:13: error: control.c.increment: there is no [device.knop] (did you mean "knob"?)"#
    ),
    (
      #"increment = { input = "knob:KEY_UP", while = "knob:KEY_UP" }"#,
      #"f:4:46: error: control.c.increment.while: must be another input than the one it modifies"#
    ),
    (
      #"push = { input = "knob:KEY_UP", short = "reset", while = "knob:KEY_UP" }"#,
      #"f:4:58: error: control.c.push.while: must be another input than the one it modifies"#
    ),
    (
      #"rotate = "knob:REL_DAIL""#,
      #"f:4:10: error: control.c.rotate: there is no key or axis "REL_DAIL"; use the kernel's names such as "REL_DIAL" or "KEY_VOLUMEUP" (did you mean "REL_DIAL"?)"#
    ),
    (
      #"rotate = "knob:KEY_UP""#,
      #"f:4:10: error: control.c.rotate: needs a relative axis (REL_…), found "KEY_UP""#
    ),
    (
      #"increment = "knob:REL_X""#,
      #"f:4:13: error: control.c.increment: needs a button (KEY_… or BTN_…), found "REL_X""#
    ),
    (
      #"absolute = "panel:dial""#,
      #"f:4:12: error: control.c.absolute: needs an absolute axis (ABS_…), found "dial""#
    ),
    (
      #"increment = "panel:pluss""#,
      #"f:4:13: error: control.c.increment: a virtual device has the inputs plus, minus, dial, push, fader, found "pluss" (did you mean "plus"?)"#
    ),
    (
      #"increment = ["panel:plus", "panel:plus"]"#,
      "f:4:28: error: control.c.increment[1]: this input drives the control already, by control.c.increment[0]"
    ),
    (#"push = { short = "reset" }"#, #"f:4:8: error: control.c.push: needs input = "DEVICE:CODE""#),
    (
      #"push = { input = "panel:push", short = "toggle" }"#,
      "f:4:8: error: control.c.push: needs toggle = [FIRST, SECOND], the two values"
    ),
    (
      #"push = { input = "panel:push", toggle = [0, 1] }"#,
      #"f:4:32: error: control.c.push.toggle: has no effect without short = "toggle" or another action "toggle""#
    ),
    (
      #"push = { input = "panel:push", short = "toggle", toggle = [0] }"#,
      "f:4:59: error: control.c.push.toggle: must be two numbers [FIRST, SECOND], found an array"
    ),
    (
      #"push = { input = "panel:push", multi-press = "400ms" }"#,
      "f:4:32: error: control.c.push.multi-press: has no effect without double or triple, or on-double-press or on-triple-press"
    ),
    (
      #"multi-press = "40ms""#,
      #"f:4:15: error: control.c.multi-press: must be from 50ms to 5s, found "40ms""#
    ),
    (
      #"push = { input = "panel:push", short = "nxt" }"#,
      #"f:4:40: error: control.c.push.short: must be one of "none", "reset", "increment", "decrement", "to-minimum", "to-maximum", "next", "previous", "toggle", "page-mode" or { set = VALUE }, found "nxt" (did you mean "next"?)"#
    ),
    (
      #"push = { input = "panel:push", short = "next" }"#,
      #"f:4:40: error: control.c.push.short: goes through the names of a choice; this control has "increment""#
    ),
    (
      #"push = { input = "panel:push", long = { set = 101 } }"#,
      "f:4:47: error: control.c.push.long.set: 101 is outside the range 0…100"
    ),
    (
      #"push = { input = "panel:push", short = { set = "on" } }"#,
      #"f:4:48: error: control.c.push.short.set: must be a number, found "on""#
    ),
    (
      #"push = { input = "panel:push", short = { set = 5, to = 5 } }"#,
      "f:4:51: error: control.c.push.short.to: unknown key; known are set"
    ),
    (
      #"push = { input = "panel:push", short = {} }"#,
      "f:4:40: error: control.c.push.short: needs set = VALUE"
    ),
    (
      #"repeat = { delay = 500, interval = "100ms" }"#,
      #"f:4:20: error: control.c.repeat.delay: must be a text with a unit (ms, s, m or h) such as "500ms" or "2s", found 500"#
    ),
    (
      #"repeat = { delay = "0ms", interval = "100ms" }"#,
      #"f:4:20: error: control.c.repeat.delay: must be from 1ms to 1m, found "0ms""#
    ),
    (#"repeat = { delay = "1s" }"#, #"f:4:10: error: control.c.repeat: needs "interval" or "stages""#),
    (
      #"repeat = { delay = "1s", stages = [] }"#,
      "f:4:35: error: control.c.repeat.stages: must not be empty"
    ),
    (
      #"repeat = { delay = "1s", stages = [{ from = "1s" }] }"#,
      #"f:4:36: error: control.c.repeat.stages[0]: needs "interval""#
    ),
  ])
  func `a wrong line is told in one line with its place`(line: String, expected: String) {
    #expect(errors(inControl: line) == [expected])
  }

  @Test(arguments: ["initial = \"on\"", "initial = 0", "unset = true"])
  func `nothing but being pressed gives a button its value`(line: String) {
    let key = line.prefix { $0 != " " }
    #expect(
      errors(inControl: "kind = \"button\"\npush = \"panel:push\"\n\(line)")
        == ["f:6:1: error: control.c.\(key): a button is on while it is pressed, and else off"])
  }

  @Test(arguments: [
    (
      "maximum = \"none\"\nwraps = true",
      "f:5:9: error: control.c.wraps: only a control with a minimum and a maximum can wrap"
    ),
    (
      "step = 0.25\ndigits = 1",
      "f:5:10: error: control.c.digits: is 1, but the numbers of this control have 2 decimal places"
    ),
    (
      "minimum = \"none\"\nabsolute = \"knob:ABS_X\"",
      "f:5:12: error: control.c.absolute: needs a control with a minimum and a maximum"
    ),
    (
      "choices = [\"fm\", \"am\"]\npush = { input = \"panel:push\", short = { set = \"fn\" } }",
      #"f:5:48: error: control.c.push.short.set: must be one of "fm", "am", found "fn" (did you mean "fm"?)"#
    ),
    (
      "kind = \"toggle\"\npush = { input = \"panel:push\", short = { set = 1 } }",
      #"f:5:48: error: control.c.push.short.set: must be one of "off", "on", found 1"#
    ),
    (
      "kind = \"toggle\"\npush = { input = \"panel:push\", short = \"previous\" }",
      #"f:5:40: error: control.c.push.short: goes through the names of a choice; this control has "toggle""#
    ),
    (
      "maximum = \"none\"\npush = { input = \"panel:push\", short = \"to-maximum\" }",
      "f:5:40: error: control.c.push.short: there is no such end of the range to go to"
    ),
    (
      "increment = \"panel:plus\"\ndecrement = \"panel:plus\"",
      "f:5:13: error: control.c.decrement: this input drives the control already, by control.c.increment"
    ),
  ])
  func `lines that contradict each other are told at the later one`(lines: String, expected: String) {
    #expect(errors(inControl: lines) == [expected])
  }
}
