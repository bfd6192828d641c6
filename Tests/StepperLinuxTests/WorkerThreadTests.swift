import Glibc
import StepperCore
import StepperLinux
import SystemPackage
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10)))
struct WorkerThreadTests {
  @Test func `the result comes back when the descriptor is readable`() throws {
    let worker = try WorkerThread<[Int]>()
    let numbers = Array(0..<1_000)
    for round in 0..<100 {
      try worker.start { numbers.map { $0 + round } }
      #expect(worker.isBusy)
      #expect(Deadline().waitForInput(on: worker.rawDescriptor))
      #expect(worker.takeResult() == numbers.map { $0 + round })
      #expect(!worker.isBusy && worker.takeResult() == nil)
    }
  }

  @Test func `nobody waits for it longer than wanted`() throws {
    let worker = try WorkerThread<Int>()
    let (read, write) = try makePipe()
    try worker.start {
      var byte: UInt8 = 0
      return unsafe Glibc.read(read, &byte, 1)
    }
    #expect(worker.takeResult() == nil)
    #expect(worker.waitForResult(until: Instant.now + .milliseconds(20)) == nil && worker.isBusy)
    _ = unsafe Glibc.write(write, "x", 1)
    #expect(worker.waitForResult(until: Instant.now + .seconds(10)) == 1)
    close(read)
    close(write)
  }

  // In a process of its own, whose signals and descriptors are its own.
  @Test func `a result that nobody takes any more is given up, and nothing is left open`() async {
    await #expect(processExitsWith: .success) {
      signal(SIGPIPE, SIG_IGN)
      let (read, write) = try makePipe()
      let before = descriptorCount()
      var worker: WorkerThread<[UInt8]>? = try WorkerThread()
      try worker?.start {
        var byte: UInt8 = 0
        _ = unsafe Glibc.read(read, &byte, 1)
        return [byte]
      }
      // Both ends, and the end of the thread; what else runs in the process may have one open for a moment.
      #expect(Deadline().wait { descriptorCount() == before + 3 })
      worker = nil
      #expect(Deadline().wait { descriptorCount() == before + 1 })
      _ = unsafe Glibc.write(write, "x", 1)
      #expect(Deadline().wait { descriptorCount() == before })
    }
  }

  @Test func `a result is released if its reader goes away, whenever that is`() async {
    await #expect(processExitsWith: .success) {
      let before = descriptorCount()
      for round in 0..<2_000 {
        let worker = try WorkerThread<OpenFile>()
        try worker.start { OpenFile() }
        for _ in 0..<round % 40 { sched_yield() }
        withExtendedLifetime(worker) {}
      }
      #expect(Deadline().wait { descriptorCount() == before })
    }
  }
}

private final class OpenFile: Sendable {
  private let descriptor = OwnedFileDescriptor(owning: unsafe open("/dev/null", O_RDONLY | O_CLOEXEC))
}
