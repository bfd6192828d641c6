import StepperCore
import Testing

@testable import StepperConfiguration

/// `when` of bindings: what it is read as, and what is refused.
@Suite struct LayerDocumentTests {
  /// A control with these lines, and others that decide its layers.
  private func text(_ lines: String) -> String {
    control(lines) + """
      [control.mode]
      choices = ["light", "sound", "fan"]
      push = { input = "panel:push", short = "next" }
      [control.power]
      kind = "toggle"
      push = "knob:BTN_0"
      [control.talk]
      kind = "button"
      push = "knob:KEY_MUTE"
      [control."room.mode"]
      choices = ["a", "b"]
      increment = "knob:KEY_UP"
      """
  }

  private func layers(_ lines: String) -> [[LayerCondition]]? {
    load(text(lines)).configuration?.controls.first?.settings.bindings.map(\.layer)
  }

  private static let conditions: [(when: String, conditions: [LayerCondition])] = [
    (#"{ mode = "light" }"#, [.init(control: "mode", values: [0])]),
    (#"{ mode = ["light", "fan"] }"#, [.init(control: "mode", values: [0, 2])]),
    (#"{ power = "on" }"#, [.init(control: "power", values: [1])]),
    (#"{ power = false }"#, [.init(control: "power", values: [0])]),
    (
      #"{ power = true, "room.mode" = "b" }"#,
      [.init(control: "power", values: [1]), .init(control: "room.mode", values: [1])]
    ),
  ]

  @Test(arguments: conditions)
  func `a layer is read with the values of the controls that decide it`(
    when: String, expected: [LayerCondition]
  ) {
    #expect(problems(in: text("rotate = { input = \"panel:dial\", when = \(when) }")) == [])
    #expect(layers("rotate = { input = \"panel:dial\", when = \(when) }") == [expected])
    #expect(layers("push = { input = \"panel:push\", short = \"reset\", when = \(when) }") == [expected])
    #expect(layers("push = { input = \"panel:push\", when = \(when) }") == [expected])
    #expect(layers("reset = [\"panel:push\", { input = \"panel:plus\", when = \(when) }]") == [[], expected])
  }

  @Test(arguments: [
    (#"{ mod = "light" }"#, #".mod: there is no [control.mod] (did you mean "mode"?)"#),
    (
      #"{ mode = "lihgt" }"#,
      #".mode: must be one of "light", "sound", "fan", found "lihgt" (did you mean "light"?)"#
    ),
    ("{ mode = 1 }", #".mode: must be one of "light", "sound", "fan", found 1"#),
    ("{ mode = true }", #".mode: must be one of "light", "sound", "fan", found true"#),
    ("{ mode = [] }", ".mode: must not be empty"),
    (#"{ mode = ["fan", "fan"] }"#, #".mode[1]: "fan" occurs more than once"#),
    ("{ power = 1 }", #".power: must be one of "off", "on", found 1"#),
    ("{}", #": names no control; it must be a table such as { mode = "light" }"#),
    (#""mode""#, #": must be a table such as { mode = "light" }, found "mode""#),
    ("{ c = 5 }", ".c: is continuous; a layer is decided by a choice or a toggle"),
    (#"{ talk = "on" }"#, #".talk: is a button, whose input is a modifier with while = "DEVICE:CODE""#),
    (
      #"{ room.mode = "a" }"#,
      ".room: there is no [control.room]; a name with a dot is written in quotes"
    ),
    (
      "{ " + (0..<9).map { "k\($0) = 1" }.joined(separator: ", ") + " }",
      ": has 9 controls; at most 8 are allowed"
    ),
  ])
  func `a layer that makes no sense is refused with a reason`(when: String, expected: String) {
    let found = problems(in: text("rotate = { input = \"panel:dial\", when = \(when) }"))
    #expect(found.contains { $0.hasSuffix("error: control.c.rotate.when" + expected) }, "\(found)")
    #expect(load(text("rotate = { input = \"panel:dial\", when = \(when) }")).configuration == nil)
  }

  @Test func `one input may drive a control once in each layer`() {
    let bound = { (first: String, second: String) in
      let inputs = [first, second].map { "{ input = \"panel:dial\"\($0) }" }.joined(separator: ", ")
      return problems(in: text("rotate = [\(inputs)]"))
    }
    #expect(
      bound(#", when = { mode = "light" }"#, #", multiplier = 5, when = { mode = ["sound", "fan"] }"#) == [])
    #expect(bound(#", when = { mode = "light" }"#, #", while = "panel:push""#) == [])
    let message =
      "error: control.c.rotate[1]: this input drives the control already in the same layer, by control.c.rotate[0]"
    for (first, second) in [
      ("", #", when = { mode = "light" }"#), (#", when = { mode = "light" }"#, #", when = { power = "on" }"#),
      (#", when = { mode = ["light", "fan"] }"#, #", when = { mode = ["fan"], power = "on" }"#),
    ] {
      let found = bound(first, second)
      #expect(found.count == 1 && found[0].hasSuffix(message), "\(found)")
    }
  }

  @Test func `a control may decide the layers of its own bindings`() {
    let lines = """
      choices = ["a", "b"]
      push = { input = "panel:push", short = { set = "b" }, when = { c = "a" } }
      """
    #expect(!problems(in: control(lines)).contains { $0.contains("control.c") })
  }

  @Test func `a layer that can never be live is warned of`() {
    let fixed = """
      rotate = { input = "panel:dial", when = { mode = "b" } }
      [control.mode]
      choices = ["a", "b"]
      writable-by = "nobody"

      """
    let warning =
      #"f:4:50: warning: control.c.rotate.when.mode: is never true: nothing changes [control.mode], which is "a""#
    #expect(problems(in: control(fixed)).filter { $0.contains("control.c") } == [warning])
    #expect(
      !problems(in: control(fixed + "increment = \"panel:plus\"\n")).contains { $0.contains("control.c") })
    // Each needs the other.
    let cycle = """
      increment = { input = "panel:plus", when = { other = "b" } }
      [control.other]
      choices = ["a", "b"]
      writable-by = "nobody"
      increment = { input = "panel:plus", when = { third = "on" } }
      [control.third]
      kind = "toggle"
      writable-by = "nobody"
      push = { input = "panel:push", when = { other = "b" } }
      """
    #expect(problems(in: control(cycle)).filter { $0.contains("is never true") }.count == 3)
  }
}
