import FuzzTargets
import Glibc

// libFuzzer's main function is the program's; it calls these two.

/// The target that `FUZZ_TARGET` names.
private let target = unsafe getenv("FUZZ_TARGET").flatMap { unsafe FuzzTarget.named(String(cString: $0)) }

/// Without a target in the environment it says which there are, a line each, and ends.
@c(LLVMFuzzerInitialize)
public func initialize(
  _ count: UnsafeMutablePointer<CInt>?,
  _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?>?
) -> CInt {
  guard target == nil else { return 0 }
  for target in FuzzTarget.all { print(target.name, target.largestInput) }
  exit(0)
}

/// One input. What is found ends the process, as libFuzzer expects.
@c(LLVMFuzzerTestOneInput)
public func testOneInput(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  guard let target else { return 0 }
  let input = unsafe Array(UnsafeBufferPointer(start: bytes, count: count))
  do {
    // What takes long the first time may have been made for all inputs, or the machine looked away.
    for attempt in 1...3 {
      let time = try processorTime { try target.run(input) }
      if time <= target.patience { break }
      if attempt == 3 { report("it takes \(time / .milliseconds(1)) ms") }
    }
  } catch {
    report("\(error)")
  }
  return 0
}

private func processorTime(_ body: () throws -> Void) rethrows -> Duration {
  func now() -> Duration {
    var time = timespec()
    unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
  }
  let start = now()
  try body()
  return now() - start
}

private func report(_ finding: String) -> Never {
  let message = "finding: \(finding)\n"
  unsafe write(STDERR_FILENO, message, message.utf8.count)
  abort()
}
