import StepperCore
import Testing

/// Times that do not fit are "never"; nothing overflows.
@Suite struct InstantTests {
  @Test func `a sum saturates`() {
    let late = Instant(nanoseconds: .max - 5)
    #expect(late + .nanoseconds(4) < .distantFuture)
    #expect(late + .nanoseconds(6) == .distantFuture)
    #expect(late + .seconds(Int64.max) == .distantFuture)
    #expect(Instant(nanoseconds: .min + 5) + .nanoseconds(-6) == .distantPast)
    #expect(Instant.milliseconds(.max) == .distantFuture)
    #expect(Instant.milliseconds(.min) == .distantPast)
  }

  @Test func `a difference saturates`() {
    #expect(Instant.distantFuture - .distantPast == .nanoseconds(Int64.max))
    #expect(Instant.distantPast - .distantFuture == .nanoseconds(Int64.min))
    #expect(Instant.distantFuture - .distantFuture == .zero)
    #expect(Instant.milliseconds(3) - .milliseconds(5) == .milliseconds(-2))
  }

  @Test(
    arguments: [
      (Duration.seconds(Int64.max), Int64.max), (.seconds(Int64.min), .min), (.milliseconds(1), 1_000_000),
      (.nanoseconds(Int64.max), .max), (.nanoseconds(Int64.min), .min), (.microseconds(-1), -1_000),
    ])
  func `a duration in nanoseconds saturates`(duration: Duration, nanoseconds: Int64) {
    #expect(duration.nanoseconds == nanoseconds)
  }

  /// A hold whose repeat lies beyond all time steps once and is never due again.
  @Test func `a deadline beyond all time is no deadline`() {
    var settings = ControlSettings(name: "volume")
    settings.feel.repeatSchedule = RepeatSchedule(delay: .seconds(Int64.max), interval: .seconds(Int64.max))
    settings.bindings = [
      Binding(InputReference(device: "panel", usage: VirtualInput.plus.usage), .step(.increment, .step))
    ]
    var engine = Engine(
      EngineConfiguration(controls: [settings], devices: [DeviceSettings(name: "panel")]),
      at: .milliseconds(1))
    _ = engine.advance(
      to: .milliseconds(1), applying: .deviceAdded(DeviceNumber(0), .virtual(settingsName: "panel")))
    _ = engine.advance(
      to: .milliseconds(2), applying: .frame(DeviceNumber(0), [EvdevEvent(VirtualInput.plus.usage, 1)]))
    #expect(engine.deadline == nil)
    #expect(engine.advance(to: .distantFuture) == [])
    #expect(engine[ControlID(0, generation: 0)]?.value == 1)
    _ = engine.advance(to: .distantFuture, applying: .timeSkipped(by: .seconds(Int64.max)))
    #expect(engine.advance(to: .distantFuture) == [])
  }
}
