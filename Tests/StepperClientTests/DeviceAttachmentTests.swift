import StepperCore
import StepperInterfaces
import Testing
@testable import StepperClient

/// Of the machine that every program has that brings a device.
@Suite struct DeviceAttachmentTests {
  private static let declaration = ProviderInterface.Attach.Parameters(
    identity: .init(provider: "x", name: "y"), keys: ["BTN_0"], relative: [.init(code: "REL_DIAL")],
    absolute: [.init(code: "ABS_X", minimum: 0, maximum: 10)], leaseMilliseconds: 3_000)

  private static func declaration(at position: Int64) -> ProviderInterface.Attach.Parameters {
    var declaration = declaration
    declaration.absolute?[0].value = position
    return declaration
  }

  /// Attached as "a" at the time 0.
  private static var attached: DeviceAttachment {
    var device = DeviceAttachment(declaration, retryPause: .seconds(2))
    _ = device.nextCall(at: .milliseconds(0))
    device.answered(.attached(handle: "a"), at: .milliseconds(0))
    return device
  }

  @Test func `what it did while the daemon was away is not done later, and where it is is told`() {
    var device = DeviceAttachment(Self.declaration, retryPause: .seconds(2))
    let now = Instant.milliseconds(0)
    #expect(device.nextCall(at: now) == .attach(Self.declaration))
    device.answered(.absent, at: now)
    device.add("REL_DIAL", 3, at: now)
    device.add("ABS_X", 7, at: now)
    #expect(device.nextCall(at: now) == nil)
    #expect(device.deadline == now + .seconds(2))
    #expect(device.nextCall(at: now + .seconds(2)) == .attach(Self.declaration(at: 7)))
    // It is moved on, and one that was beyond its end is at it.
    device.add("ABS_X", 12, at: now)
    device.answered(.attached(handle: "a"), at: now + .seconds(2))
    #expect(
      device.nextCall(at: now + .seconds(2))
        == .report(
          .init(
            handle: "a", frames: [], lost: .init(keysDown: [], positions: [.init(code: "ABS_X", value: 12)])))
    )
    device.answered(.absent, at: now + .seconds(2))
    #expect(device.nextCall(at: now + .seconds(2)) == .attach(Self.declaration(at: 10)))
    device.answered(.attached(handle: "b"), at: now + .seconds(2))
    #expect(device.nextCall(at: now + .seconds(2)) == nil)
  }

  /// The daemon takes the keys of the first `lost` for what is down already.
  @Test func `a key that was down before is told apart from one that goes down`() {
    var device = DeviceAttachment(Self.declaration, retryPause: .seconds(2))
    let now = Instant.milliseconds(0)
    func reported() -> [String] {
      guard case .report(let report)? = device.nextCall(at: now) else { return [] }
      return (report.lost.map { ["lost \($0.keysDown)"] } ?? [])
        + (report.frames ?? []).flatMap(\.events).map { "\($0.code) \($0.value)" }
    }
    _ = device.nextCall(at: now)
    device.add("BTN_0", 1, at: now)
    device.answered(.attached(handle: "a"), at: now)
    #expect(reported() == ["BTN_0 1"], "it was pressed while it was attached")
    device.answered(.done, at: now)
    device.connectionEnded(at: now)
    _ = device.nextCall(at: now)
    device.add("BTN_0", 0, at: now)
    device.add("BTN_0", 1, at: now)
    device.answered(.attached(handle: "b"), at: now)
    #expect(reported() == ["lost [\"BTN_0\"]", "BTN_0 0", "BTN_0 1"])
    // A report whose answer is lost may be done.
    device.answered(.absent, at: now)
    _ = device.nextCall(at: now)
    device.answered(.attached(handle: "c"), at: now)
    #expect(reported() == ["lost [\"BTN_0\"]"])
    // One that was refused is none.
    device.add("BTN_0", 0, at: now)
    device.answered(.done, at: now)
    #expect(reported() == ["BTN_0 0"])
    device.answered(.refused(code: "noSuchHandle", message: ""), at: now)
    _ = device.nextCall(at: now)
    device.answered(.attached(handle: "d"), at: now)
    #expect(reported() == ["lost [\"BTN_0\"]", "BTN_0 0"])
  }

  @Test func `too much during a report is told as how it stands after it`() {
    var device = Self.attached
    let now = Instant.milliseconds(0)
    device.add("BTN_0", 1, at: now)
    _ = device.nextCall(at: now)
    for _ in 0..<40 {
      device.add("BTN_0", 0, at: now)
      device.add("BTN_0", 1, at: now)
    }
    device.add("BTN_0", 0, at: now)
    device.answered(.done, at: now)
    guard case .report(let report)? = device.nextCall(at: now) else { return #expect(Bool(false)) }
    var stands = DeviceStanding(Self.declaration)
    stands.add(Array(report.frames ?? []), after: report.lost)
    #expect(report.lost?.keysDown == [] && stands.keysDown == [])
  }

  @Test func `a device that the daemon does not have any more is attached again`() {
    var device = Self.attached
    let now = Instant.milliseconds(0)
    device.add("REL_DIAL", 1, at: now)
    _ = device.nextCall(at: now)
    device.add("REL_DIAL", 1, at: now)
    let isKept = device.answered(.refused(code: "noSuchHandle", message: ""), at: now)
    #expect(isKept)
    #expect(device.nextCall(at: now) == .attach(Self.declaration))
    device.answered(.attached(handle: "b"), at: now)
    guard case .report(let report)? = device.nextCall(at: now) else { return #expect(Bool(false)) }
    #expect(report.frames?.flatMap(\.events).map(\.value) == [1, 1])
  }

  @Test func `one that begins again loses what it held, and no turns`() {
    var device = DeviceAttachment(Self.declaration, retryPause: .seconds(2))
    let now = Instant.milliseconds(0)
    _ = device.nextCall(at: now)
    device.add("BTN_0", 1, at: now)
    device.add("REL_DIAL", 2, at: now)
    device.reset()
    device.add("REL_DIAL", 1, at: now)
    device.answered(.attached(handle: "a"), at: now)
    guard case .report(let report)? = device.nextCall(at: now) else { return #expect(Bool(false)) }
    #expect(report.lost?.keysDown == [] && report.frames?.flatMap(\.events).map(\.value) == [3])
  }

  @Test(arguments: ["invalidReport", "invalidParameter"])
  func `a report that is refused loses no device`(code: String) {
    var device = Self.attached
    let now = Instant.milliseconds(0)
    device.add("BTN_0", 1, at: now)
    _ = device.nextCall(at: now)
    device.answered(.refused(code: code, message: ""), at: now)
    #expect(device.handle == "a" && device.nextCall(at: now) == nil)
    // Not at once, so that a report that is refused again is no loop.
    #expect(
      device.nextCall(at: now + .seconds(2))
        == .report(.init(handle: "a", frames: [], lost: .init(keysDown: ["BTN_0"], positions: []))))
    device.answered(.done, at: now + .seconds(2))
    device.end()
    #expect(device.nextCall(at: now + .seconds(2)) == .detach(.init(handle: "a")))
  }

  @Test func `what two of one hand have not reported is one report at most`() {
    let now = Instant.milliseconds(0)
    var declaration = Self.declaration
    declaration.absolute?.append(.init(code: "ABS_Y", minimum: 0, maximum: 100))
    var former = DeviceAttachment(declaration, retryPause: .seconds(2))
    var next = DeviceAttachment(declaration, retryPause: .seconds(2))
    _ = former.nextCall(at: now)
    former.answered(.attached(handle: "a"), at: now)
    for place in 1...Int64(32) {
      former.add("ABS_X", place % 10, at: now)
      former.add("ABS_Y", place, at: now)
      next.add("ABS_X", place % 10, at: now)
      next.add("ABS_Y", place, at: now)
    }
    next.goOn(from: former)
    _ = next.nextCall(at: now)
    next.answered(.attached(handle: "b"), at: now)
    // It is told how it stands: nothing moves by that.
    #expect(next.nextCall(at: now) == nil)
  }

  @Test func `what it did before the daemon took it is not done later`() {
    var device = DeviceAttachment(Self.declaration, retryPause: .seconds(2))
    let now = Instant.milliseconds(0)
    _ = device.nextCall(at: now)
    device.answered(.refused(code: "permissionDenied", message: ""), at: now)
    device.add("REL_DIAL", 3, at: now)
    device.add("BTN_0", 1, at: now)
    device.add("BTN_0", 0, at: now)
    device.add("ABS_X", 7, at: now)
    #expect(device.nextCall(at: now + .seconds(2)) == .attach(Self.declaration(at: 7)))
    device.answered(.attached(handle: "a"), at: now)
    #expect(device.nextCall(at: now) == nil)
  }

  @Test(arguments: [20, 40])
  func `a release is not cut off what is reported again`(pushes: Int) {
    var device = Self.attached
    let now = Instant.milliseconds(0)
    device.add("ABS_X", 7, at: now)
    for part in 0..<2 {
      for _ in 0..<pushes / 2 {
        device.add("BTN_0", 1, at: now)
        device.add("BTN_0", 0, at: now)
      }
      if part == 0 { _ = device.nextCall(at: now) }
    }
    device.answered(.refused(code: "noSuchHandle", message: ""), at: now)
    guard pushes == 20 else {
      // It is told how it stands.
      #expect(device.nextCall(at: now) == .attach(Self.declaration(at: 7)))
      device.answered(.attached(handle: "b"), at: now)
      return #expect(device.nextCall(at: now) == nil)
    }
    _ = device.nextCall(at: now)
    device.answered(.attached(handle: "b"), at: now)
    guard case .report(let report)? = device.nextCall(at: now) else { return #expect(Bool(false)) }
    #expect(report.lost == nil)
    let values = report.frames?.flatMap(\.events).filter { $0.code == "BTN_0" }.map(\.value)
    #expect(values?.count == 40 && values?.last == 0)
  }

  @Test func `the end of its connection detaches it, and nothing is lost by that`() {
    var device = DeviceAttachment(Self.declaration, retryPause: .seconds(2))
    let now = Instant.milliseconds(0)
    _ = device.nextCall(at: now)
    device.connectionEnded(at: now)
    #expect(device.nextCall(at: now) == nil, "the call has an answer of its own")
    device.answered(.attached(handle: "a"), at: now)
    device.add("REL_DIAL", 1, at: now)
    device.connectionEnded(at: now)
    #expect(device.nextCall(at: now) == .attach(Self.declaration))
    device.answered(.attached(handle: "b"), at: now)
    guard case .report(let report)? = device.nextCall(at: now) else { return #expect(Bool(false)) }
    #expect(report.handle == "b" && report.frames?.flatMap(\.events).map(\.value) == [1])
  }

  @Test func `too much is told as how it stands`() {
    var device = DeviceAttachment(Self.declaration, retryPause: .seconds(2))
    let now = Instant.milliseconds(0)
    _ = device.nextCall(at: now)
    for _ in 0..<100 {
      device.add("BTN_0", 1, at: now)
      device.add("BTN_0", 0, at: now)
    }
    device.add("BTN_0", 1, at: now)
    device.answered(.attached(handle: "a"), at: now)
    guard case .report(let report)? = device.nextCall(at: now) else { return #expect(Bool(false)) }
    #expect(report.lost?.keysDown == ["BTN_0"])
    #expect((report.frames?.count ?? 0) <= 64)
  }

  @Test func `turns of two knobs at once are as many as they are, however long a call takes`() {
    var declaration = Self.declaration
    declaration.relative?.append(.init(code: "REL_MISC"))
    var device = DeviceAttachment(declaration, retryPause: .seconds(2))
    let now = Instant.milliseconds(0)
    _ = device.nextCall(at: now)
    device.answered(.attached(handle: "a"), at: now)
    func reported() -> [String] {
      guard case .report(let report)? = device.nextCall(at: now) else { return [] }
      device.answered(.done, at: now)
      return (report.lost.map { ["lost \($0.keysDown)"] } ?? [])
        + (report.frames ?? []).flatMap(\.events).map { "\($0.code) \($0.value)" }
    }
    func sum(_ code: String, _ events: [String]) -> Int {
      events.filter { $0.hasPrefix(code) }.compactMap { Int($0.dropFirst(9)) }.reduce(0, +)
    }
    for position in 0..<100 as Range<Int64> {
      device.add("REL_DIAL", 1, at: now)
      device.add("REL_MISC", -1, at: now)
      device.add("ABS_X", position % 10, at: now)
    }
    let mixed = reported()
    #expect(mixed.count <= 64 && mixed.last { $0.hasPrefix("ABS_X ") } == "ABS_X 9")
    #expect(sum("REL_DIAL ", mixed) == 100 && sum("REL_MISC ", mixed) == -100)
    // One knob may choose what the other one turns.
    device.add("REL_DIAL", 1, at: now)
    device.add("REL_DIAL", 1, at: now + .milliseconds(5))
    device.add("REL_MISC", 1, at: now + .milliseconds(6))
    device.add("REL_DIAL", 1, at: now + .milliseconds(7))
    #expect(reported() == ["REL_DIAL 2", "REL_MISC 1", "REL_DIAL 1"])
    // A key keeps what comes before it from what comes after it.
    device.add("REL_DIAL", 1, at: now)
    device.add("BTN_0", 1, at: now)
    device.add("REL_DIAL", 1, at: now)
    device.add("BTN_0", 0, at: now)
    #expect(reported() == ["REL_DIAL 1", "BTN_0 1", "REL_DIAL 1", "BTN_0 0"])
    // And of more than there is room for the presses are lost, and no turns.
    for _ in 0..<100 {
      device.add("BTN_0", 1, at: now)
      device.add("REL_DIAL", 1, at: now)
      device.add("BTN_0", 0, at: now)
      device.add("REL_MISC", 1, at: now)
    }
    let all = reported()
    #expect(all.first == "lost []" && all.count <= 65)
    for code in ["REL_DIAL ", "REL_MISC "] { #expect(sum(code, all) == 100) }
  }

  @Test func `one that was unplugged while it is attached is detached`() {
    var device = DeviceAttachment(Self.declaration, retryPause: .seconds(2))
    let now = Instant.milliseconds(0)
    _ = device.nextCall(at: now)
    device.end()
    #expect(device.nextCall(at: now) == nil)
    device.answered(.attached(handle: "a"), at: now)
    #expect(device.nextCall(at: now) == .detach(.init(handle: "a")))
    #expect(!device.isEnded)
    device.answered(.done, at: now)
    #expect(device.isEnded)
  }

  @Test func `one that is unplugged during a report is detached after it`() {
    var device = Self.attached
    let now = Instant.milliseconds(0)
    device.add("BTN_0", 1, at: now)
    _ = device.nextCall(at: now)
    device.end()
    device.answered(.done, at: now)
    #expect(!device.isEnded)
    #expect(device.nextCall(at: now) == .detach(.init(handle: "a")))
  }
}
