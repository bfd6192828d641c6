import Glibc
import StepperCore
import SystemPackage
import TestSupport
import Testing

@testable import StepperLinux

/// Runs a command to its end on an event loop; what is left behind does not hold it up.
func outcome(
  _ arguments: [String], environment: [String: String] = [:], within seconds: Double = 60
) throws -> (status: RunningCommand.Status?, output: String) {
  let loop = try EventLoop()
  var command = try RunningCommand.start(arguments, environment: environment)
  let deadline = Deadline(in: seconds)
  var output: [UInt8] = []
  var hasEnded = false
  try loop.watch(command.endDescriptor, priority: .client) { _, _ in
    hasEnded = true
    loop.stop()
  }
  try loop.watch(command.outputDescriptor, priority: .client) { _, _ in loop.stop() }
  while !hasEnded, !deadline.hasPassed {
    try loop.run { $0 + .milliseconds(100) }
    reading: while true {
      switch command.readOutput(limit: 4_096) {
      case .bytes(let bytes): output += bytes
      case .nothingYet: break reading
      case .end:
        loop.unwatch(command.outputDescriptor)
        break reading
      }
    }
  }
  loop.unwatch(command.endDescriptor)
  let status = command.finish()
  while case .bytes(let bytes) = command.readOutput(limit: 4_096) { output += bytes }
  return (status, String(decoding: output, as: UTF8.self))
}

func shell(_ script: String) -> [String] { ["/bin/sh", "-c", script] }

@Suite(.timeLimit(.minutes(10))) struct RunningCommandTests {
  @Test func `arguments arrive as they are, without a shell`() throws {
    let result = try outcome(["/usr/bin/printf", "%s|", "a b", "$HOME", "*", ""])
    #expect(result.output == "a b|$HOME|*||")
    #expect(result.status == .exited(0))
  }

  @Test func `a bare name is looked up in PATH`() throws {
    #expect(try outcome(["printf", "x"], environment: ["PATH": "/nonexistent:/usr/bin"]).output == "x")
    #expect(try outcome(["printf", "x"]).output == "x", "and where programs usually are without one")
  }

  @Test(arguments: [("exit 0", 0), ("exit 3", 3), ("exit 255", 255)])
  func `the exit status is told`(_ script: String, _ code: Int32) throws {
    #expect(try outcome(shell(script)).status == .exited(code))
  }

  @Test func `the signal that ended it is told`() throws {
    #expect(try outcome(shell("kill -9 $$")).status == .signaled(9))
  }

  // MARK: What it is started with

  @Test func `it inherits no descriptors`() throws {
    let inheritable = try Pipe()
    let result = try outcome(shell("ls -l /proc/self/fd"), environment: ["PATH": "/usr/bin:/bin"])
    withExtendedLifetime(inheritable) {}
    let links = result.output.split(separator: "\n").filter { $0.contains(" -> ") }
    let targets = links.map { String($0.split(separator: " ").last ?? "") }
    #expect(targets.count == 4, "three streams and the directory ls reads: \(result.output)")
    #expect(targets.first == "/dev/null")
    #expect(targets[1] == targets[2] && targets[1].hasPrefix("pipe:"))
  }

  @Test func `its environment is what it is given and nothing else`() throws {
    let result = try outcome(["/usr/bin/env"], environment: ["STEPPER_VALUE": "4.50", "EMPTY": ""])
    #expect(result.output.split(separator: "\n").sorted() == ["EMPTY=", "STEPPER_VALUE=4.50"])
  }

  @Test func `it begins in the root directory with the umask of the daemon`() throws {
    let told = try outcome(shell("pwd; umask")).output.split(separator: "\n")
    let status = try SmallFile("/proc/self/status").read(limit: 1 << 16) ?? []
    let line = String(decoding: status, as: UTF8.self).split(separator: "\n").first { $0.hasPrefix("Umask:") }
    #expect(told == ["/", line?.dropFirst("Umask:\t".count) ?? ""])
  }

  @Test func `no signal is blocked or ignored, whatever the daemon does`() async throws {
    await #expect(processExitsWith: .success) {
      let source = try SignalSource()
      signal(SIGUSR1, SIG_IGN)
      signal(SIGCHLD, SIG_IGN)
      let result = try outcome(["/bin/grep", "-E", "^Sig(Blk|Ign)", "/proc/self/status"])
      withExtendedLifetime(source.rawDescriptor) {}
      #expect(result.status == .exited(0), "its status is not lost either")
      let masks = result.output.split(separator: "\n").map { UInt64($0.suffix(16), radix: 16) ?? .max }
      // Signals 32 and 33 are the C library's own; its posix_spawn leaves them ignored.
      #expect(masks.map { $0 & 0xFFFF_FFFE_7FFF_FFFF } == [0, 0])
    }
  }

  @Test func `it leads a session and a group of its own`() throws {
    // pid, ppid, pgrp, session are the fields 1, 4, 5 and 6.
    let result = try outcome(
      shell("read -r pid _ _ parent group session _ < /proc/self/stat; echo $pid $group $session"))
    let numbers = result.output.split(whereSeparator: \.isWhitespace)
    #expect(numbers.count == 3 && Set(numbers).count == 1, "\(result.output)")
  }

  @Test func `it has nothing to read`() throws {
    #expect(try outcome(["/bin/cat"]).status == .exited(0))
  }

  // MARK: What goes wrong at the start

  @Test func `a program that does not exist is named`() {
    let failure = #expect(throws: SpawnFailure.self) { try start(["/nonexistent/beep"]) }
    #expect(failure?.errno == .noSuchFileOrDirectory)
    #expect(failure?.description == "/nonexistent/beep does not exist")
    let unknown = #expect(throws: SpawnFailure.self) { try start(["no-such-beep"]) }
    #expect(unknown?.description == "no directory of PATH has a program no-such-beep")
    #expect(throws: SpawnFailure.self) { try start([]) }
  }

  @Test func `what cannot be executed is named with the reason`() throws {
    let folder = try TemporaryFolder()
    // By another process: a file that this one has open for writing, or a child of another test, is "busy".
    let made = try run(
      "/bin/sh",
      [
        "-c",
        """
        cd "$0" && echo '#!/bin/sh' > plain && echo 'no program' > text && echo '#!/nonexistent/sh' > lost
        chmod 755 text lost
        """, folder.path,
      ])
    #expect(made.status == 0)
    let reasons = ["plain", "text", "lost"].map { name in
      #expect(throws: SpawnFailure.self) { try start(["\(folder.path)/\(name)"]) }?.description
    }
    #expect(
      reasons == [
        "\(folder.path)/plain is not executable",
        "\(folder.path)/text is not a program; a script begins with #! and its interpreter",
        "\(folder.path)/lost names an interpreter that does not exist",
      ])
    let found = #expect(throws: SpawnFailure.self) { try start(["plain"], path: folder.path) }
    #expect(found?.description == "\(folder.path)/plain is not executable")
  }

  private func start(_ arguments: [String], path: String = "/usr/bin") throws {
    _ = try RunningCommand.start(arguments, environment: ["PATH": path])
  }
}
