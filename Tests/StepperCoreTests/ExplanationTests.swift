import StepperConfiguration
import StepperCore
import TestSupport
import Testing

/// The effect of an event, and why it has none.
@Suite struct ExplanationTests {
  /// A control behind the front panel, in virtual time.
  private struct Bench {
    var engine: Engine
    private var time: Int64 = 0

    init(_ options: String, value: FixedPoint? = nil, device: String = "") throws {
      try self.init(["control volume \(options)", "device panel \(device)"])
      if let value { set(value) }
    }

    init(_ lines: [String], device: String = "panel", usages: Set<EvdevUsage> = []) throws {
      engine = Engine(try configurationFrom(lines), at: .milliseconds(0))
      var capabilities = DeviceCapabilities.virtual(settingsName: device)
      capabilities.usages.formUnion(usages)
      _ = engine.advance(to: .milliseconds(0), applying: .deviceAdded(DeviceNumber(0), capabilities))
    }

    mutating func set(_ value: FixedPoint) { apply(.set(engine.ids[0], SetRequest(value))) }

    mutating func apply(_ input: Input) { _ = engine.advance(to: .milliseconds(time), applying: input) }

    mutating func wait(_ milliseconds: Int64) {
      time += milliseconds
      _ = engine.advance(to: .milliseconds(time))
    }

    /// `changed 3 4`; the outcome of the first control, and its value before and after if they differ.
    mutating func frame(_ events: (EvdevUsage, Int32)...) -> [String] {
      let frame = Input.frame(DeviceNumber(0), EvdevEvents(events.map { EvdevEvent($0.0, $0.1) }))
      let former = engine
      let explanations = engine.explanations(of: frame, at: .milliseconds(time))
      #expect(engine == former)
      apply(frame)
      return explanations.map { explanation in
        let isSame = explanation.before == explanation.after
        return
          ([explanation.outcome.rawValue]
          + (isSame ? [] : [explanation.before, explanation.after].map { $0?.description ?? "unset" }))
          .joined(separator: " ")
      }
    }

    mutating func plus(_ value: Int32 = 1) -> [String] { frame((.volumeUp, value)) }
    mutating func minus(_ value: Int32 = 1) -> [String] { frame((.volumeDown, value)) }
    mutating func dial(_ value: Int32) -> [String] { frame((.dial, value)) }
    mutating func push(_ value: Int32 = 1) -> [String] { frame((.button0, value)) }
    mutating func fader(_ value: Int32) -> [String] { frame((.absoluteVolume, value)) }
  }

  private static let buttons = "maximum=3 increment=panel:plus decrement=panel:minus"

  // MARK: Turns

  @Test func `a turn changes the value, up to both ends`() throws {
    var bench = try Bench("maximum=3 rotate=panel:dial")
    #expect(bench.dial(2) == ["changed 0 2"])
    #expect(bench.dial(2) == ["changed 2 3"])
    #expect(bench.dial(1) == ["limit"])
    #expect(bench.dial(-3) == ["changed 3 0"])
    #expect(bench.dial(-1) == ["limit"])
    #expect(bench.plus() == [])
  }

  @Test func `a turn wraps, and once around is no end`() throws {
    var bench = try Bench("maximum=3 wraps rotate=panel:dial", value: 3)
    #expect(bench.dial(1) == ["changed 3 0"])
    #expect(bench.dial(-1) == ["changed 0 3"])
    #expect(bench.dial(4) == ["noted"])
  }

  @Test func `a turn is multiplied`() throws {
    var bench = try Bench("maximum=100 rotate={input=\"panel:dial\",multiplier=10}")
    #expect(bench.dial(2) == ["changed 0 20"])
  }

  @Test func `a turn of less than a detent is partial, in both directions`() throws {
    var bench = try Bench("minimum=-9 rotate=panel:dial", value: 0, device: "counts-per-detent=4")
    #expect(
      [bench.dial(3), bench.dial(1), bench.dial(-3), bench.dial(-1)] == [
        ["partial"], ["changed 0 1"], ["partial"], ["changed 1 0"],
      ])
    #expect(bench.frame((.dial, 1), (.dial, -1)) == ["partial"])
  }

  @Test func `of the two reports of a wheel the fine one counts`() throws {
    var bench = try Bench(
      ["control volume maximum=9 rotate=mouse:REL_WHEEL"], device: "mouse",
      usages: [.wheel, .wheelHighResolution])
    #expect(bench.frame((.wheelHighResolution, 60)) == ["partial"])
    #expect(bench.frame((.wheelHighResolution, 60), (.wheel, 1)) == ["changed 0 1", "noted 0 1"])
    #expect(bench.frame((.wheel, 1), (.wheelHighResolution, 120)) == ["noted 1 2", "changed 1 2"])
    // It promises the fine one, and does not send it.
    #expect(bench.frame((.wheel, 1)) == ["changed 2 3"])
  }

  @Test func `a turn has its detents, also of an inverted device and at an end`() throws {
    let bench = try Bench("maximum=9 rotate=panel:dial", device: "counts-per-detent=4 invert=true")
    func detents(_ counts: Int32) -> [Int64?] {
      let frame = Input.frame(DeviceNumber(0), [EvdevEvent(.dial, counts), EvdevEvent(.button0, 1)])
      return bench.engine.explanations(of: frame, at: .milliseconds(0)).map(\.detents)
    }
    #expect([detents(9), detents(3), detents(-4)] == [[-2], [0], [1]])
  }

  // MARK: Buttons

  @Test func `a press changes the value, a release and the kernel's autorepeat are noted`() throws {
    var bench = try Bench(Self.buttons)
    #expect(bench.plus() == ["changed 0 1"])
    #expect(bench.plus(2) == ["noted"])
    #expect(bench.plus() == ["noted"])
    #expect(bench.plus(0) == ["noted"])
    #expect(bench.minus() == ["changed 1 0"])
    #expect(bench.minus(0) == ["noted"])
    #expect(bench.minus() == ["limit"])
  }

  @Test(arguments: ["live", "off"])
  func `a press at an end is at the limit`(_ buttons: String) throws {
    var bench = try Bench(Self.buttons + " limit-buttons=\(buttons)", value: 3)
    #expect(bench.plus() == ["limit"])
    #expect(bench.plus(0) == ["noted"])
    bench.set(0)
    #expect(bench.minus() == ["limit"])
  }

  @Test func `a step at the release is noted at the press`() throws {
    var bench = try Bench(Self.buttons + " first-step=release")
    #expect([bench.plus(), bench.plus(0)] == [["noted"], ["changed 0 1"]])
  }

  @Test func `a partial step that is refused is at the limit`() throws {
    var bench = try Bench(Self.buttons + " step=2 partial-step=refuse", value: 2)
    #expect(bench.plus() == ["limit"])
  }

  @Test func `a second press is held, or counts`() throws {
    var bench = try Bench(Self.buttons + " second-press=ignore", value: 1)
    #expect(
      [bench.plus(), bench.minus(), bench.minus(0), bench.plus(0)] == [
        ["changed 1 2"], ["held"], ["noted"], ["noted"],
      ])
    bench = try Bench(Self.buttons + " second-press=take-over", value: 1)
    #expect([bench.plus(), bench.minus()] == [["changed 1 2"], ["changed 2 1"]])
  }

  @Test func `a push has its action at once, later, or none`() throws {
    var bench = try Bench("maximum=9 push={input=\"panel:push\",short=\"reset\"}", value: 5)
    #expect(
      [bench.push(), bench.push(0), bench.push(), bench.push(0)] == [
        ["noted"], ["changed 5 0"], ["noted"], ["noted"],
      ])
    bench = try Bench("maximum=9 reset=panel:push", value: 5)
    #expect([bench.push(), bench.push(0), bench.push()] == [["changed 5 0"], ["noted"], ["noted"]])
  }

  // MARK: Modifiers

  @Test func `a modifier takes the turn to another control, and is noted itself`() throws {
    var bench = try Bench([
      "control volume maximum=9 rotate=panel:dial",
      "control bass maximum=9 rotate={input=\"panel:dial\",while=\"panel:push\"}", "device panel",
    ])
    #expect(bench.dial(1) == ["changed 0 1", "modifier"])
    #expect(bench.push() == ["noted"])
    #expect(bench.dial(1) == ["modifier", "changed 0 1"])
    #expect(bench.push(0) == ["noted"])
    // A frame acts in its order.
    #expect(bench.frame((.dial, 1), (.button0, 1)) == ["changed 1 2", "modifier", "noted"])
    #expect(bench.push(0) == ["noted"])
    #expect(bench.frame((.button0, 1), (.dial, 1)) == ["noted 1 2", "modifier", "changed 1 2"])
  }

  @Test func `a binding of another layer says so`() throws {
    var bench = try Bench([
      "control mode kind=toggle reset=panel:minus push=panel:push",
      "control volume maximum=9 rotate={input=\"panel:dial\",when={mode=\"off\"}}",
      "control bass maximum=9 rotate={input=\"panel:dial\",when={mode=\"on\"}}", "device panel",
    ])
    #expect(bench.dial(1) == ["changed 0 1", "layer"])
    #expect(bench.push() == ["changed 0 1"])
    #expect(bench.dial(1) == ["layer", "changed 0 1"])
    #expect(bench.push(0) == ["noted"])
    #expect(bench.frame((.button0, 1), (.dial, 1)) == ["changed 1 0", "changed 1 2", "layer"])
  }

  // MARK: Faders

  @Test func `a fader changes the value, and less than its noise is partial`() throws {
    var bench = try Bench("absolute=panel:fader")
    #expect(bench.fader(500) == ["changed 0 50"])
    // Within one value.
    #expect(bench.fader(501) == ["partial"])
    #expect(bench.fader(1000) == ["changed 50 100"])
    #expect(bench.fader(1000) == ["partial"])
    #expect(bench.fader(0) == ["changed 100 0"])
  }

  @Test func `a fader that has not reached the value has not picked it up`() throws {
    var bench = try Bench("absolute=panel:fader pickup=soft", value: 50)
    #expect(bench.fader(200) == ["pickup"])
    #expect(bench.fader(600) == ["changed 50 60"])
    bench.set(60)
    #expect(bench.fader(300) == ["changed 60 30"])
    // A movement that leads to the value that it has.
    bench = try Bench("absolute=panel:fader", value: 70)
    #expect(bench.fader(700) == ["noted"])
  }

  // MARK: Controls

  @Test func `a control that is not enabled says so`() throws {
    var bench = try Bench(
      "enabled=false increment=panel:plus rotate=panel:dial absolute=panel:fader push=panel:push")
    #expect(
      [bench.plus(), bench.dial(1), bench.fader(500), bench.push()] == [
        ["disabled"], ["disabled"], ["disabled"], ["disabled"],
      ])
    #expect(bench.plus(0) == ["noted"])
  }

  @Test func `a control without a value says so`() throws {
    var bench = try Bench("profile=winui maximum=9 increment=panel:plus rotate=panel:dial")
    bench.apply(.set(bench.engine.ids[0], SetRequest(nil)))
    #expect([bench.plus(), bench.dial(1)] == [["unset"], ["unset"]])
  }

  @Test func `each control that an input is bound to has its outcome`() throws {
    var bench = try Bench([
      "control volume maximum=9 rotate=panel:dial", "control bass maximum=0 rotate=panel:dial",
      "control treble enabled=false rotate=panel:dial", "device panel",
    ])
    #expect(bench.dial(1) == ["changed 0 1", "limit", "disabled"])
  }

  @Test func `the values are those before and after the frame, the outcomes those of the events`() throws {
    var bench = try Bench("maximum=9 increment=panel:plus reset=panel:push rotate=panel:dial")
    #expect(
      bench.frame((.volumeUp, 1), (.button0, 1), (.dial, 2)) == ["changed 0 2", "changed 0 2", "changed 0 2"])
    #expect(bench.frame((.button0, 1), (.dial, 2)) == ["changed", "changed"])
  }

  @Test func `a frame is explained at its time`() throws {
    var bench = try Bench("maximum=9 push={input=\"panel:push\",long=\"reset\"} rotate=panel:dial", value: 5)
    _ = bench.push()
    let release = Input.frame(DeviceNumber(0), [EvdevEvent(.button0, 0)])
    // The long press is recognized before.
    let explained = bench.engine.explanations(of: release, at: .milliseconds(900))
    #expect(explained.map(\.before) == [0] && explained.map(\.outcome) == [.noted])
  }

  @Test func `a frame of very many events has a limited explanation, with its last value`() throws {
    let bench = try Bench("minimum=-9999 maximum=9999 increment=panel:plus", value: 0)
    var events = EvdevEvents()
    for index in 0..<1_000 { events.append(EvdevEvent(.volumeUp, index.isMultiple(of: 2) ? 1 : 0)) }
    let explained = bench.engine.explanations(of: .frame(DeviceNumber(0), events), at: .milliseconds(0))
    #expect(explained.count == Engine.mostExplanations)
    #expect(explained.last?.after == 500)
  }

  @Test func `after lost events a button that is up has released what it held`() throws {
    var bench = try Bench("kind=button push=panel:push")
    #expect(bench.push() == ["changed 0 1"])
    let lost = Input.resynchronized(DeviceNumber(0), [EvdevEvent(.button0, 0)], keysDown: [])
    let explained = bench.engine.explanations(of: lost, at: .milliseconds(10))
    #expect(explained.map(\.before) == [1] && explained.map(\.after) == [0])
    bench.apply(lost)
    #expect(bench.engine[bench.engine.ids[0]]?.value == 0)
  }

  @Test func `what is no frame has none, and a device that is gone neither`() throws {
    let bench = try Bench(Self.buttons)
    let gone = Input.frame(DeviceNumber(9), [EvdevEvent(.volumeUp, 1)])
    for input in [.everythingReleased, .deviceRemoved(DeviceNumber(0)), gone] {
      #expect(bench.engine.explanations(of: input, at: .milliseconds(0)).isEmpty)
    }
  }
}
