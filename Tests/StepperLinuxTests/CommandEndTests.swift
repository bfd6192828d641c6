import Glibc
import StepperCore
import SystemPackage
import TestSupport
import Testing

@testable import StepperLinux

/// Whether there is such a process, a zombie included.
private func exists(_ process: pid_t) -> Bool { kill(process, 0) == 0 || errno != ESRCH }

/// Whether it still does something: a zombie that its parent has not reaped yet does not.
private func isRunning(_ process: pid_t) -> Bool {
  guard let content = try? SmallFile(FilePath("/proc/\(process)/stat")).read(limit: 4_096) else {
    return false
  }
  return !String(decoding: content, as: UTF8.self).contains(") Z ")
}

@Suite(.timeLimit(.minutes(10))) struct CommandEndTests {
  @Test func `killing it kills what it started`() throws {
    var command = try RunningCommand.start(
      shell("(trap '' TERM; exec sh -c 'echo $$; exec sleep 1000') & exec sleep 1000"),
      environment: ["PATH": "/usr/bin:/bin"])
    let grandchild = try number(in: command)
    command.terminate()
    try waitForEnd(command)
    #expect(exists(grandchild), "it ignores SIGTERM")
    #expect(command.finish() == .signaled(SIGTERM))
    #expect(Deadline().wait { !isRunning(grandchild) }, "what the leader left behind is killed")
  }

  @Test func `one that ignores SIGTERM is killed`() throws {
    var command = try RunningCommand.start(
      shell("trap '' TERM; echo 1; while :; do sleep 1000; done"), environment: ["PATH": "/usr/bin:/bin"])
    _ = try number(in: command)
    command.terminate()
    command.waitForEnd(until: .now + .milliseconds(50))
    #expect(command.finish() == nil)
    command.kill()
    try waitForEnd(command)
    #expect(command.finish() == .signaled(SIGKILL))
  }

  @Test func `one that is stopped hears SIGTERM`() throws {
    var command = try RunningCommand.start(shell("echo 1; kill -STOP $$"), environment: [:])
    _ = try number(in: command)
    command.terminate()
    try waitForEnd(command)
    #expect(command.finish() == .signaled(SIGTERM))
  }

  @Test func `an end is told once, and leaves no zombie`() throws {
    var command = try RunningCommand.start(shell("exit 4"), environment: [:])
    let process = command.processID
    try waitForEnd(command)
    #expect(exists(process), "until it is reaped")
    #expect(command.finish() == .exited(4))
    #expect(!exists(process))
    #expect(command.finish() == .exited(4), "the second time it is only remembered")
    command.kill()
  }

  @Test func `one that is dropped is killed`() throws {
    let process: pid_t
    do {
      let command = try RunningCommand.start(
        shell("echo 1; exec sleep 1000"), environment: ["PATH": "/usr/bin:/bin"])
      _ = try number(in: command)
      process = command.processID
    }
    #expect(Deadline().wait { !isRunning(process) })
    waitpid(process, nil, 0)
  }

  @Test func `more output than a pipe holds arrives whole`() throws {
    let result = try outcome(["/usr/bin/head", "-c", "1000000", "/dev/zero"])
    #expect(result.output.utf8.count == 1_000_000)
    #expect(result.status == .exited(0))
  }

  @Test func `a grandchild that keeps the output open does not keep it running`() throws {
    let began = Instant.now
    let result = try outcome(shell("setsid sleep 30 & echo left"), environment: ["PATH": "/usr/bin:/bin"])
    #expect(result.status == .exited(0))
    #expect(result.output == "left\n")
    #expect(Instant.now - began < .seconds(20))
  }

  @Test(arguments: [
    ("sh -c 'echo $$; exec sleep 1000' & read -r _ < \"$0\"", true),
    ("setsid sh -c 'echo $$; exec sleep 5' & read -r _ < \"$0\"", false),
    ("sh -c 'echo $$' & wait; read -r _ < \"$0\"", false), ("echo $$; read -r _ < \"$0\"", false),
  ])
  func `what is left in the group is told from what left it`(_ script: String, _ isLeft: Bool) throws {
    // The leader goes on to its end when what it started has said its number.
    let folder = try TemporaryFolder()
    let path = "\(folder.path)/gate"
    #expect(unsafe mkfifo(path, 0o600) == 0)
    let gate = OwnedFileDescriptor(owning: unsafe open(path, O_RDWR | O_CLOEXEC))
    var command = try RunningCommand.start(
      shell(script) + [path], environment: ["PATH": "/usr/bin:/bin"])
    _ = try number(in: command)
    #expect(unsafe write(gate.rawValue, "\n", 1) == 1)
    try waitForEnd(command)
    #expect(command.finish() == .exited(0))
    let leftProcesses = command.leftProcesses
    #expect(leftProcesses == isLeft)
  }

  @Test func `two hundred commands leave no descriptor and no process behind`() async throws {
    // In a process of its own, where no other test opens any.
    await #expect(processExitsWith: .success) {
      _ = try outcome(["/bin/true"])
      let before = descriptorCount()
      for round in 0..<200 {
        switch round % 4 {
        case 0: #expect(try outcome(["/bin/true"]).status == .exited(0))
        case 1: #expect(throws: SpawnFailure.self) { try outcome(["/nonexistent"]) }
        case 2: #expect(throws: SpawnFailure.self) { try outcome(["/etc/passwd"]) }
        default:
          var command = try RunningCommand.start(["/bin/sleep", "1000"], environment: [:])
          command.kill()
          command.waitForEnd(until: .now + .seconds(10))
          #expect(command.finish() == .signaled(SIGKILL))
        }
      }
      // A thread closes its own a moment after its command was handed over.
      #expect(Deadline().wait { descriptorCount() <= before })
      #expect(waitpid(-1, nil, WNOHANG) == -1 && errno == ECHILD, "there is no child left")
    }
  }

  /// The next number that `command` writes.
  private func number(in command: borrowing RunningCommand) throws -> pid_t {
    let deadline = Deadline()
    while deadline.waitForInput(on: command.outputDescriptor) {
      guard case .bytes(let bytes) = command.readOutput(limit: 100) else { continue }
      let text = String(decoding: bytes, as: UTF8.self)
      if let number = pid_t(text.prefix { $0 != "\n" }) { return number }
    }
    throw TestFailure("it wrote no number")
  }

  private func waitForEnd(_ command: borrowing RunningCommand) throws {
    guard Deadline().waitForInput(on: command.endDescriptor) else {
      throw TestFailure("it never ended")
    }
  }
}
