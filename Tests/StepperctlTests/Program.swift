import Glibc
import TestPeer

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
      let files = ["in", "out", "err"].map { "\(directory)/\($0)" }
      defer { for file in files { unsafe unlink(file) } }
      try write(input, to: files[0])
      var run = Run()
      run.status = try wait(
        for: try spawn(program ?? path(), arguments, environment: environment, files: files))
      run.output = try read(files[1])
      run.errors = try read(files[2])
      return run
    }
  }

  /// Test threads have their signals blocked, which a child would inherit.
  private static func spawn(
    _ path: String, _ arguments: [String], environment: [String: String], files: [String]
  ) throws -> pid_t {
    var actions = unsafe posix_spawn_file_actions_t()
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    unsafe posix_spawn_file_actions_addopen(&actions, 0, files[0], O_RDONLY, 0)
    unsafe posix_spawn_file_actions_addopen(&actions, 1, files[1], O_WRONLY | O_CREAT, 0o600)
    unsafe posix_spawn_file_actions_addopen(&actions, 2, files[2], O_WRONLY | O_CREAT, 0o600)

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

    var texts = unsafe ([path] + arguments).map { unsafe strdup($0) }
    var variables = unsafe environment.map { unsafe strdup("\($0)=\($1)") }
    defer { unsafe (texts + variables).forEach { unsafe free($0) } }
    unsafe texts.append(nil)
    unsafe variables.append(nil)
    var child = pid_t()
    let result = unsafe posix_spawn(&child, path, &actions, &attributes, texts, variables)
    guard result == 0 else { throw PeerError("\(path): \(unsafe String(cString: strerror(result)))") }
    return child
  }

  /// The status as a shell has it.
  private static func wait(for child: pid_t) throws -> CInt {
    let deadline = SuspendingClock.now.advanced(by: .seconds(30))
    var status: CInt = 0
    while unsafe waitpid(child, &status, WNOHANG) == 0 {
      guard SuspendingClock.now < deadline else {
        kill(child, SIGKILL)
        unsafe waitpid(child, &status, 0)
        throw PeerError("the program did not end")
      }
      usleep(2000)
    }
    return status & 0x7f == 0 ? status >> 8 & 0xff : 128 + status & 0x7f
  }

  /// It is built into the directory of the test bundle, of which this process has the path in its memory map.
  static func path() throws -> String {
    let maps = try read("/proc/self/maps") + "\n" + CommandLine.arguments.joined(separator: "\n")
    for line in maps.split(separator: "\n") where line.hasSuffix(".xctest") {
      guard let start = line.firstIndex(of: "/"), let end = line.lastIndex(of: "/") else { continue }
      return line[start..<end] + "/stepperctl"
    }
    throw PeerError("no test bundle")
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
