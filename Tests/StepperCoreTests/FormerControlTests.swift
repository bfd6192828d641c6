import StepperCore
import Testing

/// Identifiers do not outlive the configuration that they belong to.
@Suite struct FormerControlTests {
  private let now = Instant.milliseconds(0)

  private func configuration(_ names: String...) -> EngineConfiguration {
    EngineConfiguration(controls: names.map { ControlSettings(name: $0) }, devices: [])
  }

  private func value(_ number: FixedPoint) -> SetRequest { SetRequest(number) }

  @Test func `an identifier of a former configuration is refused and changes nothing`() throws {
    var engine = Engine(configuration("bass", "volume"), at: now)
    let bass = try #require(engine.control(named: "bass"))
    _ = engine.advance(to: now, applying: .set(bass, value(7)))
    // What was the first control is another one now, and the second has its name.
    _ = engine.advance(to: now, applying: .configured(configuration("volume", "bass")))
    let before = engine
    let inputs: [Input] = [
      .set(bass, value(9)), .step(bass, 1, .step), .reset(bass), .adjust(bass, Adjustment(maximumValue: 5)),
      .restored(bass, 3),
    ]
    for input in inputs {
      #expect(engine.advance(to: now, applying: input) == [.refuse(bass, .unknownControl)], "\(input)")
    }
    #expect(engine == before)
    #expect(engine[bass] == nil)
    #expect(engine.adjustedSettings(of: bass) == nil)
    #expect(!engine.ids.contains(bass))
  }

  @Test func `the same configuration read again has other identifiers`() throws {
    var engine = Engine(configuration("volume"), at: now)
    let former = try #require(engine.control(named: "volume"))
    _ = engine.advance(to: now, applying: .set(former, value(7)))
    let effects = engine.advance(to: now, applying: .configured(configuration("volume")))
    let present = try #require(engine.control(named: "volume"))
    #expect(former != present)
    #expect(former < present)
    #expect(engine[former] == nil)
    #expect(engine[present]?.value == 7)
    #expect(engine[present]?.control == present)
    for case .publish(let state) in effects { #expect(state.control == present) }
    #expect(engine.advance(to: now, applying: .set(present, value(8))).count == 2)
    #expect(engine[present]?.value == 8)
  }

  @Test(arguments: [-1, 2, Int.max, Int.min])
  func `an identifier of no control is refused`(index: Int) {
    var engine = Engine(configuration("bass", "volume"), at: now)
    let id = ControlID(index, generation: 0)
    #expect(engine[id] == nil)
    #expect(engine.advance(to: now, applying: .reset(id)) == [.refuse(id, .unknownControl)])
  }

  @Test func `identifiers are in the order of the configuration`() {
    let engine = Engine(configuration("treble", "bass", "volume"), at: now)
    #expect(engine.ids.compactMap { engine.adjustedSettings(of: $0)?.name } == ["treble", "bass", "volume"])
    #expect(engine.ids.sorted() == engine.ids)
    #expect(["treble", "bass", "volume"].map { engine.control(named: $0) } == engine.ids)
    #expect(engine.control(named: "alto") == nil)
  }

  @Test func `settings as adjusted belong to the configuration that was adjusted`() throws {
    let configured = configuration("volume")
    var engine = Engine(configured, at: now)
    let id = try #require(engine.control(named: "volume"))
    _ = engine.advance(to: now, applying: .adjust(id, Adjustment(maximumValue: 50)))
    #expect(engine.adjustedSettings(of: id)?.maximumValue == 50)
    #expect(configured.controls[0].maximumValue == 100)
    _ = engine.advance(to: now, applying: .configured(configured))
    #expect(engine.ids.map { engine.adjustedSettings(of: $0)?.maximumValue } == [100])
  }
}
