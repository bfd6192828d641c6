import Glibc
import TestSupport

/// What a run of `stepperctl` left behind.
struct Run: Equatable {
  var output = ""
  var errors = ""
  var status: CInt = 0
}

/// The program that was built with the tests.
enum Program {
  /// Runs it, or `program`, to its end with `arguments`, nothing in the environment but `environment`, and `input`.
  static func run(
    _ arguments: [String], environment: [String: String] = [:], input: String = "", program: String? = nil
  ) async throws -> Run {
    try await onThread {
      let directory = try PeerListener.newDirectory()
      defer { unsafe rmdir(directory) }
      let files = ["in", "err"].map { "\(directory)/\($0)" }
      defer { for file in files { unsafe unlink(file) } }
      try write(input, to: files[0])
      var run = Run()
      let ends = try makePipe()
      defer { close(ends.read) }
      let child = Result {
        try spawn(
          program ?? builtProgram("stepperctl"), arguments, environment: environment, files: files,
          output: ends.write)
      }
      close(ends.write)
      run.output = try output(of: try child.get(), from: ends.read)
      run.status = try status(of: try child.get())
      run.errors = try read(files[1])
      return run
    }
  }

  private static func spawn(
    _ path: String, _ arguments: [String], environment: [String: String], files: [String],
    output: CInt
  ) throws -> pid_t {
    let input = unsafe open(files[0], O_RDONLY | O_CLOEXEC)
    let errors = unsafe open(files[1], O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
    defer { for descriptor in [input, errors] { close(descriptor) } }
    return try TestSupport.spawn(
      [path] + arguments, descriptors: [input, output, errors], environment: environment)
  }

  /// Everything it writes until it ends.
  private static func output(of child: pid_t, from descriptor: CInt) throws -> String {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      var polled = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      guard unsafe poll(&polled, 1, 120_000) > 0 else {
        kill(child, SIGKILL)
        _ = try status(of: child)
        throw PeerError("the program did not end")
      }
      let count = unsafe recv(descriptor, &buffer, buffer.count, 0)
      guard count > 0 else { return String(decoding: bytes, as: UTF8.self) }
      bytes += buffer[..<count]
    }
  }

  /// The status as a shell has it.
  private static func status(of child: pid_t) throws -> CInt {
    var status: CInt = 0
    guard unsafe waitpid(child, &status, 0) == child else { throw PeerError("no such child") }
    return status & 0x7f == 0 ? status >> 8 & 0xff : 128 + status & 0x7f
  }

  private static func read(_ file: String) throws -> String {
    let descriptor = unsafe open(file, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw PeerError("\(file) is missing") }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = unsafe Glibc.read(descriptor, &buffer, buffer.count)
      guard count > 0 else { return String(decoding: bytes, as: UTF8.self) }
      bytes += buffer[..<count]
    }
  }

  static func write(_ text: String, to file: String) throws {
    let descriptor = unsafe open(file, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw PeerError("\(file) cannot be written") }
    defer { close(descriptor) }
    let bytes = Array(text.utf8)
    guard unsafe Glibc.write(descriptor, bytes, bytes.count) == bytes.count else {
      throw PeerError("\(file) cannot be written")
    }
  }
}
