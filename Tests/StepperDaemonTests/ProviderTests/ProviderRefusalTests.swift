import StepperCore
import StepperInterfaces
import TestSupport
import Testing
import Varlink

@testable import StepperDaemon

/// What programs do wrong, and what is said about it.
@Suite(.timeLimit(.minutes(10)))
struct ProviderRefusalTests {
  typealias Declaration = Provider.Attach.Parameters

  /// A declaration that is wrong, where it is, and a part of what is said.
  static let declarations: [(change: @Sendable (inout Declaration) -> Void, field: String, message: String)] =
    [
      ({ $0.identity.provider = "" }, "identity.provider", "a to z"),
      ({ $0.identity.provider = "MIDI" }, "identity.provider", "found \"MIDI\""),
      ({ $0.identity.provider = "x\u{1b}[31m" }, "identity.provider", "a to z"),
      ({ $0.identity.provider = String(repeating: "x", count: 65) }, "identity.provider", "1 to 64"),
      ({ $0.identity.name = "" }, "identity.name", "not be empty"),
      ({ $0.identity.name = "a\nb" }, "identity.name", "one line"),
      ({ $0.identity.name = String(repeating: "ä", count: 128) }, "identity.name", "at most 255"),
      ({ $0.identity.path = "a\u{0}b" }, "identity.path", "control characters"),
      ({ $0.identity.serial = "\u{7f}" }, "identity.serial", "control characters"),
      ({ $0.identity.vendor = "+1" }, "identity.vendor", "hexadecimal"),
      ({ $0.identity.product = "12345" }, "identity.product", "hexadecimal"),
      ({ $0.keys = ["BTN_999"] }, "keys[0]", "no code \"BTN_999\""),
      ({ $0.keys = ["BTN_0", "KEY_VOLUMUP"] }, "keys[1]", "did you mean KEY_VOLUMEUP?"),
      ({ $0.keys = ["REL_DIAL"] }, "keys[0]", "is not a key"),
      ({ $0.keys = ["BTN_0", "BTN_0"] }, "keys[1]", "twice"),
      ({ $0.keys = ["KEY_MAX"] }, "keys[0]", "no code"),
      ({ $0.relative = [.init(code: "ABS_X")] }, "relative[0].code", "is not a relative axis"),
      ({ $0.relative = [.init(code: "REL_X", countsPerDetent: 0)] }, "relative[0].countsPerDetent", "from 1"),
      (
        { $0.relative = [.init(code: "REL_X", countsPerDetent: 1 << 40)] }, "relative[0].countsPerDetent",
        "from 1"
      ),
      (
        { $0.relative = [.init(code: "REL_WHEEL_HI_RES", countsPerDetent: 4)] },
        "relative[0].countsPerDetent",
        "leave it out"
      ),
      ({ $0.absolute = [.init(code: "ABS_X", minimum: 10, maximum: 0)] }, "absolute[0].minimum", "less than"),
      ({ $0.absolute = [.init(code: "ABS_X", minimum: 5, maximum: 5)] }, "absolute[0].minimum", "less than"),
      ({ $0.absolute = [.init(code: "ABS_X", minimum: 0, maximum: 1 << 40)] }, "absolute[0].maximum", "from"),
      (
        { $0.absolute = [.init(code: "ABS_X", minimum: 0, maximum: 9, fuzz: -1)] }, "absolute[0].fuzz",
        "from 0"
      ),
      (
        { $0.absolute = [.init(code: "ABS_X", minimum: 0, maximum: 9, flat: 99)] }, "absolute[0].flat", "to 9"
      ),
      (
        { $0.absolute = [.init(code: "ABS_X", minimum: 0, maximum: 9, value: 10)] }, "absolute[0].value",
        "to 9"
      ),
      (
        { $0.absolute = [.init(code: "ABS_X", minimum: 0, maximum: 9, touch: "BTN_TOUCH")] },
        "absolute[0].touch",
        "not among"
      ),
      ({ $0.outputs = [.init(name: "", kind: .light)] }, "outputs[0].name", "not be empty"),
      (
        { $0.outputs = [.init(name: "a", kind: .light), .init(name: "a", kind: .effect)] }, "outputs[1].name",
        "twice"
      ),
      (
        { $0.outputs = [.init(name: "a", kind: .effect), .init(name: "b", kind: .effect)] },
        "outputs[1].kind",
        "at most"
      ),
      ({ $0.outputs = [.init(name: "a", kind: .light, axis: "ABS_X")] }, "outputs[0].axis", "leave it out"),
      ({ $0.outputs = [.init(name: "a", kind: .position)] }, "outputs[0].axis", "found none"),
      (
        { $0.outputs = [.init(name: "a", kind: .position, axis: "ABS_Y")] }, "outputs[0].axis",
        "found \"ABS_Y\""
      ),
      ({ ($0.keys, $0.relative) = ([], []) }, "keys", "no keys, no axes and no outputs"),
    ]

  @Test func `a wrong declaration is refused with its place and the remedy, and nothing is attached`() throws
  {
    let bed = try ProviderBed("[control.volume]\nrotate = \"knob:REL_DIAL\"")
    let client = try bed.client()
    for (change, field, message) in Self.declarations {
      var declaration = Declaration.knob()
      change(&declaration)
      try client.send(Provider.Attach.self, declaration)
      let failure = try client.reply().failure?.decode(Provider.InvalidDevice.self)
      #expect(failure?.field == field, "\(failure?.message ?? "accepted")")
      #expect(failure?.message.contains(message) == true, "\(field): \(failure?.message ?? "accepted")")
    }
    #expect(try bed.device("knob")?.state == .absent)
    #expect(try bed.client().call(DeviceInterface.List.self, NoParameters()).devices.count == 1)
    // What is not known yet is ignored.
    let reply = try client.call(
      Provider.Attach.self, .knob(outputs: [.init(name: "a", kind: .init(rawValue: "hologram"))]))
    #expect(reply.table == "knob")
  }

  static let reports: [(frame: String, field: String, message: String)] = [
    ("REL_X=1", "frames[1].events[0].code", "attached without \"REL_X\""),
    ("NONSENSE=1", "frames[1].events[0].code", "attached without"),
    ("REL_DIAL=1 BTN_0=3", "frames[1].events[1].value", "0, 1 or 2"),
    ("BTN_0=-1", "frames[1].events[0].value", "found -1"),
    ("REL_DIAL=99999999999", "frames[1].events[0].value", "found 99999999999"),
    (String(repeating: "REL_DIAL=1 ", count: 65), "frames[1].events", "at most 64"),
  ]

  @Test func `a wrong report is refused as a whole`() throws {
    let bed = try ProviderBed("[control.volume]\nrotate = \"knob:REL_DIAL\"")
    let knob = try bed.attach(.knob(absolute: [.init(code: "ABS_X", minimum: 0, maximum: 9)]))
    for (frame, field, message) in Self.reports {
      let failure = try knob.failure("REL_DIAL=1", frame)?.decode(Provider.InvalidReport.self)
      #expect(failure?.field == field, "\(failure?.message ?? "accepted")")
      #expect(failure?.message.contains(message) == true, "\(failure?.message ?? "accepted")")
    }
    let losses: [(Provider.Lost, String)] = [
      (.init(keysDown: ["REL_DIAL"], positions: []), "lost.keysDown[0]"),
      (.init(keysDown: ["BTN_0", "BTN_9"], positions: []), "lost.keysDown[1]"),
      (.init(keysDown: [], positions: [.init(code: "BTN_0", value: 1)]), "lost.positions[0].code"),
    ]
    for (lost, field) in losses {
      let failure = try knob.failure("REL_DIAL=1", lost: lost)?.decode(Provider.InvalidReport.self)
      #expect(failure?.field == field)
    }
    #expect(try bed.client().state().turned == 0)
    try knob.report("REL_DIAL=2147483647")
    #expect(try bed.client().state().value == 100)
  }

  @Test func `a handle is of its connection, and of its user`() throws {
    let bed = try ProviderBed("[control.volume]\nrotate = \"knob:REL_DIAL\"")
    let knob = try bed.attach()
    let other = try bed.attach(.knob("Other", provider: "other"))
    for handle in [knob.reply.handle, "", "x", String(repeating: "0", count: 16)] {
      let client = other.client
      #expect(
        try client.failure(Provider.Report.self, .init(handle: handle)) == Provider.NoSuchHandle.name)
      #expect(
        try client.failure(Provider.Detach.self, .init(handle: handle)) == Provider.NoSuchHandle.name)
    }
    for handles in [["x"], [knob.reply.handle, "x"]] {
      let client = try bed.client()
      try client.send(Provider.Subscribe.self, .init(handles: handles))
      #expect(try client.reply().failure?.decode(Provider.NoSuchHandle.self)?.handle == "x")
    }
    let client = try bed.client()
    try client.send(Provider.Subscribe.self, .init(handles: []))
    #expect(try client.reply().error == ServiceInterface.InvalidParameter.name)
    try client.send(Provider.Subscribe.self, .init(handles: [knob.reply.handle]), mode: .single)
    #expect(try client.reply().error == ServiceInterface.ExpectedMore.name)
    #expect(try bed.device("knob")?.state == .open)
  }

  @Test func `of two devices that are the same the second is refused`() throws {
    let bed = try ProviderBed("[control.volume]\nrotate = \"knob:REL_DIAL\"")
    let first = try bed.attach(.knob(path: "a", serial: "1"))
    let client = try bed.client()
    try client.send(Provider.Attach.self, .knob(path: "a", serial: "1"))
    let failure = try #require(try client.reply().failure?.decode(Provider.DeviceInUse.self))
    #expect(failure.device == "knob" && failure.process > 0)
    #expect(try client.call(Provider.Attach.self, .knob(path: "b", serial: "1")).device == "knob:2")
    try first.client.call(Provider.Detach.self, .init(handle: first.reply.handle))
    #expect(try client.call(Provider.Attach.self, .knob(path: "a", serial: "1")).device == "knob")
  }

  @MainActor @Test func `a user attaches so many devices, and others do not wait`() throws {
    let bed = try ProviderBed("[control.volume]\nrotate = \"knob:REL_DIAL\"")
    let client = try bed.client()
    for number in 1...Devices.mostAttachedOfUser {
      try client.call(Provider.Attach.self, .knob(path: "\(number)"))
    }
    try client.send(Provider.Attach.self, .knob(path: "more"))
    #expect(
      try client.reply().failure?.decode(Provider.TooManyDevices.self)?.limit
        == Int64(Devices.mostAttachedOfUser))
    #expect(try bed.client().state().live)
  }

  @Test func `of a table's devices that are gone the first stays`() throws {
    let bed = try ProviderBed("")
    do {
      let knobs = try (0..<3).map { try bed.attach(.knob(path: "\($0)", serial: "\($0)")) }
      #expect(knobs.map(\.reply.device) == ["knob", "knob:2", "knob:3"])
      for knob in knobs.reversed() {
        try knob.client.call(Provider.Detach.self, .init(handle: knob.reply.handle))
      }
    }
    let list = try bed.client().call(DeviceInterface.List.self, NoParameters()).devices
    #expect(list.map(\.device) == ["knob"] && list.map(\.state) == [.absent])
  }

  @Test func `thousands of devices that come and go leave nothing behind`() throws {
    let bed = try ProviderBed("[control.volume]\nrotate = \"knob:REL_DIAL\"")
    let client = try bed.client()
    for number in 1...2_000 {
      let reply = try client.call(Provider.Attach.self, .knob(provider: "test", path: "\(number)"))
      try client.call(Provider.Detach.self, .init(handle: reply.handle))
    }
    let devices = try bed.client().call(DeviceInterface.List.self, NoParameters()).devices
    #expect(devices.map(\.device) == ["knob"] && devices.first?.connects == 2_000)
  }

  /// Everything that was queued before the connection ends is done; a part of a message is not.
  @Test func `a program that is killed in the middle of a report leaves no button down`() throws {
    let bed = try ProviderBed(ProviderTests.volume)
    let follower = try bed.follower()
    var knob: AttachedKnob? = try bed.attach()
    try knob?.report("KEY_VOLUMEUP=1")
    try follower.values { ($0.value ?? 0) > 2 }
    knob?.client.send(Array(#"{"method":"org.stepperd.provider.Report","parameters":{"handle":"#.utf8))
    knob = nil
    try follower.values { !$0.editing && !$0.live }
  }

  /// Whether it is a storm depends on the machine: ``ProvidedStormTests``.
  @MainActor @Test func `others are served while a program floods, and its keys are as they are in the end`()
    throws
  {
    let bed = try ProviderBed(ProviderTests.volume)
    let knob = try bed.attach()
    // They change nothing.
    let frames = Array(repeating: "BTN_0=0", count: 64)
    let flood = try VarlinkCall(
      Provider.Report.self, knob.parameters(frames, time: nil, lost: nil), mode: .oneway
    ).encoded()
    for _ in 1...200 {
      knob.client.send(flood)
      #expect(try bed.client().state().value == 0)
    }
    try knob.report("KEY_VOLUMEUP=1")
    try eventually { try bed.client().state().editing }
    try knob.report("KEY_VOLUMEUP=0")
    try eventually { try !bed.client().state().editing }
    try eventually { try bed.problems().isEmpty }
    let value = try #require(try bed.client().state().value)
    try knob.report("REL_DIAL=3")
    try eventually { (try bed.client().state().value ?? 0) == value + 3 }
  }

  @Test func `a connection that is closed attaches nothing, and is in nobody's way`() throws {
    let bed = try ProviderBed("[control.volume]\nrotate = \"knob:REL_DIAL\"")
    var again: WireClient?
    try bed.daemon.process.whileStopped {
      do {
        let gone = try bed.client()
        try gone.send(Provider.Attach.self, .knob())
      }
      again = try bed.client()
      try again?.send(Provider.Attach.self, .knob())
    }
    let reply = try #require(try again?.reply())
    #expect(reply.error == nil)
  }

  @Test func `what is reported by a connection that is closed is not done, unless it is one-way`() throws {
    let bed = try ProviderBed("[control.mute]\nkind = \"toggle\"\npush = \"knob:BTN_0\"")
    for (mode, value) in [(.single, 0), (.oneway, 1)] as [(VarlinkCall.Mode, Double)] {
      var knob: AttachedKnob? = try bed.attach()
      try bed.daemon.process.whileStopped {
        if let knob {
          let press = knob.parameters(["BTN_0=1"], time: nil, lost: nil)
          try knob.client.send(Provider.Report.self, press, mode: mode)
        }
        knob = nil
      }
      try eventually { try bed.device("knob")?.state != .open }
      #expect(try bed.client().state(of: "mute").value == value)
    }
  }

  @MainActor @Test func `orders that nobody reads are replaced by later ones`() throws {
    let bed = try ProviderBed(
      "[control.volume]\nrotate = \"knob:REL_DIAL\"\nlight = \"knob:ring\"\nmaximum = 1000000")
    let knob = try bed.attach(
      .knob(outputs: [.init(name: "ring", kind: .light), .init(name: "motor", kind: .effect)]))
    let orders = try OrderFollower(bed, [knob.reply.handle])
    for number in 1...5_000 { try knob.report(number.isMultiple(of: 2) ? "REL_DIAL=9" : "REL_DIAL=-7") }
    let last = try #require(try bed.client().state().value) / 1_000_000
    var count = 0
    var shown: Double?
    while shown.map({ abs($0 - last) > 0.0001 }) ?? true {
      let all = try orders.next()
      count += all.count
      #expect(
        all.count { $0.effect != nil } <= FollowedOrders.mostEffects && all.count { $0.light != nil } <= 1)
      shown = all.compactMap(\.light?.brightness).last ?? shown
    }
    #expect(count < 1_000)
  }
}
