import StepperClient
import StepperInterfaces
import TestSupport
import Testing

/// A device that a program brings with `StepperClient`, and a daemon that is restarted.
@Suite(.timeLimit(.minutes(10)))
struct StepperProviderTests {
  private static let configuration = """
    [device.knob]
    match = { provider = "test" }
    [control.volume]
    rotate = "knob:REL_DIAL"
    increment = "knob:BTN_0"
    light = "knob:ring"
    """

  private static let knob = ProviderInterface.Attach.Parameters(
    identity: .init(provider: "test", name: "Knob"), keys: ["BTN_0"], relative: [.init(code: "REL_DIAL")],
    outputs: [.init(name: "ring", kind: .light)])

  private static func turn(_ detents: Int64) -> [ProviderInterface.Frame] {
    [.init(events: [.init(code: "REL_DIAL", value: detents)])]
  }

  /// Reads orders until the light has this brightness.
  private static func expect(_ knob: StepperProvider, ring brightness: Double) throws {
    let deadline = Deadline()
    while !deadline.hasPassed, let orders = try knob.orders(timeout: .seconds(10)) {
      if orders.contains(where: { $0.light?.brightness == brightness }) { return }
    }
    throw TestFailure("the light never had the brightness \(brightness)")
  }

  @Test func `it is attached with the first report, and follows its orders`() throws {
    let daemon = try DaemonUnderTest(Self.configuration)
    let knob = StepperProvider(Self.knob, address: daemon.socket)
    #expect(knob.attached == nil)
    try knob.report(Self.turn(30))
    #expect(knob.attached?.device == "knob" && knob.attached?.table == "knob")
    try Self.expect(knob, ring: 0.3)
    try knob.report(Self.turn(20))
    try Self.expect(knob, ring: 0.5)
    #expect(try knob.orders(timeout: .milliseconds(50)) == nil)
    knob.detach()
    try eventually { try !daemon.client.get("volume").live }
    try knob.report(Self.turn(1))
    #expect(try daemon.client.get("volume").value == 51)
  }

  @Test func `it is attached again after a restart, by a report or by waiting for orders`() throws {
    let daemon = try DaemonUnderTest(Self.configuration)
    let knob = StepperProvider(Self.knob, address: daemon.socket)
    try knob.report(Self.turn(30))
    try daemon.stop()
    try daemon.start()
    try knob.report(Self.turn(10))
    #expect(try daemon.client.get("volume").value == 40)
    try Self.expect(knob, ring: 0.4)
    try daemon.stop()
    try daemon.start()
    try Self.expect(knob, ring: 0.4)
    #expect(try daemon.client.get("volume").live)
  }

  @Test func `what it did while the daemon was away is told when that is back`() throws {
    let daemon = try DaemonUnderTest(Self.configuration)
    let knob = StepperProvider(Self.knob, address: daemon.socket)
    func key(_ value: Int64) throws {
      try knob.report([.init(events: [.init(code: "BTN_0", value: value)])])
    }
    try key(1)
    try daemon.stop()
    for value: Int64 in [0, 1, 0] { #expect(throws: StepperClientError.self) { try key(value) } }
    try daemon.start()
    try knob.attach()
    #expect(try !daemon.client.get("volume").editing)
    try key(1)
    #expect(try daemon.client.get("volume").editing)
  }

  @Test func `what was refused, or was wrong while the daemon was away, is not told later`() throws {
    let daemon = try DaemonUnderTest(Self.configuration + "\nabsolute = \"knob:ABS_X\"")
    var declaration = Self.knob
    declaration.absolute = [.init(code: "ABS_X", minimum: 0, maximum: 100, value: 0)]
    let knob = StepperProvider(declaration, address: daemon.socket)
    try knob.attach()
    let press = ProviderInterface.Frame(events: [.init(code: "BTN_0", value: 1)])
    let refusal = #expect(throws: StepperClientError.self) {
      try knob.report(Array(repeating: press, count: 65))
    }
    #expect(refusal?.code == .invalidParameter)
    try daemon.stop()
    let far = ProviderInterface.Frame(events: [.init(code: "ABS_X", value: 5_000_000_000)])
    #expect(throws: StepperClientError.self) { try knob.report([far]) }
    try daemon.start()
    try knob.report(Self.turn(3))
    let state = try daemon.client.get("volume")
    #expect(state.value == 3 && !state.pressed)
  }

  @Test func `what is wrong has its reason`() throws {
    let daemon = try DaemonUnderTest(Self.configuration)
    let knob = StepperProvider(Self.knob, address: daemon.socket)
    try knob.attach()
    let second = #expect(throws: StepperClientError.self) {
      try StepperProvider(Self.knob, address: daemon.socket).attach()
    }
    #expect(second?.code == .deviceInUse && second?.message.contains("knob") == true)
    let report = #expect(throws: StepperClientError.self) {
      try knob.report([.init(events: [.init(code: "REL_X", value: 1)])])
    }
    #expect(report?.code == .invalidReport && report?.message.contains("frames[0].events[0].code") == true)
    var wrong = Self.knob
    wrong.keys = ["BTN_NONE"]
    let declaration = #expect(throws: StepperClientError.self) {
      try StepperProvider(wrong, address: daemon.socket).attach()
    }
    #expect(declaration?.code == .invalidDevice && declaration?.message.contains("keys[0]") == true)
  }
}
