import Glibc
import StepperCore
import StepperInterfaces
import StepperLinux
import TestSupport
import Testing
import Varlink

/// Devices that programs attach: they are devices like any other.
@Suite(.timeLimit(.minutes(10)))
struct ProviderTests {
  static let volume = """
    [control.volume]
    rotate = "knob:REL_DIAL"
    increment = "knob:KEY_VOLUMEUP"
    maximum = 100000
    repeat = { delay = "30ms", interval = "10ms" }
    """

  /// The same steppers, bindings, frames and values as of the kernel's devices.
  @Test(arguments: DeviceTests.kinds.indices)
  func `every kind of stepper moves its control as one of the kernel does`(_ index: Int) throws {
    let (capabilities, binding, steps) = DeviceTests.kinds[index]
    let bed = try ProviderBed("[control.volume]\n\(binding)")
    var declaration = Provider.Attach.Parameters.knob(keys: [], relative: [])
    for word in capabilities.split(separator: " ").map(String.init) {
      if word.hasPrefix("REL_") {
        declaration.relative?.append(.init(code: word))
      } else if word.hasPrefix("ABS_") {
        let parts = word.split { "=:".contains($0) }.map(String.init)
        declaration.absolute?.append(
          .init(code: parts[0], minimum: Int64(parts[1]) ?? 0, maximum: Int64(parts[2]) ?? 0, value: 0))
      } else {
        declaration.keys?.append(word)
      }
    }
    let knob = try bed.attach(declaration)
    let follower = try bed.follower()
    var former: Double?
    for (frame, value) in steps {
      try knob.report(frame)
      guard let value else { continue }
      let values = try follower.values { $0.value == value }
      #expect(values.allSatisfy { $0 == value || $0 == former }, "after \(frame)")
      former = value
    }
  }

  @Test func `a device says who has attached it, and what it drives`() throws {
    let bed = try ProviderBed(Self.volume)
    #expect(try bed.device("knob")?.state == .absent)
    let knob = try bed.attach(.knob("My knob", path: "tty1", serial: "7"))
    #expect(knob.reply.device == "knob" && knob.reply.table == "knob")
    let device = try #require(try bed.device("knob"))
    #expect(device.state == .open && device.provider == "test" && device.name == "My knob")
    #expect(
      device.physicalPath == "tty1" && device.uniqueName == "7" && device.node == nil && !device.virtual)
    #expect(device.vendor == nil && device.connects == 1)
    #expect(device.providerProcess == Int64(getpid()) && (device.attachedMicroseconds ?? 0) > 0)
    #expect(device.capabilities.first { $0.name == "REL_DIAL" }?.controls == ["volume"])
    #expect(try bed.client().state().live)
  }

  @Test func `counts of a detent are those of the device`() throws {
    let bed = try ProviderBed(Self.volume)
    let knob = try bed.attach(.knob(relative: [.init(code: "REL_DIAL", countsPerDetent: 4)]))
    try knob.report("REL_DIAL=3")
    #expect(try bed.client().state().value == 0)
    try knob.report("REL_DIAL=1")
    #expect(try bed.client().state().value == 1)
    try knob.report("REL_DIAL=-8")
    #expect(try bed.client().state().turned == -1)
  }

  // MARK: Matching

  @Test(arguments: [
    #"{ name = "Knob" }"#, #"{ has = ["REL_DIAL"] }"#, #"{ uniq = "7" }"#, #"{ provider = "other" }"#,
    #"{ provider = "test", name = "Other" }"#,
  ])
  func `a match that is for other devices never takes one of a program`(_ match: String) throws {
    let daemon = try RunningDaemon(
      "[device.knob]\nmatch = \(match)\n[control.volume]\nrotate = \"knob:REL_DIAL\"")
    let client = try daemon.client()
    let reply = try client.call(Provider.Attach.self, .knob(serial: "7"))
    #expect(reply.table == nil && reply.device == "test-1")
    #expect(try daemon.client().state().live == false)
    try client.call(
      Provider.Report.self,
      .init(handle: reply.handle, frames: [.init(events: [.init(code: "REL_DIAL", value: 5)])]))
    #expect(try daemon.client().state().value == 0)
  }

  @Test(arguments: [
    #"{ provider = "te*", name = "Kn?b" }"#, #"{ provider = "test", phys = "tty*", uniq = "7" }"#,
    #"[{ name = "x" }, { provider = "test", vendor = "16c0", has = ["REL_DIAL"] }]"#,
  ])
  func `a match goes by what the program says`(_ match: String) throws {
    let daemon = try RunningDaemon(
      "[device.knob]\nmatch = \(match)\n[control.volume]\nrotate = \"knob:REL_DIAL\"")
    var declaration = Provider.Attach.Parameters.knob(path: "tty1", serial: "7")
    declaration.identity.vendor = "16c0"
    #expect(try daemon.client().call(Provider.Attach.self, declaration).table == "knob")
  }

  @Test func `an unused device is watched as others are`() throws {
    let bed = try ProviderBed(Self.volume)
    let knob = try bed.attach(.knob(provider: "other"))
    #expect(knob.reply.device == "other-1" && knob.reply.table == nil)
    let client = try bed.client()
    try client.send(DeviceInterface.Monitor.self, .init(unused: true), mode: .more)
    let watcher = Watcher(client, first: try client.reply().decode(DeviceInterface.Monitor.Reply.self))
    let device = try #require(watcher.first.devices.first { $0.device == "other-1" })
    #expect(device.provider == "other" && device.problem == nil && device.codes.contains("REL_DIAL"))
    try knob.report("REL_DIAL=2 BTN_0=1")
    #expect(try watcher.frames() == ["other-1 REL_DIAL=2 BTN_0=1"])
    try knob.client.call(Provider.Detach.self, .init(handle: knob.reply.handle))
    try watcher.removal(of: "other-1")
  }

  @Test func `a device without a table gives its name to a new table`() throws {
    let bed = try ProviderBed(Self.volume)
    let knob = try bed.attach(.knob(provider: "other"))
    #expect(try bed.device("other-1")?.state == .unused)
    try bed.reload(ProviderBed.table + Self.volume + "\n[device.other-1]\nvirtual = true\n")
    let devices = try bed.client().call(DeviceInterface.List.self, NoParameters()).devices
    #expect(devices.filter { $0.device == "other-1" }.map(\.virtual) == [true])
    #expect(devices.filter { $0.device == "other-2" }.map(\.state) == [.unused])
    try knob.client.call(Provider.Detach.self, .init(handle: knob.reply.handle))
  }

  @Test func `a reload takes the table of a device away, and gives it another`() throws {
    let bed = try ProviderBed(Self.volume)
    let knob = try bed.attach()
    let orders = try OrderFollower(bed, [knob.reply.handle])
    #expect(try orders.next().compactMap(\.matched) == [.init(device: "knob", table: "knob")])
    let follower = try bed.follower()
    try knob.report("KEY_VOLUMEUP=1")
    try follower.values { ($0.value ?? 0) > 2 }
    try bed.reload(
      "[device.other]\nmatch = { provider = \"x\" }\n[control.volume]\nrotate = \"other:REL_DIAL\"")
    try follower.values { !$0.live }
    #expect(try orders.order { $0.matched != nil }.matched == .init(device: "test-1"))
    #expect(try bed.device("test-1")?.state == .unused)
    let value = try bed.client().state().value
    try knob.report("REL_DIAL=1 KEY_VOLUMEUP=0")
    #expect(try bed.client().state().value == value)
    try bed.reload(
      "[device.dial]\nmatch = { provider = \"test\" }\n[control.volume]\nrotate = \"dial:REL_DIAL\"")
    #expect(try orders.order { $0.matched != nil }.matched == .init(device: "dial", table: "dial"))
    let present = try #require(try bed.client().state().value)
    try knob.report("REL_DIAL=1")
    #expect(try bed.client().state().value == present + 1)
  }

  // MARK: Ends

  @Test func `the end of a connection releases what its device holds, and it comes back as the same device`()
    throws
  {
    let bed = try ProviderBed(Self.volume)
    let follower = try bed.follower()
    var knob: AttachedKnob? = try bed.attach(.knob(path: "a"))
    _ = try bed.attach(.knob(path: "b"))
    try knob?.report("KEY_VOLUMEUP=1")
    try follower.values { ($0.value ?? 0) > 3 }
    knob = nil
    try follower.values { !$0.editing }
    #expect(try bed.device("knob")?.state == .absent)
    let value = try bed.client().state().value
    #expect(try bed.attach(.knob(path: "a")).reply.device == "knob")
    #expect(try bed.client().state().value == value)
  }

  @Test func `a detached device is gone, and its handle with it`() throws {
    let bed = try ProviderBed(Self.volume)
    let knob = try bed.attach()
    let orders = try OrderFollower(bed, [knob.reply.handle])
    _ = try orders.next()
    try knob.report("BTN_0=1")
    try knob.client.call(Provider.Detach.self, .init(handle: knob.reply.handle))
    #expect(try bed.device("knob")?.state == .absent)
    #expect(try knob.failure("BTN_0=0")?.name == Provider.NoSuchHandle.name)
    #expect(
      try orders.client.reply().failure?.decode(Provider.NoSuchHandle.self)?.handle == knob.reply.handle)
  }

  @Test func `keys of a program that does not report in time are released`() throws {
    let bed = try ProviderBed(Self.volume)
    let follower = try bed.follower()
    let knob = try bed.attach(.knob(lease: 1_000))
    try knob.report("KEY_VOLUMEUP=1")
    try follower.values { ($0.value ?? 0) > 3 }
    // Reports of nothing renew the lease: the button is held for much longer.
    let half = Deadline(in: 1.5)
    while !half.hasPassed {
      try knob.report()
      let value = try bed.client().state().value ?? 0
      try follower.values { ($0.value ?? 0) > value + 2 }
    }
    #expect(try bed.client().state().editing)
    try follower.values { !$0.editing }
    let value = try bed.client().state().value
    // What it says an hour later is no press: the release it owes, and the next press is one.
    try knob.report("KEY_VOLUMEUP=0")
    #expect(try bed.client().state().value == value)
    try knob.report("KEY_VOLUMEUP=1", "KEY_VOLUMEUP=0")
    #expect(try bed.client().state().value == (value ?? 0) + 1)
    #expect(try bed.device("knob")?.state == .open)
  }

  @Test func `a daemon that stood still releases no keys of a program that has reported`() throws {
    let bed = try ProviderBed("[control.bell]\nkind = \"button\"\npush = \"knob:BTN_0\"")
    let knob = try bed.attach(.knob(lease: 3_000))
    try knob.report("BTN_0=1")
    try bed.daemon.process.whileStopped {
      try knob.client.send(Provider.Report.self, knob.parameters([], time: nil, lost: nil))
      #expect(!knob.client.hasMessage(within: 3.2))
    }
    #expect(try knob.client.reply().error == nil)
    #expect(try bed.client().state(of: "bell").value == 1)
  }

  @Test func `what goes down while the daemon stands still is held from then on`() throws {
    let bed = try ProviderBed(
      """
      [control.volume]
      increment = "knob:BTN_0"
      repeat = { delay = "200ms", interval = "200ms" }
      """)
    let knob = try bed.attach()
    try bed.daemon.process.whileStopped {
      let time = Instant.now.nanoseconds / 1_000
      try knob.client.send(Provider.Report.self, knob.parameters(["BTN_0=1"], time: time, lost: nil))
      #expect(!knob.client.hasMessage(within: 4))
    }
    let end = Instant.now
    #expect(try knob.client.reply().error == nil)
    let state = try bed.client().state()
    let since: Double = (Instant.now - end) / .milliseconds(200)
    // The press, a repeat that is due at once, and those since then; with the time before there would be 20 more.
    let most: Double = 3 + since
    #expect(state.editing && state.value ?? 0 <= most)
    #expect(try bed.client().call(ManagerInterface.GetStatus.self, NoParameters()).stalls >= 1)
  }

  @Test func `what was lost is a release, and the rest is as the program says`() throws {
    let bed = try ProviderBed(Self.volume + "\n[control.level]\nabsolute = \"knob:ABS_X\"")
    let knob = try bed.attach(.knob(absolute: [.init(code: "ABS_X", minimum: 0, maximum: 100, value: 0)]))
    try knob.report()
    let follower = try bed.follower()
    try knob.report("KEY_VOLUMEUP=1")
    try follower.values { ($0.value ?? 0) > 2 }
    try knob.report(lost: .init(keysDown: [], positions: [.init(code: "ABS_X", value: 30)]))
    #expect(try bed.client().state().editing == false)
    #expect(try bed.client().state(of: "level").value == 30)
    #expect(try bed.device("knob")?.overruns == 1)
    // Down again, and the frames after the loss count.
    let value = try #require(try bed.client().state().value)
    try knob.report("REL_DIAL=5", lost: .init(keysDown: ["BTN_0"], positions: []))
    #expect(try bed.client().state().value == value + 5)
  }

  /// As a device of the kernel that is opened.
  @Test func `what it says first is how it is, and nothing of that is a press or a movement`() throws {
    let bed = try ProviderBed(Self.volume + "\n[control.level]\nabsolute = \"knob:ABS_X\"")
    let fader = Provider.AbsoluteAxis(code: "ABS_X", minimum: 0, maximum: 100)
    let knob = try bed.attach(.knob(absolute: [fader]))
    let (level, volume) = (try bed.client().state(of: "level").value, try bed.client().state().value)
    let lost = Provider.Lost(keysDown: ["KEY_VOLUMEUP"], positions: [.init(code: "ABS_X", value: 20)])
    try knob.report("ABS_X=20", "KEY_VOLUMEUP=1", lost: lost)
    #expect(try bed.device("knob")?.overruns == 0)
    #expect(try bed.client().state(of: "level").value == level)
    #expect(try !bed.client().state().editing && bed.client().state().value == volume)
    // A second loss says nothing new.
    try knob.report(lost: lost)
    #expect(try bed.client().state(of: "level").value == level)
    #expect(try !bed.client().state().editing)
    try knob.report("ABS_X=21", "KEY_VOLUMEUP=0", "KEY_VOLUMEUP=1")
    #expect(try bed.client().state(of: "level").value == 21)
    #expect(try bed.client().state().editing)
  }

  // MARK: Time

  /// Frames of the future, of the past, and in disorder: each is applied after the one before it.
  @Test(arguments: [Int64.max, 1 << 53, 0, -1, Int64.min])
  func `any time is taken as one between the last frame and now`(_ time: Int64) throws {
    let bed = try ProviderBed(Self.volume)
    let knob = try bed.attach()
    // Integers of a call are those that a double has.
    let stamp = min(max(time, -(1 << 53)), 1 << 53)
    try knob.report("REL_DIAL=1", time: stamp)
    try knob.report("KEY_VOLUMEUP=1", "KEY_VOLUMEUP=0", time: stamp)
    // Held, the button would repeat for ever.
    try eventually { try !bed.client().state().editing }
    #expect(try bed.client().state().value == 2)
  }

}
