import StepperInterfaces
import TestSupport
import Testing

@testable import StepperCommands

@Suite struct `Keys and controls of watch --bars` {
  static func description(
    _ name: String, _ kind: ControlInterface.Kind = .continuous, title: String? = nil, unit: String? = nil,
    range: (Double?, Double?) = (0, 100), choices: [String]? = nil, writable: Bool = true
  ) -> ControlInterface.Description {
    .init(
      control: name, kind: kind, profile: "uikit", title: title, unit: unit, minimum: range.0,
      maximum: range.1,
      step: 1, format: .init(), choices: choices, wrap: false, writable: writable)
  }

  static let descriptions = [
    description("volume", title: "Loudness", unit: "%"),
    description("mode", .choice, range: (0, 2), choices: ["fm", "am", "dab"]),
    description("mute", .toggle, range: (0, 1)),
    description("count", range: (nil, nil)),
    description("fixed", writable: false),
  ]

  static func bars(_ descriptions: [ControlInterface.Description] = descriptions) -> Bars {
    var bars = Bars()
    for description in descriptions {
      var state = ControlInterface.State.example(description.control, 1)
      if let choices = description.choices { state.text = choices[1] }
      if description.kind == .toggle { state.text = "on" }
      bars.update(state)
    }
    bars.describe(
      Dictionary(descriptions.map { ($0.control, $0) }, uniquingKeysWith: { first, _ in first }))
    return bars
  }

  /// What the last of `keys` asks for.
  private func request(_ keys: [TerminalKey], in bars: inout Bars) -> Bars.Request? {
    keys.reduce(Bars.Request?.none) { bars.press($1) }
  }

  private func typed(_ text: String) -> [TerminalKey] { text.map { TerminalKey.character($0) } }

  @Test(
    arguments: [
      ([.right], .step(1, .step)), ([.character("+")], .step(1, .step)), ([.left], .step(-1, .step)),
      ([.character("-")], .step(-1, .step)), ([.pageUp], .step(1, .page)), ([.pageDown], .step(-1, .page)),
      ([.home], .setValue(0)), ([.end], .setValue(100)), ([.character("r")], .reset),
      ([.character("4"), .character("2"), .enter], .setText("42")),
      ([.enter, .character("-"), .character("5"), .enter], .setText("-5")),
      ([.character("="), .character("q"), .enter], .setText("q")),
      ([.character("4"), .character("2"), .backspace, .enter], .setText("4")),
      ([.character("4"), .control("u"), .character("7"), .enter], .setText("7")),
    ] as [([TerminalKey], ControlCall.Change)]) func `keys change the marked control`(
      keys: [TerminalKey], change: ControlCall.Change
    )
  {
    var bars = Self.bars()
    #expect(request(keys, in: &bars) == .call(ControlCall(control: "volume", change: change)))
    #expect(bars.entry == nil && bars.message.isEmpty)
  }

  @Test func `the mark goes up and down and stays within the list`() {
    var bars = Self.bars()
    for (key, marked) in [
      (TerminalKey.up, 0), (.down, 1), (.character("j"), 2), (.down, 3), (.down, 4), (.down, 4),
    ] {
      #expect(bars.press(key) == nil)
      #expect(bars.marked == marked)
    }
    _ = bars.press(.character("k"))
    #expect(bars.markedRow?.state.control == "count")
  }

  @Test func `choices and toggles have ends, and toggles are switched`() {
    var bars = Self.bars()
    #expect(request([.down, .end], in: &bars) == .call(ControlCall(control: "mode", change: .setValue(2))))
    #expect(bars.press(.character(" ")) == nil)
    #expect(bars.message == "mode is not a toggle")
    let toggled = request([.down, .character(" ")], in: &bars)
    #expect(toggled == .call(ControlCall(control: "mute", change: .step(1, .step))))
    #expect(request([.down, .home], in: &bars) == nil)
    #expect(bars.message == "count has no minimum")
  }

  @Test(arguments: [.right, .home, .pageUp, .character("r"), .character("5"), .enter] as [TerminalKey])
  func `a read-only control says so`(key: TerminalKey) {
    var bars = Self.bars()
    for _ in 0..<4 { _ = bars.press(.down) }
    #expect(bars.press(key) == nil)
    #expect(bars.message == "fixed is read-only")
    #expect(bars.entry == nil)
  }

  @Test func `Escape leaves what was typed, and q is a letter of it`() {
    var bars = Self.bars()
    #expect(request(typed("abq"), in: &bars) == nil)
    #expect(bars.entry == "abq")
    #expect(bars.press(.escape) == nil)
    #expect(bars.entry == nil)
    #expect(bars.press(.character("q")) == .end)
  }

  @Test func `a text has an end`() {
    var bars = Self.bars()
    for _ in 0..<3000 { _ = bars.press(.character("9")) }
    #expect(bars.entry?.count == 1024)
  }

  @Test func `any key leaves the help, and changes nothing`() {
    var bars = Self.bars()
    #expect(request([.character("?"), .right], in: &bars) == nil)
    #expect(!bars.showsHelp)
    #expect(request([.character("?"), .character("q")], in: &bars) == .end)
  }

  @Test func `without controls no key does anything`() {
    var bars = Bars()
    for key in [TerminalKey.up, .down, .right, .home, .enter, .character("5"), .character(" "), .escape] {
      #expect(bars.press(key) == nil)
    }
  }

  @Test func `the mark stays on its control when others go, and what was typed goes with its control`() {
    var bars = Self.bars()
    _ = request([.down, .down, .character("1")], in: &bars)
    var left = Dictionary(Self.descriptions.map { ($0.control, $0) }, uniquingKeysWith: { first, _ in first })
    left["volume"] = nil
    bars.describe(left)
    #expect(bars.markedRow?.state.control == "mute" && bars.entry == "1")
    left["mute"] = nil
    bars.describe(left)
    #expect(bars.entry == nil)
    bars.describe([:])
    #expect(bars.rows.isEmpty && bars.markedRow == nil)
  }

  @Test func `a control that comes later has its description`() {
    var bars = Bars()
    bars.describe(["mode": Self.descriptions[1]])
    bars.update(.example("mode", 1))
    #expect(bars.rows[0].names == ["fm", "am", "dab"])
  }

  @Test func `steps that wait are one call`() {
    let call = ControlCall(control: "volume", change: .step(2, .step))
    #expect(call.merged(with: call) == ControlCall(control: "volume", change: .step(4, .step)))
    #expect(call.merged(with: ControlCall(control: "volume", change: .step(2, .page))) == nil)
    #expect(call.merged(with: ControlCall(control: "bass", change: .step(2, .step))) == nil)
    #expect(call.merged(with: ControlCall(control: "volume", change: .reset)) == nil)
    #expect(call.merged(with: ControlCall(control: "volume", change: .step(.max, .step))) == nil)
  }
}

@Suite struct `The line of learn that is replaced in place` {
  @Test func `stays in its row`() {
    let line =
      "REL_DIAL of \"Contour Design ShuttleXpress jog wheel\": 12 counts to the right, and more of it"
    for isUnicode in [true, false] {
      let style = TerminalStyle(isUnicode: isUnicode, hasColour: false)
      for columns in [1, 2, 20, 40, 76, 77, 80, 200] {
        for text in [line, String(repeating: "旋鈕", count: 50), "short"] {
          let width = Conversation.fitting(text, columns, style).displayWidth
          #expect(width < columns && width <= 76)
        }
      }
      #expect(Conversation.fitting("short", 80, style) == "short")
      #expect(Conversation.fitting(line, nil, style).displayWidth == 76)
    }
  }
}
