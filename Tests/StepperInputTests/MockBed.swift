import Glibc
import SystemPackage
import Testing

/// A bed of input devices with the program under test on it: the Swift side of `Tests/Support/mockbed.py`,
/// which documents the commands.
///
/// Everything waits for an answer or a line and has a deadline; nothing sleeps.
@safe final class MockBed {
  /// Whether umockdev is installed.
  static var isAvailable: Bool {
    unsafe access("/usr/bin/umockdev-wrapper", X_OK) == 0
      && access("/usr/lib/python3/dist-packages/gi", F_OK) == 0
  }

  /// Every line of output of the program so far, the ones that were waited for included.
  private(set) var output: [String] = []
  private var matched = 0
  private let process: pid_t
  private let commands: CInt
  private var replies: LineReader
  private var lines: LineReader
  private var exitStatus: Int?

  /// Starts an empty bed.
  init() throws {
    let (commandsRead, commandsWrite) = try pipe()
    let (repliesRead, repliesWrite) = try pipe()
    let (outputRead, outputWrite) = try pipe()
    let script = Self.packageDirectory + "/Tests/Support/mockbed.py"
    process = try spawn(
      ["/usr/bin/umockdev-wrapper", "/usr/bin/python3", script, "--replies", "3"],
      descriptors: [commandsRead, outputWrite, outputWrite, repliesWrite])
    for descriptor in [commandsRead, repliesWrite, outputWrite] { close(descriptor) }
    commands = commandsWrite
    replies = LineReader(descriptor: repliesRead)
    lines = LineReader(descriptor: outputRead)
  }

  deinit {
    // The bed ends the program at the end of its input, and the program's death is what closes the output.
    close(commands)
    let deadline = LineReader.deadline
    while case .line? = try? lines.next(before: deadline) {}  // a deadline here is no failure of the test
    var status: CInt = 0
    if unsafe waitpid(process, &status, WNOHANG) == 0 {
      kill(process, SIGKILL)
      unsafe waitpid(process, &status, 0)
    }
    close(replies.descriptor)
    close(lines.descriptor)
  }

  /// Gives one command; returns what the bed answers behind "ok".
  @discardableResult
  func callAsFunction(_ command: String) throws -> String {
    let bytes = Array((command + "\n").utf8)
    guard unsafe send(commands, bytes, bytes.count, CInt(MSG_NOSIGNAL)) == bytes.count else {
      throw Failure("the bed is gone")
    }
    while true {
      let reply = try nextReply()
      if reply.hasPrefix("exited ") {
        exitStatus = Int(reply.dropFirst(7))
        continue
      }
      guard reply.hasPrefix("ok") else { throw Failure("\(command): \(reply)") }
      return String(reply.dropFirst(3))
    }
  }

  /// Starts the program under test; `program` is the name of a product of this package or a path.
  func start(_ program: String, _ arguments: String...) throws {
    let path = program.contains("/") ? program : try Self.productsDirectory() + "/" + program
    try self((["start", path] + arguments).map { "'\($0)'" }.joined(separator: " "))
  }

  /// Waits for the next line of output that contains `text`, and returns it; lines before it are passed over.
  @discardableResult
  func line(_ text: String) throws -> String {
    let deadline = LineReader.deadline
    while true {
      if let index = output[matched...].firstIndex(where: { $0.contains(text) }) {
        matched = index + 1
        return output[index]
      }
      guard case .line(let line) = try lines.next(before: deadline) else {
        throw Failure("no line with “\(text)”, but:\n" + output.joined(separator: "\n"))
      }
      output.append(line)
    }
  }

  /// Waits for the program's end: its exit status, or a negative signal number.
  func waitForExit() throws -> Int {
    while exitStatus == nil {
      let reply = try nextReply()
      if reply.hasPrefix("exited ") { exitStatus = Int(reply.dropFirst(7)) }
    }
    defer { exitStatus = nil }
    return exitStatus ?? 0
  }

  private func nextReply() throws -> String {
    guard case .line(let reply) = try replies.next() else { throw Failure("the bed does not answer") }
    return reply
  }

  struct Failure: Error, CustomStringConvertible {
    var description: String
    init(_ description: String) { self.description = description }
  }

  private static var packageDirectory: String {
    "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
  }

  /// Where the build put the programs, which is where the test bundle is.
  private static func productsDirectory() throws -> String {
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = unsafe readlink("/proc/self/exe", &buffer, buffer.count)
    guard count > 0 else { throw Failure("/proc/self/exe: \(Errno(rawValue: errno))") }
    let path = String(decoding: buffer.prefix(count).map(UInt8.init(bitPattern:)), as: UTF8.self)
    return "/" + path.split(separator: "/").dropLast().joined(separator: "/")
  }
}

/// Reads lines from a descriptor, but no longer than until a deadline.
private struct LineReader {
  enum Next {
    case line(String)
    case end
    case deadline
  }

  /// Ten seconds from now.
  static var deadline: ContinuousClock.Instant { .now + .seconds(10) }

  let descriptor: CInt
  private var buffer: [UInt8] = []

  init(descriptor: CInt) { self.descriptor = descriptor }

  mutating func next(before deadline: ContinuousClock.Instant = deadline) throws -> Next {
    while true {
      guard ContinuousClock.now < deadline else { return .deadline }
      if let end = buffer.firstIndex(of: UInt8(ascii: "\n")) {
        defer { buffer.removeSubrange(...end) }
        return .line(String(decoding: buffer[..<end], as: UTF8.self))
      }
      let remaining = (deadline - .now) / .milliseconds(1)
      var polled = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      guard remaining > 0, unsafe poll(&polled, 1, CInt(remaining) + 1) > 0 else { return .deadline }
      var bytes = [UInt8](repeating: 0, count: 4096)
      let count = unsafe read(descriptor, &bytes, bytes.count)
      guard count > 0 else { return .end }
      buffer += bytes.prefix(count)
    }
  }
}

/// A pair of sockets, since those can be made close-on-exec from the start: beds start in parallel, and none
/// may inherit another's ends.
private func pipe() throws -> (read: CInt, write: CInt) {
  var ends: [CInt] = [-1, -1]
  let type = CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
  guard unsafe socketpair(AF_UNIX, type, 0, &ends) == 0 else { throw Errno(rawValue: errno) }
  return (ends[0], ends[1])
}

/// Starts a program whose descriptors 0, 1, … are `descriptors`.
///
/// It starts with no signal blocked and none ignored: a test runs with signals blocked, a child would inherit
/// that and not hear `SIGTERM`.
private func spawn(_ arguments: [String], descriptors: [CInt]) throws -> pid_t {
  var actions = unsafe posix_spawn_file_actions_t()
  unsafe posix_spawn_file_actions_init(&actions)
  defer { unsafe posix_spawn_file_actions_destroy(&actions) }
  for (target, descriptor) in descriptors.enumerated() {
    // Away from the targets first, so that none of them is overwritten before it is copied.
    unsafe posix_spawn_file_actions_adddup2(&actions, descriptor, 1000 + CInt(target))
  }
  for target in descriptors.indices {
    unsafe posix_spawn_file_actions_adddup2(&actions, 1000 + CInt(target), CInt(target))
    unsafe posix_spawn_file_actions_addclose(&actions, 1000 + CInt(target))
  }

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

  var vector = unsafe arguments.map { unsafe strdup($0) } + [nil]
  defer { for index in arguments.indices { unsafe free(vector[index]) } }
  var process: pid_t = 0
  let error = unsafe posix_spawn(&process, arguments[0], &actions, &attributes, &vector, environ)
  guard error == 0 else { throw Errno(rawValue: error) }
  return process
}
