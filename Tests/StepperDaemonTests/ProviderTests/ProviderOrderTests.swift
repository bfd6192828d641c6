import StepperInterfaces
import TestSupport
import Testing
import Varlink

/// What attached devices are told to do.
@Suite(.timeLimit(.minutes(10)))
struct ProviderOrderTests {
  static let mixer = """
    [control.volume]
    absolute = "knob:ABS_X"
    light = "knob:ring"
    initial = 50
    """

  static func fader(touch: String? = nil) -> Provider.Attach.Parameters {
    .knob(
      absolute: [.init(code: "ABS_X", minimum: 0, maximum: 1000, value: 0, touch: touch)],
      outputs: [
        .init(name: "ring", kind: .light), .init(name: "motor", kind: .position, axis: "ABS_X"),
        .init(name: "buzz", kind: .effect),
      ])
  }

  @Test func `a light, an effect and a position are orders`() throws {
    let bed = try ProviderBed(Self.mixer + "\n[device.panel]\nvirtual = true")
    let knob = try bed.attach(Self.fader())
    let orders = try OrderFollower(bed, [knob.reply.handle])
    let first = try orders.next()
    #expect(first.compactMap(\.matched?.table) == ["knob"])
    #expect(first.compactMap(\.light) == [.init(output: "ring", brightness: 0.5)])
    #expect(first.compactMap(\.position) == [.init(output: "motor", axis: "ABS_X", position: 0.5)])
    let device = try #require(try bed.device("knob"))
    #expect(device.outputs == ["provider"] && device.lights == ["ring"])
    try bed.client().call(ControlInterface.Set.self, .init(control: "volume", value: 75))
    #expect(try orders.order { $0.position != nil }.position?.position == 0.75)
    let played = try bed.client().call(
      DeviceInterface.PlayEffect.self, .init(device: "knob", effect: .heavy))
    #expect(played.played == "provider")
    #expect(
      try orders.order { $0.effect != nil }.effect == .init(output: "buzz", effect: .heavy, strength: 0.9))
    let holder = try bed.client()
    try holder.call(DeviceInterface.SetLight.self, .init(device: "knob", light: "ring", brightness: 1))
    #expect(try orders.order { $0.light != nil }.light?.brightness == 1)
  }

  @Test func `of several controls with one light, the last one of the file is shown`() throws {
    let others = (1...7).map { "[control.c\($0)]\ninitial = \($0 * 10)\nlight = \"knob:ring\"\n" }.joined()
    let bed = try ProviderBed("\(Self.mixer)\n\(others)")
    let knob = try bed.attach(Self.fader())
    let orders = try OrderFollower(bed, [knob.reply.handle])
    #expect(try orders.order { $0.light != nil }.light?.brightness == 0.7)
    try bed.client().call(ControlInterface.Set.self, .init(control: "c3", value: 31))
    #expect(try orders.order { $0.light != nil }.light?.brightness == 0.31)
  }

  @Test func `a light of several controls shows the same one again after a client and another device`() throws
  {
    let bed = try ProviderBed("\(Self.mixer)\n[control.last]\ninitial = 70\nlight = \"knob:ring\"\n")
    let knob = try bed.attach(Self.fader())
    let orders = try OrderFollower(bed, [knob.reply.handle])
    #expect(try orders.order { $0.light != nil }.light?.brightness == 0.7)
    try bed.client().call(ControlInterface.Set.self, .init(control: "volume", value: 31))
    #expect(try orders.order { $0.light != nil }.light?.brightness == 0.31)
    do {
      let holder = try bed.client()
      try holder.call(DeviceInterface.SetLight.self, .init(device: "knob", light: "ring", brightness: 1))
      #expect(try orders.order { $0.light != nil }.light?.brightness == 1)
    }
    #expect(try orders.order { $0.light != nil }.light?.brightness == 0.31)
  }

  @Test func `a light that a client holds is lit again on a device that a reload opens anew`() throws {
    let bed = try ProviderBed(Self.mixer)
    let knob = try bed.attach(Self.fader())
    let orders = try OrderFollower(bed, [knob.reply.handle])
    _ = try orders.order { $0.light?.brightness == 0.5 }
    let holder = try bed.client()
    try holder.call(DeviceInterface.SetLight.self, .init(device: "knob", light: "ring", brightness: 1))
    _ = try orders.order { $0.light?.brightness == 1 }
    try bed.reload("[device.knob]\nmatch = { provider = \"t*\" }\n" + Self.mixer)
    #expect(try orders.order { $0.light != nil }.light?.brightness == 1)
  }

  @Test func `a motor follows the range, and what else drives the control`() throws {
    let bed = try ProviderBed(Self.mixer)
    let knob = try bed.attach(Self.fader())
    let orders = try OrderFollower(bed, [knob.reply.handle])
    _ = try orders.order { $0.position?.position == 0.5 }
    try bed.client().call(ControlInterface.Adjust.self, .init(control: "volume", maximum: 200))
    #expect(try orders.order { $0.position != nil }.position?.position == 0.25)
    try bed.client().call(ControlInterface.Step.self, .init(control: "volume", steps: 50))
    #expect(try orders.order { $0.position != nil }.position?.position == 0.5)
    // Its program has lost where it is, and what its light shows.
    while orders.client.hasMessage(within: 0.2) { _ = try orders.next() }
    try knob.report(lost: .init(keysDown: [], positions: []))
    let all = try orders.next()
    #expect(all.compactMap(\.position?.position) == [0.5] && all.compactMap(\.light?.brightness) == [0.5])
  }

  @Test func `a motor never moves against a hand`() throws {
    let bed = try ProviderBed(Self.mixer)
    let knob = try bed.attach(Self.fader(touch: "BTN_0"))
    let orders = try OrderFollower(bed, [knob.reply.handle])
    _ = try orders.order { $0.position?.position == 0.5 }
    try knob.report("BTN_0=1", "ABS_X=200")
    #expect(try bed.client().state().value == 20)
    try bed.client().call(ControlInterface.Set.self, .init(control: "volume", value: 90))
    // The light follows at once, and no position is ordered while the hand is there.
    _ = try orders.order { order in
      #expect(order.position == nil)
      return order.light?.brightness == 0.9
    }
    #expect(!orders.client.hasMessage(within: 0.5))
    try knob.report("BTN_0=0")
    #expect(try orders.order { $0.position != nil }.position?.position == 0.9)
  }

  @Test func `a motor waits until the axis has rested`() throws {
    let bed = try ProviderBed(Self.mixer)
    let knob = try bed.attach(Self.fader())
    let orders = try OrderFollower(bed, [knob.reply.handle])
    _ = try orders.order { $0.position?.position == 0.5 }
    let moved = Monotonic.microseconds
    try knob.report("ABS_X=200")
    try bed.client().call(ControlInterface.Set.self, .init(control: "volume", value: 90))
    #expect(try orders.order { $0.position != nil }.position?.position == 0.9)
    #expect(Monotonic.microseconds - moved >= 300_000)
  }

  @Test func `an axis with several controls follows the one that it drives`() throws {
    let bed = try ProviderBed(
      """
      [control.mode]
      choices = ["a", "b"]
      increment = "knob:BTN_0"
      wraps = true
      [control.left]
      absolute = { input = "knob:ABS_X", when = { mode = "a" } }
      initial = 10
      [control.right]
      absolute = { input = "knob:ABS_X", when = { mode = "b" } }
      initial = 80
      """)
    let knob = try bed.attach(Self.fader())
    let orders = try OrderFollower(bed, [knob.reply.handle])
    _ = try orders.order { $0.position?.position == 0.1 }
    try knob.report("BTN_0=1", "BTN_0=0")
    _ = try orders.order { $0.position?.position == 0.8 }
    // The one that is not live moves nothing.
    try bed.client().call(ControlInterface.Set.self, .init(control: "left", value: 30))
    #expect(!orders.client.hasMessage(within: 0.4))
    try knob.report("BTN_0=1", "BTN_0=0")
    _ = try orders.order { $0.position?.position == 0.3 }
  }

  @Test func `a knob gets the detents of the control that it drives`() throws {
    let configuration = """
      [control.volume]
      rotate = "knob:REL_DIAL"
      maximum = 10
      initial = 4
      """
    let bed = try ProviderBed(configuration)
    let output = Provider.Output(name: "motor", kind: .detents, axis: "REL_DIAL")
    let knob = try bed.attach(
      .knob(relative: [.init(code: "REL_DIAL", countsPerDetent: 4)], outputs: [output]))
    let orders = try OrderFollower(bed, [knob.reply.handle])
    func detents(_ position: Int64, of maximum: Int64 = 10) -> Provider.Detents {
      .init(
        output: "motor", axis: "REL_DIAL", position: position, minimum: 0, maximum: maximum, wraps: false,
        strength: 1)
    }
    #expect(try orders.next().compactMap(\.detents) == [detents(4)])
    // Its own turn is known to it.
    try knob.report("REL_DIAL=8")
    #expect(try bed.client().state().value == 6)
    #expect(!orders.client.hasMessage(within: 0.5))
    try bed.client().call(ControlInterface.Set.self, .init(control: "volume", value: 9))
    #expect(try orders.next().compactMap(\.detents) == [detents(9)])
    try bed.client().call(ControlInterface.Adjust.self, .init(control: "volume", maximum: 20))
    #expect(try orders.next().compactMap(\.detents) == [detents(9, of: 20)])
    try knob.report(lost: .init(keysDown: [], positions: []))
    #expect(try orders.next().compactMap(\.detents) == [detents(9, of: 20)])
    try bed.reload(ProviderBed.table + configuration.replacing("maximum = 10", with: "maximum = 30"))
    _ = try orders.order { $0.detents?.maximum == 30 }
  }

  @Test func `a display shows the control of its input`() throws {
    let bed = try ProviderBed(
      """
      [control.mode]
      choices = ["a", "b"]
      increment = "knob:BTN_0"
      [control.left]
      title = "Links"
      unit = "dB"
      digits = 1
      rotate = { input = "knob:REL_DIAL", when = { mode = "a" } }
      initial = 10
      [control.right]
      format = "percent"
      step = 0.01
      maximum = 1
      rotate = { input = "knob:REL_DIAL", when = { mode = "b" } }
      initial = 1
      """)
    let output = Provider.Output(name: "display", kind: .text, axis: "REL_DIAL")
    let knob = try bed.attach(.knob(outputs: [output]))
    let orders = try OrderFollower(bed, [knob.reply.handle])
    func text(
      _ control: String, _ title: String, _ value: String, _ unit: String, _ limit: Provider.Limit = .none
    )
      -> Provider.Text
    { .init(output: "display", control: control, title: title, value: value, unit: unit, limit: limit) }
    #expect(try orders.next().compactMap(\.text) == [text("left", "Links", "10.0", "dB")])
    try knob.report("REL_DIAL=1")
    #expect(try orders.next().compactMap(\.text) == [text("left", "Links", "11.0", "dB")])
    try knob.report("BTN_0=1", "BTN_0=0")
    #expect(try orders.next().compactMap(\.text) == [text("right", "right", "100", "%", .maximum)])
    // Nothing that is shown has changed.
    try bed.client().call(ControlInterface.Set.self, .init(control: "left", value: 30))
    #expect(!orders.client.hasMessage(within: 0.4))
  }

  @Test func `orders that no reply has room for come with the next ones`() throws {
    let title = String(repeating: "x", count: 200)
    let bed = try ProviderBed("[control.volume]\ntitle = \"\(title)\"\nrotate = \"knob:REL_DIAL\"")
    // As many as a device may have.
    let outputs = (0..<256).map { Provider.Output(name: "display-\($0)", kind: .text, axis: "REL_DIAL") }
    let client = try bed.client()
    let handles = try (0..<16).map {
      try client.call(Provider.Attach.self, .knob(path: "\($0)", outputs: outputs)).handle
    }
    let orders = try OrderFollower(bed, handles)
    var seen = Set<String>()
    while seen.count < 16 * 256 {
      for order in try orders.next() {
        if let text = order.text { seen.insert("\(order.handle) \(text.output)") }
      }
    }
  }

  @Test func `a light that the device does not have is a problem, and is mended by one that it has`() throws {
    let bed = try ProviderBed("[control.volume]\nrotate = \"knob:REL_DIAL\"\nlight = \"knob:rnig\"")
    let lights = ["ring", "bar"].map { Provider.Output(name: $0, kind: .light) }
    let knob = try bed.attach(.knob(outputs: lights))
    #expect(try bed.problems() == ["knob: it has no light rnig; it has bar and ring"])
    try bed.reload(
      ProviderBed.table + "[control.volume]\nrotate = \"knob:REL_DIAL\"\nlight = [\"knob:ring\", \"knob\"]")
    #expect(try bed.problems() == [])
    withExtendedLifetime(knob) {}
  }

  @Test func `orders end with the daemon`() throws {
    let bed = try ProviderBed(Self.mixer)
    let knob = try bed.attach(Self.fader())
    let orders = try OrderFollower(bed, [knob.reply.handle])
    _ = try orders.next()
    try bed.daemon.stop()
    while true {
      let reply = try orders.client.reply()
      guard reply.error == nil else {
        #expect(reply.error == Provider.Stopping.name)
        break
      }
    }
  }
}
