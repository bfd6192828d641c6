internal import Glibc

/// A program under test, with its output read line by line.
///
/// Test threads have most signals blocked, and children inherit that: a child starts with none blocked and
/// none ignored here, so that it can be ended as its users would.
package final class ChildProcess {
  package let processID: Int32
  /// Everything it has written so far, standard output and standard error in their order.
  package private(set) var output = ""
  private let outputEnd: CInt
  /// Held open, so that it does not see the end of its input.
  private var inputEnd: CInt?
  private var status: CInt?

  /// `environment` is all of it; nil: the test's own. Standard error goes to `errorOutput`, if there is one.
  package init(
    _ program: String, _ arguments: [String] = [], environment: [String: String]? = nil,
    errorOutput: CInt? = nil
  ) throws {
    let (outputRead, outputWrite) = try makePipe()
    let (inputRead, inputWrite) = try makePipe()
    defer { for end in [inputRead, outputWrite] { close(end) } }
    (outputEnd, inputEnd) = (outputRead, inputWrite)
    processID = try spawn(
      [program] + arguments, descriptors: [inputRead, outputWrite, errorOutput ?? outputWrite],
      environment: environment)
  }

  deinit {
    if status == nil {
      kill(processID, SIGKILL)
      waitpid(processID, nil, 0)
    }
    close(outputEnd)
    endInput()
  }

  /// Writes to its standard input.
  package func write(_ text: String) throws {
    guard let inputEnd else { throw TestFailure("its input has ended") }
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let count = unsafe rest.withUnsafeBytes {
        unsafe send(inputEnd, $0.baseAddress, $0.count, CInt(MSG_NOSIGNAL))
      }
      guard count > 0 else { throw TestFailure("it does not read its input: errno \(errno)") }
      rest = rest.dropFirst(count)
    }
  }

  /// Ends its standard input.
  package func endInput() {
    if let inputEnd { close(inputEnd) }
    inputEnd = nil
  }

  package func signal(_ number: CInt) { kill(processID, number) }

  /// Stops it (`SIGSTOP`), lets `body` happen, and continues it: it then finds everything in one wakeup.
  package func whileStopped(_ body: () throws -> Void) throws {
    signal(SIGSTOP)
    defer { signal(SIGCONT) }
    guard waitpid(processID, nil, WUNTRACED) == processID else { throw TestFailure("it cannot be stopped") }
    try body()
  }

  /// Waits until what it has written contains `text`.
  package func expectOutput(_ text: String, within seconds: Double = 60) throws {
    let deadline = Deadline(in: seconds)
    while !output.contains(text) {
      guard try readSome(until: deadline) else {
        throw TestFailure("the output never contained \"\(text)\":\n\(output)")
      }
    }
  }

  /// Waits until it has written so many lines in all.
  package func expectLines(_ count: Int, within seconds: Double = 60) throws {
    let deadline = Deadline(in: seconds)
    while output.utf8.count(where: { $0 == UInt8(ascii: "\n") }) < count {
      guard try readSome(until: deadline) else {
        throw TestFailure("it never wrote \(count) lines:\n\(output)")
      }
    }
  }

  /// Waits for its end; returns its exit status, or minus the number of the signal that ended it.
  package func waitForExit(within seconds: Double = 60) throws -> CInt {
    let deadline = Deadline(in: seconds)
    while try readSome(until: deadline) {}
    guard !deadline.hasPassed else { throw TestFailure("still running after \(seconds) s:\n\(output)") }
    var result: CInt = 0
    unsafe waitpid(processID, &result, 0)
    let code = result & 0x7f == 0 ? (result >> 8) & 0xff : -(result & 0x7f)
    status = code
    return code
  }

  /// Reads what there is, waiting for it; false at the end of the output and at the deadline.
  private func readSome(until deadline: Deadline) throws -> Bool {
    guard deadline.waitForInput(on: outputEnd) else { return false }
    var buffer = [UInt8](repeating: 0, count: 65_536)
    let count = unsafe read(outputEnd, &buffer, buffer.count)
    guard count > 0 else { return false }
    output += String(decoding: buffer.prefix(count), as: UTF8.self)
    return true
  }
}

/// Runs `program` to its end; returns its exit status and everything it wrote.
package func run(
  _ program: String, _ arguments: [String] = [], environment: [String: String]? = nil,
  within seconds: Double = 60
) throws -> (status: CInt, output: String) {
  let child = try ChildProcess(program, arguments, environment: environment)
  let status = try child.waitForExit(within: seconds)
  return (status, child.output)
}
