import StepperBridge
import Testing

/// Writes whose answer is lost, values beyond a range, outsides that round by nobody knows how much.
@Suite struct BridgeTroubleTests {
  private static let control = "0 connect control 0…100 ±0.5\n"
  /// Both sides there and equal; the outside does not say how it rounds.
  private let met =
    "0 connect control 0…100 ±0.05\n0 connect outside -inf…inf ±?\n0 control 40\n0 outside 40\n"

  @Test func `what a stalled daemon does late is the echo of a write, and the newer value follows`() {
    play(
      met + """
        100 slow outside 31 -> control 31.0
        200 slow outside 45
        6000 slow lost control
        9000 slow control 31
        9000 slow resumed control -> control 45.0
        9010 slow done control
        9010 slow control 45
        60000
        """)
    // It has not done it yet when it is back.
    play(
      met + """
        100 slow outside 31 -> control 31.0
        6000 slow lost control
        9000 slow resumed control -> control 31.0
        9010 slow control 31
        9010 slow overtaken control
        9100 slow outside 45 -> control 45.0
        9110 slow done control
        9110 slow control 45
        60000
        """)
  }

  @Test func `a write without an answer is repeated, and its echo is none of another client`() {
    play(
      met + """
        100 slow outside 31 -> control 31.0
        200 slow outside 45
        5000 slow unanswered control -> control 45.0
        5010 slow control 31
        5020 slow overtaken control -> control 45.0
        5030 slow done control
        5030 slow control 45
        60000
        """)
    // The hand was faster.
    play(
      met + """
        100 slow outside 31 -> control 31.0
        200 slow control 50 -> outside 50.0
        5000 slow unanswered control
        60000
        """)
  }

  @Test func `a value that was reported while a write was in progress is not news when the write took long`()
  {
    play(
      Self.control + """
        0 connect outside 0…100 ±0.5
        0 control 40
        0 outside 40
        1000 slow outside 20 -> control 20.0
        1050 slow done control
        1100 slow outside 70 -> control 70.0
        1150 slow control 20
        3000 slow done control
        4000 slow control 70
        60000
        """)
    // Of an outside that does not say how it rounds, what it makes of the write.
    play(
      met + """
        1000 slow control 73.5 -> outside 73.5
        3100 slow outside 74
        3500 slow done outside
        4000 slow control 54.5 -> outside 54.5
        4100 slow outside 55
        4200 slow done outside
        6200 -> control 55.0
        6210 control 55
        60000
        """)
  }

  @Test func `a value beyond the range is not equal to the end of it`() {
    // The sink is at 150 %, and the control that is to begin is at its maximum.
    play(
      BridgeRules(start: .control),
      Self.control + "0 connect outside 0…100 /64\n0 control 100\n0 outside 150 -> outside 100.0\n60000")
    // The outside is to begin, and stays where it is, which is told.
    play(
      Self.control
        + "0 connect outside 0…100 /64\n0 control 100\n0 outside 150 -> clamped control 150.0\n60000")
    play(
      Self.control
        + "0 connect outside 0…100 /64\n0 control 50\n0 outside 150 -> clamped control 150.0, control 100.0")
    // A start that is not to be loud lowers it, also to the maximum of the control.
    for start in BridgeSide.allCases {
      play(
        BridgeRules(start: start, startAtMost: 100),
        Self.control + "0 connect outside 0…100 /64\n0 control 100\n0 outside 150 -> outside 100.0\n60000")
    }
    play(
      BridgeRules(startAtMost: 120),
      Self.control + "0 connect outside 0…200 ±0\n0 control 100\n0 outside 150 -> outside 100.0\n60000")
  }

  @Test func `a range that becomes smaller moves both sides, whoever begins`() {
    for start in BridgeSide.allCases {
      play(
        BridgeRules(start: start, startAtMost: 40),
        Self.control + """
          0 connect outside -inf…inf ±?
          0 control 20
          0 outside 20
          5000 outside 80 -> control 80.0
          5010 control 80
          9000 terms control 0…50 ±0.5
          9000 control 50 -> outside 50.0
          60000
          """)
    }
    // It does not lower what is in it.
    play(
      BridgeRules(startAtMost: 40),
      Self.control + """
        0 connect outside -inf…inf ±?
        0 control 20
        0 outside 20
        5000 outside 80 -> control 80.0
        5010 control 80
        9000 terms control 0…99 ±0.5
        9000 control 80
        60000
        """)
  }

  @Test func `a loud start is lowered below the limit also where there are few steps`() {
    play(
      BridgeRules(startAtMost: 38),
      Self.control
        + "0 connect outside 0…100 /4\n0 control 10\n0 outside 50 -> control 25.0, outside 25.0\n60000")
    play(
      BridgeRules(startAtMost: 45),
      Self.control
        + "0 connect outside 0…100 /4\n0 control 50\n0 outside 50 -> control 25.0, outside 25.0\n60000")
    // The control begins, with a value that the outside would make a loud one.
    play(
      BridgeRules(start: .control, startAtMost: 45),
      Self.control
        + "0 connect outside 0…100 /4\n0 control 40\n0 outside 0 -> control 25.0, outside 25.0\n60000")
    // What it shows is the limit.
    play(
      BridgeRules(startAtMost: 33),
      Self.control + "0 connect outside 0…100 /3\n0 control 33\n0 outside 33.3333333333\n60000")
  }

  @Test func `what a program makes of a value is that of the control when it rests`() {
    play(
      met + """
        10000 control 33.3 -> outside 33.3
        10300 control 37.4 -> outside 37.4
        10600 control 41.6 -> outside 41.6
        11000 outside 33
        11300 outside 37
        11600 outside 42
        13600 -> control 42.0
        13610 control 42
        60000
        """)
    // At once, and the same again.
    play(
      met + """
        10000 control 33.3 -> outside 33.3
        10001 outside 33
        10500 outside 33
        12001 -> control 33.0
        12010 control 33
        60000
        """)
    // A write takes the place of what was made of the one before.
    play(
      met + """
        10000 control 33.3 -> outside 33.3
        10001 outside 33
        11000 control 50 -> outside 50.0
        11001 outside 50
        60000
        """)
  }

  @Test func `a program that does not say what it was given says what its hand does at once, after a while`()
  {
    play(
      met + """
        10000 control 41 -> outside 41.0
        20000 outside 60 -> control 60.0
        20010 control 60
        20100 outside 61 -> control 61.0
        20110 control 61
        30000 control 50 -> outside 50.0
        31000 outside 70
        33000 -> control 70.0
        33010 control 70
        60000
        """)
  }

  @Test(arguments: [0.3, 3]) func `two programs that round differently do not chase each other`(late: Double)
  {
    // A program that rounds to 2 at the bridge, and one that rounds to 3 at the control.
    var bridge = Bridge()
    var now = Bridge.Instant.now
    var control = 67.0
    var count = 0
    var answers: [(at: Bridge.Instant, inputs: [BridgeInput])] = []
    func take(_ effects: [BridgeEffect]) {
      for case .write(let side, let value) in effects {
        count += 1
        if side == .control { control = (value / 3).rounded() * 3 }
        let given = side == .control ? [value, control] : [(value / 2).rounded() * 2]
        answers.append((now, [.written(side)]))
        for (place, value) in given.enumerated() {
          answers.append((now.advanced(by: .seconds(late * Double(place + 1))), [.value(side, value)]))
        }
      }
    }
    func apply(_ input: BridgeInput) { take(bridge.advance(to: now, applying: input)) }
    apply(.connected(.control, BridgeTerms(range: 0...100, rounding: 0.5)))
    apply(.connected(.outside, BridgeTerms(rounding: .infinity)))
    for input in [BridgeInput.value(.control, 50), .value(.outside, 50), .value(.control, 67)] {
      apply(input)
    }
    let end = now.advanced(by: .seconds(3_600))
    while let next = (answers.map(\.at) + [bridge.deadline].compactMap(\.self)).min(), next <= end {
      now = max(now, next)
      if let place = answers.firstIndex(where: { $0.at <= now }) {
        for input in answers.remove(at: place).inputs { apply(input) }
      } else {
        take(bridge.advance(to: now))
      }
    }
    // Ten, each with what follows from it, and then once in ten seconds at most.
    #expect(count <= 2 * (10 + 3_600 / 10))
    if late < 1 { #expect(count < 60 && bridge.isAtRest) }
  }
}
