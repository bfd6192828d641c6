import StepperInterfaces
import TestSupport
import Testing

@testable import StepperCommands

@Suite struct `Lines of watch --bars` {
  typealias Controls = `Keys and controls of watch --bars`

  static let unicode = TerminalStyle(isUnicode: true, hasColour: true)
  static let ascii = TerminalStyle(isUnicode: false, hasColour: false)

  private func lines(
    _ bars: Bars, _ columns: Int, _ rows: Int, _ style: TerminalStyle = unicode
  ) -> [String] {
    BarsScreen(bars: bars, size: TerminalSize(columns: columns, rows: rows), style: style).lines.map(\.text)
  }

  @Test func `a wide terminal has names, bars, values, ranges and notes`() {
    #expect(
      lines(Controls.bars(), 80, 7, Self.ascii) == [
        "> Loudness ------------------------   1 %  0..100     start",
        "  mode     fm [am] dab              am                start",
        "  mute     off [on]                 on                start",
        "  count    <......................>     1  unbounded  start",
        "  fixed    ------------------------     1  0..100     start, read-only",
        "",
        "volume 1 %, 0..100, start" + String(repeating: " ", count: 42) + "? help, q end",
      ])
  }

  @Test func `a narrow terminal scrolls to the marked control`() {
    var bars = Controls.bars()
    #expect(
      lines(bars, 20, 3) == ["> Loudn… ░░░░░   1 %", "  mode   [am]  am", "volume 1 %, 0…   1/5"])
    for _ in 0..<2 { _ = bars.press(.down) }
    #expect(lines(bars, 20, 3).first?.hasPrefix("> mute") == true)
    for _ in 0..<2 { _ = bars.press(.down) }
    #expect(lines(bars, 20, 3)[1].hasPrefix("> fixed"))
    #expect(lines(bars, 20, 1)[0].hasPrefix("> fixed"))
  }

  @Test func `who moved it, and that it is moving`() {
    var bars = Controls.bars([Controls.description("volume", unit: "%")])
    var state = ControlInterface.State.example("volume", 50, origin: .device)
    state.editing = true
    bars.update(state)
    #expect(lines(bars, 80, 2, Self.ascii)[0].hasSuffix("moving, device"))
    bars.note("knob", movingControl: "volume")
    #expect(lines(bars, 80, 2, Self.ascii)[0].hasSuffix("moving, knob"))
    #expect(lines(bars, 80, 2, Self.ascii)[0].hasPrefix(">*volume"))
    #expect(lines(bars, 20, 2)[0].hasPrefix(">*"))
    state.live = false
    state.origin = .client
    bars.update(state)
    #expect(lines(bars, 80, 2, Self.ascii)[0].hasSuffix("moving, client, no device"))
  }

  @Test func `what is not set has an empty bar`() {
    var bars = Controls.bars([Controls.description("volume")])
    var state = ControlInterface.State.example("volume")
    (state.value, state.text) = (nil, nil)
    bars.update(state)
    #expect(lines(bars, 40, 2, Self.ascii)[0] == "> volume ----------------- unset  0..100")
  }

  @Test(
    arguments: [
      (0, 0, 100, 0), (50, 0, 100, 0.5), (100, 0, 100, 1), (200, 0, 100, 1), (-1, 0, 100, 0), (5, 5, 5, 1),
      (0, -.greatestFiniteMagnitude, .greatestFiniteMagnitude, 0.5), (.nan, 0, 1, 0), (.infinity, 0, 1, 0),
      (0, 1, -1, 1),
    ] as [(Double, Double, Double, Double)]) func `the part of a bar that is filled`(
      value: Double, minimum: Double, maximum: Double, fraction: Double
    )
  {
    #expect(BarText.fraction(of: value, from: minimum, to: maximum) == fraction)
  }

  @Test func `bars count in eighths of a character`() {
    var bars = Controls.bars([Controls.description("a", range: (0, 80))])
    for (value, bar) in [(0.0, "░░░░░░░░░░"), (1, "▏░░░░░░░░░"), (43, "█████▍░░░░"), (80, "██████████")] {
      bars.update(.example("a", value))
      #expect(BarText(width: 10, style: Self.unicode).text(of: bars.rows[0]) == bar)
    }
  }

  @Test(arguments: [
    (30, "one two [three] four five"), (18, "two [three] four"), (8, "[three]"), (5, "[thr…"),
  ])
  func `of many choices those around the present one`(width: Int, text: String) {
    var bars = Controls.bars([
      Controls.description("a", .choice, choices: ["one", "two", "three", "four", "five"])
    ])
    bars.update(.example("a", 2))
    #expect(BarText(width: width, style: Self.unicode).text(of: bars.rows[0]) == text)
  }

  @Test func `an entry shows its end, and a warning comes before the control`() {
    var bars = Controls.bars()
    for character in "0123456789" { _ = bars.press(.character(character)) }
    #expect(lines(bars, 40, 3).last == "volume: 0123456789_")
    #expect(lines(bars, 16, 3).last == "volume: 3456789_")
    #expect(lines(bars, 16, 1) == ["volume: 3456789_"])
    _ = bars.press(.escape)
    bars.show(message: "volume cannot be 300")
    #expect(lines(bars, 40, 3).last == "volume cannot be 300")
    bars.connectionChanged(isConnected: false)
    #expect(lines(bars, 40, 3).last == "connection lost, trying again")
  }

  /// Controls with names, titles, units and choices in scripts of all widths.
  private static func any(using random: inout SeededGenerator) -> Bars {
    let alphabet = ["a", "音", "é", "e\u{301}", "👩‍👩‍👧", "\u{202e}", "\u{200b}", "x\u{1b}[2J", "ｗ", " ", "🇩🇪"]
    func text() -> String {
      (0..<Int.random(in: 0...12, using: &random)).map { _ in alphabet.randomElement(using: &random) ?? "" }
        .joined()
    }
    let numbers: [Double?] = [nil, 0, -1e300, 1e300, 0.5, -40, 100]
    var bars = Bars()
    var descriptions: [String: ControlInterface.Description] = [:]
    for index in 0..<Int.random(in: 0...20, using: &random) {
      let kind =
        [ControlInterface.Kind.continuous, .choice, .toggle, .button].randomElement(using: &random) ?? .toggle
      let ends = (numbers.randomElement(using: &random) ?? nil, numbers.randomElement(using: &random) ?? nil)
      descriptions["c\(index)"] = Controls.description(
        "c\(index)", kind, title: text(), unit: text(), range: ends, choices: (0..<3).map { _ in text() },
        writable: Bool.random(using: &random))
      var state = ControlInterface.State.example("c\(index)", 1)
      state.value = numbers.randomElement(using: &random) ?? nil
      state.text = state.value == nil ? nil : text()
      state.editing = Bool.random(using: &random)
      bars.update(state)
      bars.note(text(), movingControl: "c\(index)")
    }
    if Bool.random(using: &random) { bars.describe(descriptions) }
    let keys: [TerminalKey] = [
      .down, .character("5"), .character("音"), .character("?"), .enter, .escape, .up,
    ]
    for _ in 0..<Int.random(in: 0...12, using: &random) {
      _ = bars.press(keys.randomElement(using: &random) ?? .up)
    }
    return bars
  }

  @Test(arguments: Seed.fresh(20)) func `no line is wider and no screen higher than the terminal`(seed: Seed)
  {
    var random = SeededGenerator(seed)
    for _ in 0..<60 {
      let bars = Self.any(using: &random)
      let size = TerminalSize(
        columns: Int.random(in: 1...100, using: &random), rows: Int.random(in: 1...12, using: &random))
      let style = Bool.random(using: &random) ? Self.unicode : Self.ascii
      let lines = BarsScreen(bars: bars, size: size, style: style).lines
      #expect(lines.count <= size.rows)
      for line in lines {
        #expect(line.text.displayWidth <= size.columns, "\(line.text) in \(size)")
        #expect(style.isUnicode || line.text.allSatisfy(\.isASCII))
        #expect(!line.text.unicodeScalars.contains { $0.properties.generalCategory == .control })
      }
    }
  }
}

@Suite struct `What a terminal is sent` {
  private func line(_ text: String) -> ScreenLine {
    var line = ScreenLine(width: 80)
    line.add(text, at: 0)
    return line
  }

  @Test func `only lines that changed, unless the size did`() {
    var screen = Screen()
    let style = TerminalStyle(isUnicode: true, hasColour: true)
    let size = TerminalSize(columns: 80, rows: 24)
    let first = screen.update(to: [line("a"), line("b")], size, style)
    #expect(first == "\u{1b}[0m\u{1b}[2J\u{1b}[1;1H\u{1b}[2K\u{1b}[1Ga\u{1b}[2;1H\u{1b}[2K\u{1b}[1Gb")
    #expect(screen.update(to: [line("a"), line("b")], size, style) == "")
    #expect(screen.update(to: [line("a"), line("c")], size, style) == "\u{1b}[2;1H\u{1b}[2K\u{1b}[1Gc")
    #expect(screen.update(to: [line("a")], size, style) == "\u{1b}[2;1H\u{1b}[2K")
    let small = TerminalSize(columns: 79, rows: 24)
    #expect(screen.update(to: [line("a")], small, style).hasPrefix("\u{1b}[0m\u{1b}[2J"))
    screen.forget()
    #expect(screen.update(to: [line("a")], small, style).contains("a"))
  }

  @Test func `no colours where they are not wanted`() {
    var line = ScreenLine(width: 80)
    line.add("a", at: 0, .note)
    line.add("b", at: 3, .strong)
    #expect(line.text == "a  b")
    #expect(
      line.encoded(row: 0, TerminalStyle(isUnicode: true, hasColour: false))
        == "\u{1b}[1;1H\u{1b}[2K\u{1b}[1Ga\u{1b}[4G\u{1b}[1mb\u{1b}[0m")
    #expect(line.encoded(row: 0, TerminalStyle(isUnicode: true, hasColour: true)).contains("\u{1b}[33ma"))
  }

  @Test(
    arguments: [
      (["LANG": "de_DE.UTF-8", "TERM": "xterm"], true, true),
      (["LC_ALL": "C.utf8", "LANG": "C", "TERM": "linux"], true, true),
      (["LC_ALL": "C", "LANG": "de_DE.UTF-8", "TERM": "xterm", "NO_COLOR": "1"], false, false),
      (["TERM": "vt100"], false, true), (["TERM": "dumb"], false, false), ([:], false, false),
    ] as [([String: String], Bool, Bool)]) func `the environment says what a terminal shows`(
      environment: [String: String], isUnicode: Bool, hasColour: Bool
    )
  {
    let style = TerminalStyle(environment: { environment[$0] })
    #expect(style == TerminalStyle(isUnicode: isUnicode, hasColour: hasColour))
  }

  @Test func `a size that is not known comes from the environment, and has limits`() {
    #expect(
      TerminalSize(
        reportedColumns: 0, reportedRows: 0, environment: { ["LINES": "10", "COLUMNS": "40"][$0] })
        == TerminalSize(columns: 40, rows: 10))
    #expect(
      TerminalSize(reportedColumns: 0, reportedRows: 0, environment: { _ in nil })
        == TerminalSize(columns: 80, rows: 24))
    #expect(TerminalSize(columns: 65_535, rows: -1) == TerminalSize(columns: 500, rows: 1))
  }
}
