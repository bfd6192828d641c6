import StepperCore
import Testing

@testable import StepperConfiguration

/// One wrong line in `[control.c]` (line 4 of the file), and all that is reported about it.
@Suite struct BadKioskTests {
  @Test(arguments: [
    ("min = 5", #"f:4:1: error: control.c.min: unknown key (did you mean "minimum"?)"#),
    ("Max = 5", #"f:4:1: error: control.c.Max: unknown key (did you mean "maximum"?)"#),
    ("default = 5", #"f:4:1: error: control.c.default: unknown key (did you mean "initial"?)"#),
    ("type = 5", #"f:4:1: error: control.c.type: unknown key (did you mean "kind"?)"#),
    (
      "range = [0, 5]", "f:4:1: error: control.c.range: unknown key; a range is minimum = … and maximum = …"
    ),
    (
      #"kind = "switch""#,
      #"f:4:8: error: control.c.kind: must be one of "continuous", "choice", "toggle", "button", found "switch" (did you mean "toggle"?)"#
    ),
    (
      "choices = []",
      #"f:4:11: error: control.c.choices: needs at least one name, such as ["radio", "aux"]; a control without choices leaves it out"#
    ),
    (
      "choices = [5]",
      #"f:4:12: error: control.c.choices[0]: must be a name, or a table { name = "fm", title = "FM" }, found 5"#
    ),
    ("choices = [{ title = \"FM\" }]", #"f:4:12: error: control.c.choices[0]: needs name = "NAME""#),
    (
      #"choices = ["fm", { name = "fm" }]"#,
      #"f:4:27: error: control.c.choices[1].name: "fm" occurs more than once"#
    ),
    (
      #"reset-after = "10ms""#,
      #"f:4:15: error: control.c.reset-after: must be from 1s to 24h, found "10ms""#
    ),
    (
      #"restore = { at-most = 140 }"#,
      "f:4:23: error: control.c.restore.at-most: 140 is not a value of this control; the nearest one is 100"
    ),
    (
      #"restore = { at-most = 0.5 }"#,
      "f:4:23: error: control.c.restore.at-most: 0.5 is not a value of this control; the nearest one is 1"
    ),
    (
      #"restore = { at-least = 50, at-most = 40 }"#,
      "f:4:24: error: control.c.restore.at-least: at-least 50 is greater than at-most 40"
    ),
    (
      #"restore = { at-least = 10 }"#,
      "f:4:24: error: control.c.restore.at-least: the first start gives the initial value 0, which is not among these; set initial too"
    ),
    ("restore = {}", "f:4:11: error: control.c.restore: needs at-most or at-least"),
    (
      "restore = 40",
      "f:4:11: error: control.c.restore: must be true, false or a table such as { at-most = 40 }, found 40"
    ),
    (
      #"on-end = { command = ["true"], at-start = true }"#,
      "f:4:32: error: control.c.on-end.at-start: requires on-change, which is run with the present value"
    ),
    (
      #"on-idle = ["true"]"#,
      "f:4:1: warning: control.c.on-idle: never happens: the control has no reset-after"
    ),
    (
      #"feedback = { idle = "light" }"#,
      "f:4:14: warning: control.c.feedback.idle: never happens: the control has no reset-after"
    ),
  ])
  func `a wrong line is reported with what is meant`(line: String, expected: String) {
    let found = problems(
      in: "[device.knob]\nmatch = { name = \"k\" }\n[control.c]\n\(line)\nincrement = \"knob:BTN_0\"")
    #expect(found == [expected])
  }

  @Test(arguments: [
    (
      #"log-level = "warn""#,
      #"f:2:13: error: daemon.log-level: must be one of "debug", "info", "notice", "warning", "error", found "warn" (did you mean "warning"?)"#
    ),
    (#"on-idle = ["true"]"#, #"f:2:1: error: daemon.on-idle: needs idle-after = "5m" or another time"#),
    (#"idle-after = "5m""#, "f:2:1: warning: daemon.idle-after: has no effect without on-idle or on-active"),
    (
      #"idle-after = "2d""#,
      #"f:2:14: error: daemon.idle-after: must be a text with a unit (ms, s, m or h) such as "500ms" or "2s", found "2d""#
    ),
  ])
  func `so is one of the daemon`(line: String, expected: String) {
    #expect(problems(in: "[daemon]\n\(line)\n[control.c]") == [expected])
  }

  @Test func `a button is not reset, and other kinds have no bounds`() {
    let button = problems(in: "control.c = { kind = \"button\", reset-after = \"2m\" }")
    #expect(button.count == 1 && button[0].contains("a button is on while it is pressed"))
    let toggle = problems(in: "control.c = { kind = \"toggle\", restore = { at-most = 1 } }")
    #expect(
      toggle.count == 1 && toggle[0].contains("must be true or false: the values of a toggle have no order"))
    let snapped = problems(
      in: "control.c = { step = 7, snap-to-ticks = \"always\", restore = { at-most = 40 } }")
    #expect(snapped.count == 1 && snapped[0].contains("the nearest one is 42"))
  }

  @Test func `a profile may have the time, which buttons leave out`() throws {
    let text = """
      [profile.kiosk]
      reset-after = "90s"
      [control.volume]
      profile = "kiosk"
      [control.talk]
      profile = "kiosk"
      kind = "button"
      """
    let controls = try #require(load(text).configuration).controls
    #expect(controls.map(\.settings.feel.resetAfter) == [.seconds(90), nil])
  }

  @Test func `a button takes times of presses, and no actions`() throws {
    let button = "[control.bell]\nkind = \"button\"\npush = { input = \"panel:push\", "
    let head = "[device.panel]\nvirtual = true\n"
    let times = load(
      head + button + "delay = \"400ms\", multi-press = \"300ms\" }\non-long-press = [\"true\"]")
    #expect(times.problems.isEmpty, "\(times.problems)")
    #expect(try #require(times.configuration).controls.count == 1)
    let action = load(head + button + "short = \"reset\" }")
    #expect(action.configuration == nil)
    #expect(
      action.problems.first?.description.contains("control.bell.push.short: a button only follows")
        == true)
  }
}
