internal import CLinux
internal import Glibc
internal import SystemPackage

/// A program that runs beside this one, with pipes to its input and from its output: without a shell, in a separate
/// session and process group, in `/`. Its standard error is that of this program.
///
/// When this value is destroyed, it kills the process group and waits for the end of the program.
package struct Coprocess: ~Copyable {
  private let process: StartedProcess
  private var input: OwnedFileDescriptor
  private let output: OwnedFileDescriptor
  private let loading: OwnedFileDescriptor

  /// Readable when the program has written something, and when it has closed its output.
  package var outputDescriptor: CInt { output.rawValue }
  /// Writable when the program has read everything that was written: the pipe has one page, which a single write
  /// fills.
  package var inputDescriptor: CInt { input.rawValue }
  /// Readable when ``loadingState`` has changed.
  package var loadingDescriptor: CInt { loading.rawValue }
  /// Readable when the program has ended.
  package var endDescriptor: CInt { process.leader.rawValue }

  /// Starts the program with the path `arguments[0]` and the environment of this process. Blocks until the program is
  /// loaded.
  package static func start(_ arguments: [String]) throws(SpawnFailure) -> Self {
    let program = arguments.first ?? ""
    do throws(Errno) {
      let coprocess = try Self(program, arguments)
      if let failure = coprocess.process.failure { throw failure }
      return coprocess
    } catch {
      throw SpawnFailure(program: program, errno: error)
    }
  }

  private init(_ program: String, _ arguments: [String]) throws(Errno) {
    let input = try DescriptorPair.pipe(isInput: true)
    try Errno.check(fcntl(input.writing.rawValue, set_pipe_size, 1))
    let output = try DescriptorPair.pipe()
    // Created last, so that its number is not already the one that it gets in the program.
    let loading = try DescriptorPair.pipe()
    process = try spawn(
      program, arguments, nil, input: input.reading.rawValue, output: output.writing.rawValue,
      error: STDERR_FILENO, kept: loading.writing.rawValue)
    self.input = input.writing
    self.output = output.reading
    self.loading = loading.reading
  }

  /// Kills the process group, which may take a while to end.
  package func kill() {
    // The process is not reaped yet, so the number still belongs to the group.
    _ = Glibc.kill(-process.processID, SIGKILL)
  }

  deinit {
    kill()
    _ = waitpid(process.processID, nil, 0)
  }

  /// Reads what is available into `buffer`, at most as much as it holds.
  package func read(into buffer: inout [UInt8]) -> Transfer {
    Self.transfer(unsafe Glibc.read(output.rawValue, &buffer, buffer.count))
  }

  /// Writes the beginning of `bytes`. This process must ignore SIGPIPE.
  package func write(_ bytes: ArraySlice<UInt8>) -> Transfer {
    Self.transfer(
      unsafe bytes.withUnsafeBytes { unsafe Glibc.write(input.rawValue, $0.baseAddress, $0.count) })
  }

  /// Closes the input: the program reads nothing after what was written.
  package mutating func closeInput() { input = OwnedFileDescriptor(owning: -1) }

  private static func transfer(_ count: Int) -> Transfer {
    if count > 0 { return .bytes(count) }
    return count < 0 && Errno.current.isLater ? .later : .end
  }

  /// `.end` if another program has replaced this one with ``becomeProgram(_:)``; `.bytes` if it could not be loaded.
  package var loadingState: Transfer {
    var byte: UInt8 = 0
    return Self.transfer(unsafe Glibc.read(loading.rawValue, &byte, 1))
  }

  /// How the program has ended, in words; nil: it has not.
  package var end: String? {
    switch process.wait(WNOWAIT) {
    case .exited(let code): "with exit status \(code)"
    case .signaled(let number): "by signal \(number)"
    case .unknown, nil: nil
    }
  }
}
