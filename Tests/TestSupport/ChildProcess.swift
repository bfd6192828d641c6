internal import Glibc
import Synchronization

/// A program under test, with its output read line by line.
///
/// Test threads have most signals blocked, and children inherit that: a child starts with none blocked and
/// none ignored here, so that it can be ended as its users would.
package final class ChildProcess {
  package let processID: Int32
  /// Everything it has written so far, standard output and standard error in their order.
  package private(set) var output = ""
  private let outputEnd: CInt
  private let inputEnd: CInt
  private var status: CInt?

  /// `environment` is all of it; nil: the test's own.
  package init(
    _ program: String, _ arguments: [String] = [], environment: [String: String]? = nil
  ) throws {
    (processID, outputEnd, inputEnd) = try Self.spawning.withLock { _ in
      try Self.spawn([program] + arguments, environment: environment)
    }
  }

  /// Another child started in between would inherit the pipes, and keep them open.
  private static let spawning = Mutex(())

  private static func spawn(_ arguments: [String], environment: [String: String]?) throws
    -> (processID: pid_t, output: CInt, input: CInt)
  {
    let output = try Pipe()
    let input = try Pipe()
    var actions = unsafe posix_spawn_file_actions_t()
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    unsafe posix_spawn_file_actions_adddup2(&actions, input.reading, 0)
    unsafe posix_spawn_file_actions_adddup2(&actions, output.writing, 1)
    unsafe posix_spawn_file_actions_adddup2(&actions, output.writing, 2)

    var attributes = posix_spawnattr_t()
    unsafe posix_spawnattr_init(&attributes)
    defer { unsafe posix_spawnattr_destroy(&attributes) }
    var none = sigset_t()
    var all = sigset_t()
    unsafe sigemptyset(&none)
    unsafe sigfillset(&all)
    unsafe posix_spawnattr_setsigmask(&attributes, &none)
    unsafe posix_spawnattr_setsigdefault(&attributes, &all)
    unsafe posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))

    let variables = environment?.map { "\($0)=\($1)" }
    var child: pid_t = 0
    let failure = unsafe withCStrings(arguments) { argv in
      guard let variables else {
        return unsafe posix_spawnp(&child, arguments[0], &actions, &attributes, argv, environ)
      }
      return unsafe withCStrings(variables) {
        unsafe posix_spawnp(&child, arguments[0], &actions, &attributes, argv, $0)
      }
    }
    close(output.writing)
    close(input.reading)
    guard failure == 0 else {
      close(output.reading)
      close(input.writing)
      throw TestFailure("cannot start \(arguments[0]): errno \(failure)")
    }
    return (child, output.reading, input.writing)
  }

  deinit {
    if status == nil {
      kill(processID, SIGKILL)
      waitpid(processID, nil, 0)
    }
    close(outputEnd)
    close(inputEnd)
  }

  package func signal(_ number: CInt) { kill(processID, number) }

  /// Writes a line to its standard input.
  package func write(line: String) {
    let bytes = Array("\(line)\n".utf8)
    _ = unsafe Glibc.write(inputEnd, bytes, bytes.count)
  }

  /// Waits until what it has written contains `text`.
  package func expectOutput(_ text: String, within seconds: Double = 10) throws {
    let deadline = Deadline(in: seconds)
    while !output.contains(text) {
      guard try readSome(until: deadline) else {
        throw TestFailure("the output never contained \"\(text)\":\n\(output)")
      }
    }
  }

  /// Waits for its end; returns its exit status, or minus the number of the signal that ended it.
  package func waitForExit(within seconds: Double = 10) throws -> CInt {
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
  within seconds: Double = 20
) throws -> (status: CInt, output: String) {
  let child = try ChildProcess(program, arguments, environment: environment)
  let status = try child.waitForExit(within: seconds)
  return (status, child.output)
}

/// The ends of a pipe, which no child inherits. Nobody owns them yet.
private struct Pipe {
  let reading: CInt
  let writing: CInt

  init() throws {
    var ends: [CInt] = [-1, -1]
    guard unsafe pipe(&ends) == 0 else { throw TestFailure("no pipe: errno \(errno)") }
    (reading, writing) = (ends[0], ends[1])
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
  }
}

/// Calls `body` with `strings` as a C program wants them: an array that ends with nil.
private func withCStrings<Result>(
  _ strings: [String], _ body: (UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) -> Result
) -> Result {
  var pointers = unsafe strings.map { unsafe strdup($0) } + [nil]
  defer { unsafe pointers.forEach { unsafe free($0) } }
  return unsafe pointers.withUnsafeMutableBufferPointer { buffer in
    guard let base = buffer.baseAddress else { preconditionFailure("the array holds at least nil") }
    return unsafe body(base)
  }
}
