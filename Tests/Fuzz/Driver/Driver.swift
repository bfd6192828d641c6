import FuzzTargets
import Glibc

// Scripts/stress/fuzz builds this with FUZZING and libFuzzer, which has the main function and calls the two functions that are
// exported. Any other build runs the inputs that are named, as in a debugger.

/// One input. What is found ends the process, as libFuzzer expects.
private func run(_ target: FuzzTarget, _ input: [UInt8]) {
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

/// The target that `FUZZ_TARGET` names.
private let target = unsafe getenv("FUZZ_TARGET").flatMap { unsafe FuzzTarget.named(String(cString: $0)) }

/// Without a target in the environment the program says which there are, a line each, and ends.
private func requireTarget() {
  guard target == nil else { return }
  for target in FuzzTarget.all { print(target.name, target.largestInput) }
  exit(0)
}

#if FUZZING
  /// Without a target the program ends.
  @c(LLVMFuzzerInitialize)
  public func initialize(
    _ count: UnsafeMutablePointer<CInt>?,
    _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?>?
  ) -> CInt {
    requireTarget()
    return 0
  }

  /// One input, whose findings end the process.
  @c(LLVMFuzzerTestOneInput)
  public func testOneInput(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    if let target { run(target, unsafe Array(UnsafeBufferPointer(start: bytes, count: count))) }
    return 0
  }
#else
  @main
  enum Driver {
    static func main() {
      requireTarget()
      for path in CommandLine.arguments.dropFirst() {
        guard let target, let file = unsafe fopen(path, "r") else {
          unsafe perror(path)
          exit(66)
        }
        var input = [UInt8](repeating: 0, count: target.largestInput)
        let count = unsafe fread(&input, 1, input.count, file)
        input.removeLast(input.count - count)
        unsafe fclose(file)
        run(target, input)
      }
    }
  }
#endif
