import StepperText
import Testing

@Suite struct DurationNumeralTests {
  @Test(arguments: [
    ("500ms", Duration.milliseconds(500)), ("1.5s", .milliseconds(1_500)), ("2m", .seconds(120)),
    ("1h", .seconds(3_600)), ("-1s", .seconds(-1)), ("0.000000001s", .nanoseconds(1)), ("0ms", .zero),
  ])
  func `a number and a unit are a duration, however it is given`(text: String, duration: Duration) {
    #expect(DurationNumeral(text, .configuration)?.duration == duration)
    #expect(DurationNumeral(text, .commandLine)?.duration == duration)
  }

  @Test(arguments: [
    ("2", Duration.seconds(2)), (".5s", .milliseconds(500)), ("1e1s", .seconds(10)), ("+1s", .seconds(1)),
  ])
  func `the command line takes more ways to write it than the configuration`(text: String, duration: Duration)
  {
    #expect(DurationNumeral(text, .configuration) == nil)
    #expect(DurationNumeral(text, .commandLine)?.duration == duration)
  }

  @Test(arguments: [
    "", "s", "ms", "1d", "1 s", "1s ", "1,5s", "0x1s", "nans", "--1s", "1-s", "1.2.3s", "1S", "１s", "1µs",
    String(repeating: "1", count: 70) + "s",
  ])
  func `anything else is no duration`(text: String) {
    #expect(DurationNumeral(text, .configuration) == nil)
    #expect(DurationNumeral(text, .commandLine) == nil)
  }

  @Test(arguments: ["9999h", "999999999999999999s", "-31622401s", "9223372036854775807ms"])
  func `more than a year is too long to be one`(text: String) throws {
    #expect(try #require(DurationNumeral(text, .configuration)).duration == nil)
  }

  @Test(arguments: [
    (Duration.zero, "0s"), (.milliseconds(40), "40ms"), (.milliseconds(1_500), "1500ms"), (.seconds(2), "2s"),
    (.seconds(120), "2m"), (.seconds(7_200), "2h"), (.nanoseconds(1), "0.000001ms"),
  ])
  func `a duration is written in the largest unit that needs no fraction`(duration: Duration, text: String) {
    #expect(duration.text == text)
    #expect(DurationNumeral(text, .configuration)?.duration == duration)
  }
}
