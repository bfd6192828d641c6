import FoundationEssentials
import Glibc
import StepperInterfaces
import TestSupport
import Testing
import Varlink

@testable import StepperDaemon

/// A file system that takes as long as it likes for programs and for the configuration: calls wait until the test lets them
/// go, and everybody else is served meanwhile.
@Suite(.timeLimit(.minutes(10)))
struct SlowDiskTests {
  private static func configuration(hooks count: Int, writingInto folder: TemporaryFolder) -> String {
    (0..<count).reduce("[device.panel]\nvirtual = true\n[control.volume]\n") { text, number in
      """
      \(text)
      [control.c\(number)]
      rotate = "panel:dial"
      on-change = ["sh", "-c", "echo {value} >> \(folder.path)/told"]
      """
    }
  }

  /// Whether the call of this name has been met so often since the faults were armed.
  private func hasMet(_ calls: SystemCalls, _ call: String, times: Int = 1) -> Bool {
    Deadline().wait {
      // Nothing was met before there is a log.
      (try? calls.met().count { $0.call == call }) ?? 0 >= times
    }
  }

  private func serves(_ client: WireClient) throws {
    for _ in 0..<100 { _ = try client.state() }
  }

  // MARK: Programs

  @Test func `programs that take their time to load keep nobody waiting, and all of them run`() throws {
    let calls = try SystemCalls()
    let folder = try TemporaryFolder()
    let count = Hooks.mostStarting * 2 + 4
    let daemon = try RunningDaemon(
      Self.configuration(hooks: count, writingInto: folder), calls: calls)
    let client = try daemon.client()
    try calls.arm(lines: ["execve * WAIT"])
    try client.turn(1)
    #expect(hasMet(calls, "execve"))
    try serves(client)
    #expect(hasMet(calls, "execve", times: count), "who waits for a disk does not keep others from theirs")
    calls.disarm()
    // Not there before the first.
    try eventually { (try? folder.read("told").split(separator: "\n").count) == count }
    #expect(try daemon.stop() == 0)
  }

  @Test(arguments: [false, true])
  func `a stop while programs are loaded waits for none, and none of them runs`(isLooking: Bool) throws {
    let calls = try SystemCalls()
    let folder = try TemporaryFolder()
    let daemon = try RunningDaemon(Self.configuration(hooks: 3, writingInto: folder), calls: calls)
    let client = try daemon.client()
    // While it is looked for there is no process yet; it is looked for with stat.
    try calls.arm(lines: [isLooking ? "stat * WAIT" : "execve * WAIT"])
    try client.turn(1)
    #expect(hasMet(calls, isLooking ? "stat" : "execve", times: 3))
    #expect(try daemon.stop() == 0)
    #expect(Deadline().wait { processes(with: calls.environment).isEmpty }, "none is left")
    calls.disarm()
    #expect(!folder.contains("told"))
  }

  @Test func `a program that is loaded longer than its hook may take is given up`() throws {
    let calls = try SystemCalls()
    let folder = try TemporaryFolder()
    let configuration =
      Self.configuration(hooks: 1, writingInto: folder)
      .replacing("on-change = [", with: "on-change = { timeout = \"2s\", command = [") + "}"
    let daemon = try RunningDaemon(configuration, calls: calls)
    let client = try daemon.client()
    try calls.arm(lines: ["execve * WAIT"])
    try client.turn(1)
    try daemon.process.expectOutput("c0 on-change: took longer than 2000 ms and was ended")
    calls.disarm()
    try client.turn(1)
    // Not there before the first.
    try eventually { (try? folder.read("told")) == "2\n" }
    #expect(try daemon.stop() == 0)
  }

  // MARK: The configuration

  private static let volume = "[control.volume]\nmaximum = 10\n"

  @Test func `a file that takes its time to read keeps nobody waiting, and reloads share a reading`() throws {
    let calls = try SystemCalls()
    let daemon = try RunningDaemon(Self.volume, calls: calls)
    let client = try daemon.client()
    let reloading = try (0..<4).map { _ in try daemon.client() }
    try calls.arm(lines: ["open * WAIT"])
    try reloading[0].send(ManagerInterface.Reload.self, NoParameters())
    #expect(hasMet(calls, "open"))
    for reloading in reloading[1...] { try reloading.send(ManagerInterface.Reload.self, NoParameters()) }
    daemon.process.signal(SIGHUP)
    try serves(client)
    try daemon.folder.write("[control.volume]\nmaximum = 20\n", to: "stepperd.toml")
    #expect(reloading.allSatisfy { !$0.hasMessage(within: 0) })
    calls.disarm()
    for reloading in reloading { #expect(try reloading.reply().error == nil) }
    #expect(
      try client.call(ControlInterface.Describe.self, .init(control: "volume")).description.maximum == 20)
    #expect(try daemon.stop() == 0)
    #expect(daemon.process.output.components(separatedBy: "read \(daemon.folder.path)").count == 3, "twice")
  }

  @Test func `a change while the file is read is noticed`() throws {
    let calls = try SystemCalls()
    let daemon = try RunningDaemon(Self.volume, calls: calls)
    let client = try daemon.client()
    try calls.arm(lines: ["read * WAIT"])
    try client.send(ManagerInterface.Reload.self, NoParameters())
    #expect(hasMet(calls, "read"))
    // What is read is the file that was opened.
    try daemon.folder.write("[control.volume]\nmaximum = 20\n", to: "new.toml")
    try daemon.folder.rename("new.toml", to: "stepperd.toml")
    calls.disarm()
    #expect(try client.reply().error == nil)
    try eventually {
      try client.call(ManagerInterface.GetStatus.self, NoParameters()).problems.contains {
        $0.contains("has changed since it was read")
      }
    }
    #expect(try client.call(ManagerInterface.Reload.self, NoParameters()).problems.isEmpty)
    #expect(try client.call(ManagerInterface.GetStatus.self, NoParameters()).problems.isEmpty)
    #expect(try daemon.stop() == 0)
  }

  @Test func `a stop while the file is read does not wait for it, and says so`() throws {
    let calls = try SystemCalls()
    let daemon = try RunningDaemon(Self.volume, calls: calls)
    let (client, other) = (try daemon.client(), try daemon.client())
    try calls.arm(lines: ["open * WAIT"])
    try client.send(ManagerInterface.Reload.self, NoParameters())
    #expect(hasMet(calls, "open"))
    _ = try other.state()
    #expect(try daemon.stop() == 0)
    let failure = try client.reply().failure?.decode(ManagerInterface.ConfigurationInvalid.self)
    #expect(
      failure?.problems.map(\.message) == [
        "stepperd was stopped before the file was read; nothing was changed"
      ])
  }

  @Test func `programs that a text names are looked for while others are served`() throws {
    let calls = try SystemCalls()
    let daemon = try RunningDaemon(Self.volume, calls: calls)
    let checking = try (0..<3).map { _ in try daemon.client() }
    var leaving: WireClient? = try daemon.client()
    let client = try daemon.client()
    let text = "[control.a]\non-change = [\"no-such-program\"]\n"
    try calls.arm(lines: ["stat * WAIT"])
    try leaving?.send(ManagerInterface.Check.self, .init(text: text, file: nil))
    #expect(hasMet(calls, "stat"))
    for checking in checking { try checking.send(ManagerInterface.Check.self, .init(text: text, file: nil)) }
    try serves(client)
    leaving = nil
    calls.disarm()
    for checking in checking {
      let problems = try checking.reply().decode(ManagerInterface.Check.Reply.self).problems
      #expect(problems.count == 1 && problems[0].message.contains("is in no directory of PATH"))
    }
    #expect(try daemon.stop() == 0)
  }

  @Test func `a client that goes while its reload is read does no harm`() throws {
    let calls = try SystemCalls()
    let daemon = try RunningDaemon(Self.volume, calls: calls)
    let other = try daemon.client()
    var client: WireClient? = try daemon.client()
    try calls.arm(lines: ["open * WAIT"])
    try client?.send(ManagerInterface.Reload.self, NoParameters())
    #expect(hasMet(calls, "open"))
    client = nil
    try eventually { try other.call(ManagerInterface.GetStatus.self, NoParameters()).clients == 1 }
    calls.disarm()
    #expect(try other.call(ManagerInterface.Reload.self, NoParameters()).problems.isEmpty)
    #expect(try daemon.stop() == 0)
  }
}

/// The processes whose environment has all of `variables`, zombies left out.
private func processes(with variables: [String: String]) -> [pid_t] {
  guard let directory = unsafe opendir("/proc") else { return [] }
  defer { unsafe closedir(directory) }
  var found: [pid_t] = []
  while let entry = unsafe readdir(directory) {
    let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
      unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
    // One that has ended meanwhile, or is of another user, is none of them.
    guard let process = pid_t(name),
      let text = try? String(contentsOfFile: "/proc/\(name)/environ", encoding: .utf8)
    else { continue }
    if variables.allSatisfy({ text.contains("\($0)=\($1)\0") }) { found.append(process) }
  }
  return found
}
