import StepperBridge
import Testing

/// Each rule of the contract.
@Suite struct BridgeTests {
  /// Both sides there and equal.
  private let met = """
    0 connect control 0…100 ±0.5
    0 connect outside 0…100 ±0.8
    0 control 40
    0 outside 40

    """

  @Test func `a change of one side is written to the other`() {
    play(met + "100 control 41 -> outside 41.0\n200 outside 60 -> control 60.0")
  }

  @Test func `an echo is no news, however late it comes`() {
    play(
      met + """
        100 control 41 -> outside 41.0
        200 control 42 -> outside 42.0
        90000 outside 41.5
        90001 outside 41.5
        90002 outside 41.5
        """)
    play(
      met + """
        100 control 50 -> outside 50.0
        200 control 60 -> outside 60.0
        90000 outside 50.3
        91000 outside 60.2
        200000
        """)
  }

  @Test func `a side that rests at an older value was set to it`() {
    play(
      met + """
        100 control 50 -> outside 50.0
        200 control 60 -> outside 60.0
        300 outside 50
        2300 -> control 50.0
        """)
  }

  @Test func `an outside that does less than it is told is told as it is`() {
    play(
      met + """
        100 control 50 -> outside 50.0
        110 outside 45 -> control 45.0
        120 control 45
        200 control 50 -> outside 50.0
        210 outside 45
        2210 -> control 45.0
        """)
  }

  @Test func `two outsides that round differently do not correct each other for ever`() {
    var text = met + "100 control 7 -> outside 7.0\n110 outside 6 -> control 6.0\n120 control 6\n"
    // The other bridge brings the control back each time. Ten and what is given in 30 seconds.
    for round in 0...13 {
      let time = 1_000 + 2_500 * round
      text += "\(time) control 7 -> outside 7.0\n\(time + 10) outside 6\n"
      if round < 13 { text += "\(time + 2_010) -> control 6.0\n\(time + 2_020) control 6\n" }
    }
    play(text + "3600000")
  }

  @Test func `values of the outside wait for the end of the gesture, the newest only`() {
    play(met + "100 edit\n110 outside 70\n120 outside 80\n500 rest -> control 80.0")
  }

  @Test func `what the hand does during its gesture is newer than what waits`() {
    play(met + "100 edit\n110 outside 70\n200 control 41 -> outside 41.0\n205 outside 41\n500 rest")
  }

  @Test func `the hand's changes go on while the outside changes`() {
    play(
      met + """
        100 edit
        110 control 41 -> outside 41.0
        115 outside 41
        200 outside 90
        300 rest -> control 90.0
        """)
  }

  @Test(arguments: [BridgeSide.control, .outside])
  func `who begins`(start: BridgeSide) {
    let written = start == .control ? "outside 30.0" : "control 70.0"
    play(
      BridgeRules(start: start),
      """
      0 connect control 0…100 ±0.5
      0 control 30
      0 connect outside 0…100 ±0
      10 outside 70 -> \(written)
      """)
  }

  @Test func `a loud start is lowered on both sides`() {
    play(
      BridgeRules(start: .outside, startAtMost: 40),
      """
      0 connect control 0…100 ±0.5
      0 connect outside 0…100 ±0
      0 control 90
      10 outside 70 -> control 40.0, outside 40.0
      """)
    play(
      BridgeRules(start: .control, startAtMost: 40),
      """
      0 connect control 0…100 ±0.5
      0 connect outside 0…100 ±0
      0 control 90
      10 outside 20 -> control 40.0, outside 40.0
      """)
  }

  /// Both were lowered, and the outside was set back to what it had been before its write came back.
  @Test func `what was set back while both are written counts, although the other side still has it`() {
    play(
      BridgeRules(start: .outside, startAtMost: 40),
      """
      0 connect control 0…100 ±0.5
      0 connect outside 0…80 ±0.25
      0 control 80
      0 outside 80 -> control 40.0, outside 40.0
      100 outside 80
      2100 -> control 80.0
      2200 control 40
      2300 control 80
      """)
  }

  @Test func `an outside that does not say its value waits for a hand if it is to begin`() {
    play(
      """
      0 connect control 0…100 ±0.5
      0 connect outside 0…100 ±0
      0 outside unset
      0 control 40
      100 control 41 -> outside 41.0
      """)
    play(
      BridgeRules(start: .control),
      "0 connect outside 0…100 ±0\n0 connect control 0…100 ±0.5\n0 control 40\n0 outside unset -> outside 40.0"
    )
  }

  @Test func `an unset control takes the value of the outside`() {
    play(
      BridgeRules(start: .control),
      "0 connect outside 0…100 ±0\n0 connect control 0…100 ±0.5\n0 control unset\n5 outside 7 -> control 7.0")
  }

  @Test func `the rate is kept, and the last value arrives`() {
    play(
      BridgeRules(rate: 10),
      met + """
        100 control 41 -> outside 41.0
        110 control 42
        120 control 43
        200 -> outside 43.0
        250 control 44
        260 control 43
        300 -> outside 43.0
        """)
  }

  @Test func `one write at a time`() {
    play(
      met + """
        100 slow control 41 -> outside 41.0
        200 slow control 42
        300 slow control 43
        900 slow done outside -> outside 43.0
        """)
  }

  @Test func `the latest wins where both sides change`() {
    play(
      BridgeRules(rate: 10),
      met + """
        100 slow control 41 -> outside 41.0
        101 slow outside 70 -> control 70.0
        102 slow outside 41
        110 done control
        110 done outside
        201 -> control 41.0
        """)
  }

  @Test func `a write that was overtaken is repeated unless the hand did something else`() {
    play(
      BridgeRules(rate: 10),
      met + """
        100 slow outside 70 -> control 70.0
        101 overtaken control
        200 -> control 70.0
        """)
    play(
      BridgeRules(rate: 10),
      met + """
        100 slow outside 70 -> control 70.0
        101 slow control 41 -> outside 41.0
        102 overtaken control
        103 done outside
        400
        """)
  }

  @Test func `a write that was refused is not repeated`() {
    play(met + "100 slow outside 70 -> control 70.0\n101 refused control\n9000")
  }

  @Test func `only the latest value is sent to an outside that is back`() {
    play(
      BridgeRules(start: .control),
      met + """
        100 lost outside
        200 control 41
        300 control 42
        400 connect outside 0…100 ±0.8
        401 outside 10 -> outside 42.0
        """)
    play(
      met + "100 lost outside\n200 control 41\n400 connect outside 0…100 ±0\n401 outside 10 -> control 10.0")
  }

  @Test func `a daemon that was always there gets what changed meanwhile`() {
    play(met + "100 lost control\n200 outside 70\n210 outside 71\n300 resumed control -> control 71.0")
    // Both changed: what is heard of last counts.
    play(
      met
        + "100 lost control\n200 outside 70\n300 slow resumed control -> control 70.0\n301 control 41 -> outside 41.0"
    )
  }

  @Test func `a write that is on its way while the two meet is followed by what they agree on`() {
    play(
      """
      0 connect control 0…100 ±2.5
      0 connect outside 0…100 ±0.5
      0 control 50
      0 outside 50
      100 slow outside 57 -> control 57.0
      200 lost outside
      300 connect outside 0…100 ±0.5
      300 outside 50
      400 done control -> control 50.0
      500 control 55
      600 control 50
      90000
      """)
  }

  @Test func `a daemon that is another one meets the outside anew`() {
    play(
      met + "100 lost control\n200 outside 70\n300 connect control 0…100 ±0.5\n301 control 40 -> control 70.0"
    )
  }

  @Test func `a write that the loss of its side interrupted is made when it is back`() {
    play(
      met + "100 slow outside 70 -> control 70.0\n101 lost control\n300 slow resumed control -> control 70.0")
  }

  @Test func `beyond the range a value is clamped, and that is told once`() {
    play(
      met + """
        100 outside 150 -> clamped control 150.0, control 100.0
        101 control 100
        1000 outside 120
        2000 control 99 -> outside 99.0
        2001 outside 99
        3000 outside 140 -> control 100.0
        """)
  }

  @Test func `a mute is a bridge of its own`() {
    play(
      """
      0 connect control 0…1 ±0.5
      0 connect outside 0…1 ±0.5
      0 control 0
      0 outside 1 -> control 1.0
      5 control 1
      10 control 0 -> outside 0.0
      12 outside 0
      20 outside 1 -> control 1.0
      """)
  }
}
