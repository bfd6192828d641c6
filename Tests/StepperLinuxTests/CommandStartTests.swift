import Glibc
import StepperCore
import SystemPackage
import TestSupport
import Testing

@testable import StepperLinux

/// Programs that are loaded on a thread of their own.
@Suite(.timeLimit(.minutes(10))) struct CommandStartTests {
  private let path = ["PATH": "/usr/bin:/bin"]

  /// Waits for the result and hands it to `body`.
  private func result(
    of start: CommandStart, _ body: (consuming Result<RunningCommand, SpawnFailure>) throws -> Void
  ) throws {
    guard Deadline().waitForInput(on: start.rawDescriptor), let result = start.takeResult() else {
      throw TestFailure("it was never started")
    }
    try body(result)
  }

  @Test func `the command is handed over when its program is loaded`() throws {
    let start = try CommandStart(["sh", "-c", "echo $$; exit 3"], environment: path)
    try result(of: start) { result in
      var command = try result.get()
      #expect(Deadline().waitForInput(on: command.endDescriptor))
      #expect(command.finish() == .exited(3))
      #expect(command.readOutput(limit: 100) == .bytes(Array("\(command.processID)\n".utf8)))
    }
    if start.takeResult() != nil { Issue.record("it is handed over once") }
    // It is over: this concerns no other process of that number.
    start.cancel()
  }

  @Test func `why it cannot be started is the result`() throws {
    for (program, message) in [
      ("/nonexistent/beep", "/nonexistent/beep does not exist"),
      ("no-such-beep", "no directory of PATH has a program no-such-beep"),
      ("/etc/passwd", "/etc/passwd is not executable"), ("/etc", "/etc is not executable"),
    ] {
      try result(of: CommandStart([program], environment: path)) { result in
        guard case .failure(let failure) = result else { throw TestFailure("\(program) was started") }
        #expect("\(failure)" == message)
      }
    }
  }

  @Test func `one that is cancelled does not run, whenever that is`() async throws {
    // In a process of its own, whose children and descriptors are its own.
    await #expect(processExitsWith: .success) {
      let before = descriptorCount()
      var (killed, refused) = (0, 0)
      for round in 0..<200 {
        let start = try CommandStart(["sleep", "1000"], environment: ["PATH": "/usr/bin:/bin"])
        if round % 4 == 1 { sched_yield() }
        if round % 4 > 1 {
          _ = Deadline(in: Double(round % 20) / 4_000).waitForInput(on: start.rawDescriptor)
        }
        start.cancel()
        guard Deadline().waitForInput(on: start.rawDescriptor), let result = start.takeResult() else {
          throw TestFailure("it did not end")
        }
        switch consume result {
        case .failure(let failure):
          refused += 1
          #expect(failure.errno == .brokenPipe)
        case .success(let command):
          var command = command
          #expect(Deadline().waitForInput(on: command.endDescriptor))
          #expect(command.finish() == .signaled(SIGKILL))
          killed += 1
        }
      }
      #expect(killed + refused == 200)
      #expect(Deadline().wait { descriptorCount() <= before })
      #expect(waitpid(-1, nil, WNOHANG) == -1 && errno == ECHILD, "there is no child left")
    }
  }

  @Test func `one that is dropped while it is started does not run`() async throws {
    await #expect(processExitsWith: .success) {
      let before = descriptorCount()
      for _ in 0..<20 {
        _ = try CommandStart(["sleep", "1000"], environment: ["PATH": "/usr/bin:/bin"])
      }
      // Each ends, killed or not loaded, as soon as its thread has come so far.
      #expect(
        Deadline().wait {
          while waitpid(-1, nil, WNOHANG) > 0 {}
          return waitpid(-1, nil, WNOHANG) == -1 && descriptorCount() <= before
        })
      #expect(waitpid(-1, nil, WNOHANG) == -1 && errno == ECHILD)
    }
  }
}
