import FoundationEssentials
import Glibc
import StepperInterfaces
import TestSupport
import Testing
import Varlink

/// Values on their way to a disk that is slow, full or broken, and what everybody else notices of it: nothing.
@Suite(.timeLimit(.minutes(10)))
struct SavingTests {
  static let panel = "[device.panel]\nvirtual = true\n"
  /// Written as soon as possible.
  static let eager = "[daemon]\nsave-after = \"0s\"\nsave-interval = \"0s\"\n\(panel)"
  static let volume = "[control.volume]\nincrement = \"panel:plus\"\nrotate = \"panel:dial\"\n"

  @Test func `a disk that takes its time delays no client and no hold`() throws {
    let faults = try Faults()
    let daemon = try RunningDaemon("\(Self.eager)\(Self.volume)", faults: faults)
    let (client, panel) = (try daemon.client(), try daemon.client())
    try faults.set("fsync 2000")
    try panel.press()
    try faults.expect("fsync")
    var longest = 0.0
    while try faults.count(of: "fsync") < 2 {
      let start = Date()
      _ = try client.state()
      longest = max(longest, Date().timeIntervalSince(start))
    }
    #expect(longest < 1.5, "a client waited \(longest) s")
    try panel.release()
    // At the press, after 500, 1000, 1500 and 2000 ms, and then every 100 ms.
    #expect(try client.state().value ?? 0 >= 4)
  }

  @Test func `Save is answered when the values are on the disk, and others meanwhile`() throws {
    let faults = try Faults()
    let daemon = try RunningDaemon("\(Self.panel)\(Self.volume)", faults: faults)
    let (saver, client) = (try daemon.client(), try daemon.client())
    try client.turn(42)
    try faults.set("fsync 1500")
    try saver.send(ManagerInterface.Save.self, NoParameters())
    try saver.send(ControlInterface.Get.self, .init(control: "volume"))
    try faults.expect("fsync")
    for _ in 0..<10 { #expect(try client.state().value == 42) }
    #expect(!saver.hasMessage(within: 0.5))
    #expect(try saver.reply().error == nil)
    #expect(try daemon.savedText().contains("\"42\""))
    #expect(try saver.reply().decode(ControlInterface.Get.Reply.self).state.value == 42)
  }

  @Test func `a client that saves and goes is none the worse`() throws {
    let faults = try Faults()
    let daemon = try RunningDaemon("\(Self.panel)\(Self.volume)", faults: faults)
    try faults.set("fsync 500")
    for _ in 0..<20 {
      let saver = try daemon.client()
      try saver.send(ManagerInterface.Save.self, NoParameters())
    }
    #expect(try daemon.client().call(ManagerInterface.Save.self, NoParameters()) == NoParameters())
  }

  @Test func `a stop waits for the last values`() throws {
    let faults = try Faults()
    let daemon = try RunningDaemon("\(Self.panel)\(Self.volume)", faults: faults)
    try daemon.client().turn(42)
    try faults.set("fsync 1000")
    #expect(try daemon.stop() == 0)
    #expect(try daemon.savedText().contains("\"42\""))
  }

  @Test func `a stop waits for a dead disk, but not for ever`() throws {
    let faults = try Faults()
    let daemon = try RunningDaemon("\(Self.eager)\(Self.volume)", faults: faults)
    try faults.set("fsync 3600000")
    try daemon.client().turn(42)
    try faults.expect("fsync")
    let start = Date()
    daemon.process.signal(SIGTERM)
    #expect(try daemon.process.waitForExit() == 0)
    #expect(Date().timeIntervalSince(start) < 15)
    #expect(daemon.process.output.contains("not written"))
  }

  @Test func `a fader that never rests is saved all the same`() throws {
    let daemon = try RunningDaemon(
      "[daemon]\nsave-after = \"600ms\"\nsave-interval = \"1s\"\n\(Self.panel)\(Self.volume)")
    let client = try daemon.client()
    var turns: Int64 = 0
    let isSaved = Deadline().wait {
      // A file that is not there yet has no value in it.
      if (try? daemon.savedText()) != nil { return true }
      turns += 1
      try? client.turn(turns.isMultiple(of: 2) ? 1 : -1)
      _ = client.hasMessage(within: 0.05)
      return false
    }
    #expect(isSaved, "turned \(turns) times")
  }

  static let faultyCalls = [
    ("openat", "ENOSPC"), ("openat", "EROFS"), ("openat", "EDQUOT"), ("openat", "EMFILE"),
    ("write", "ENOSPC"),
    ("write", "EDQUOT"), ("write", "EIO"), ("fsync", "EIO"), ("fsync", "EDQUOT"), ("renameat", "ENOSPC"),
    ("renameat", "EROFS"), ("renameat", "EIO"), ("linkat", "ENOSPC"), ("linkat", "EIO"),
  ]

  @Test(arguments: faultyCalls)
  func `a save that fails leaves the old values, is told once, and is made up for`(
    call: String, error: String
  ) throws {
    let faults = try Faults()
    let daemon = try RunningDaemon("\(Self.eager)\(Self.volume)", faults: faults)
    let client = try daemon.client()
    try client.turn(41)
    _ = try client.call(ManagerInterface.Save.self, NoParameters())
    // Written once more, so that there is an older generation.
    try client.turn(1)
    _ = try client.call(ManagerInterface.Save.self, NoParameters())
    try faults.set("\(call) \(error)")
    try client.turn(1)
    try client.send(ManagerInterface.Save.self, NoParameters())
    let failure = try client.reply()
    #expect(failure.error == "org.stepperd.manager.SaveFailed")
    let problems = try client.call(ManagerInterface.GetStatus.self, NoParameters()).problems
    #expect(problems.count == 1 && problems[0].contains("values are not"), "\(problems)")
    #expect(try !daemon.savedText().contains("\"43\"") || call == "fsync")
    try faults.set()
    try daemon.process.expectOutput("values are saved again")
    #expect(try daemon.savedText().contains("\"43\""))
    #expect(try client.call(ManagerInterface.GetStatus.self, NoParameters()).problems.isEmpty)
    daemon.process.signal(SIGKILL)
    #expect(try daemon.process.waitForExit() == -SIGKILL)
    let lines = daemon.process.output.split(separator: "\n").filter { $0.contains("values are not") }
    #expect(lines.count == 1, "\(lines)")
    let next = try RunningDaemon("\(Self.eager)\(Self.volume)", in: daemon.folder)
    #expect(try next.client().state().value == 43)
  }

  @Test func `a disk that refuses everything is not asked without end`() throws {
    let faults = try Faults()
    let daemon = try RunningDaemon("\(Self.eager)\(Self.volume)", faults: faults)
    let client = try daemon.client()
    try faults.set("fsync EIO")
    try client.turn(1)
    try faults.expect("fsync", count: 2)
    for _ in 0..<100 { try client.turn(1) }
    _ = client.hasMessage(within: 2)
    // After 0, 1, 3 and 7 s.
    #expect(try faults.count(of: "fsync") <= 3)
  }

  @Test func `where no link can be made there is an older generation all the same`() throws {
    let faults = try Faults()
    let daemon = try RunningDaemon("\(Self.panel)\(Self.volume)", faults: faults)
    let client = try daemon.client()
    try client.turn(1)
    _ = try client.call(ManagerInterface.Save.self, NoParameters())
    try faults.set("linkat EPERM")
    try client.turn(1)
    _ = try client.call(ManagerInterface.Save.self, NoParameters())
    #expect(try daemon.savedText().contains("\"2\""))
    #expect(try daemon.savedText("values.previous.json").contains("\"1\""))
  }

  /// What was acknowledged by `Save` is there after every one of them.
  @Test func `killed at any moment it loses nothing that was saved`() throws {
    let folder = try TemporaryFolder()
    let configuration = "\(Self.eager)[control.volume]\nmaximum = \"none\"\nrotate = \"panel:dial\"\n"
    var saved = 0.0
    for round in 0..<30 {
      let daemon = try RunningDaemon(configuration, in: folder)
      let client = try daemon.client()
      let value = try #require(try client.state().value)
      #expect(value >= saved, "round \(round)")
      try client.turn(1)
      _ = try client.call(ManagerInterface.Save.self, NoParameters())
      saved = value + 1
      // Saves go on while it is killed, each time at another point.
      for _ in 0...round { try client.turn(1) }
      daemon.process.signal(SIGKILL)
      #expect(try daemon.process.waitForExit() == -SIGKILL)
      #expect(!daemon.process.output.contains("damaged"), "round \(round)")
    }
  }
}

extension RunningDaemon {
  /// What is remembered.
  func savedText(_ name: String = "values.json") throws -> String {
    try folder.read("state/stepperd/\(name)")
  }
}
