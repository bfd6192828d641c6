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
      let files = ["in", "err"].map { "\(directory)/\($0)" }
      defer { for file in files { unsafe unlink(file) } }
      try write(input, to: files[0])
      var run = Run()
      var ends: [CInt] = [-1, -1]
      // Closed in every other program that a test starts, or the end of this one's output would not be seen.
      let kind = CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue)
      guard unsafe socketpair(AF_UNIX, kind, 0, &ends) == 0 else { throw PeerError("no socket pair") }
      defer { close(ends[0]) }
      let child = Result {
        try spawn(program ?? path(), arguments, environment: environment, files: files, output: ends[1])
      }
      close(ends[1])
      run.output = try output(of: try child.get(), from: ends[0])
      run.status = try status(of: try child.get())
      run.errors = try read(files[1])
      return run
    }
  }

  /// Test threads have their signals blocked, which a child would inherit.
  private static func spawn(
    _ path: String, _ arguments: [String], environment: [String: String], files: [String],
    output: CInt
  ) throws -> pid_t {
    var actions = unsafe posix_spawn_file_actions_t()
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    unsafe posix_spawn_file_actions_addopen(&actions, 0, files[0], O_RDONLY, 0)
    unsafe posix_spawn_file_actions_adddup2(&actions, output, 1)
    unsafe posix_spawn_file_actions_addopen(&actions, 2, files[1], O_WRONLY | O_CREAT, 0o600)

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

  /// Everything it writes until it ends.
  private static func output(of child: pid_t, from descriptor: CInt) throws -> String {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      var polled = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      guard unsafe poll(&polled, 1, 30_000) > 0 else {
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
