internal import Glibc

/// A bed of input devices with the program under test on it: the Swift side of `Tests/Support/mockbed.py`,
/// which documents the commands.
///
/// Everything waits for an answer or a line and has a deadline; nothing sleeps.
@safe package final class MockBed {
  /// Whether umockdev is installed; not in a guest, whose kernel has real devices.
  package static var isAvailable: Bool {
    unsafe getenv("STEPPERD_REAL_KERNEL") == nil && access("/usr/bin/umockdev-wrapper", X_OK) == 0
      && access("/usr/lib/python3/dist-packages/gi", F_OK) == 0
  }

  /// Every line of output of the program so far, the ones that were waited for included.
  package private(set) var output: [String] = []
  private var matched = 0
  private let process: pid_t
  private let commands: CInt
  private var replies: LineReader
  private var lines: LineReader
  private var exitStatus: Int?

  /// Starts an empty bed.
  package init() throws {
    let (commandsRead, commandsWrite) = try makePipe()
    let (repliesRead, repliesWrite) = try makePipe()
    let (outputRead, outputWrite) = try makePipe()
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
    // The bed ends the program at the end of its input, cleans up, and ends: all of that is what closes the pipes.
    close(commands)
    // A deadline here is no failure of the test.
    let deadline = LineReader.deadline
    while case .line? = try? lines.next(before: deadline) {}
    while case .line? = try? replies.next(before: deadline) {}
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
  package func callAsFunction(_ command: String) throws -> String {
    let bytes = Array((command + "\n").utf8)
    guard unsafe send(commands, bytes, bytes.count, CInt(MSG_NOSIGNAL)) == bytes.count else {
      throw TestFailure("the bed is gone")
    }
    while true {
      let reply = try nextReply()
      if reply.hasPrefix("exited ") {
        exitStatus = Int(reply.dropFirst(7))
        continue
      }
      guard reply.hasPrefix("ok") else { throw TestFailure("\(command): \(reply)") }
      return String(reply.dropFirst(3))
    }
  }

  /// Starts the program under test; `program` is the name of a product of this package or a path.
  package func start(_ program: String, _ arguments: String...) throws {
    try start(program, arguments: arguments)
  }

  package func start(_ program: String, arguments: [String]) throws {
    let path = program.contains("/") ? program : builtProgram(program)
    try self((["start", path] + arguments).map { "'\($0)'" }.joined(separator: " "))
  }

  /// Waits for the next line of output that contains `text`, and returns it; lines before it are passed over.
  @discardableResult
  package func line(_ text: String) throws -> String {
    guard let line = try line(text, before: LineReader.deadline) else {
      throw TestFailure("no line with “\(text)”, but:\n" + output.joined(separator: "\n"))
    }
    return line
  }

  private func line(_ text: String, before deadline: ContinuousClock.Instant) throws -> String? {
    while true {
      if let index = output[matched...].firstIndex(where: { $0.contains(text) }) {
        matched = index + 1
        return output[index]
      }
      guard case .line(let line) = try lines.next(before: deadline) else { return nil }
      output.append(line)
    }
  }

  /// Sends frames of many events of `REL_X` until the daemon says that the device is in a storm: a busy machine reads more
  /// slowly than others, and still faster than a device may send. Each is after a frame of `event`. Returns how often that was sent.
  package func storm(_ node: String, with event: String) throws -> Int {
    let frames = "\(event) SYN_REPORT=0" + String(repeating: " REL_X=1", count: 600)
    var count = 0
    // Longer bursts, should this machine be slow at the moment.
    for burst in 1...100 {
      let length = 20 * min(burst, 10)
      try self("burst \(node) \(length) \(frames)")
      count += length
      if try line("sends more than 4000 frames a second", before: .now + .milliseconds(50)) != nil {
        return count
      }
    }
    throw TestFailure("\(node) is in no storm after \(count) frames of 600 events")
  }

  /// Waits for the program's end: its exit status, or a negative signal number.
  package func waitForExit() throws -> Int {
    while exitStatus == nil {
      let reply = try nextReply()
      if reply.hasPrefix("exited ") { exitStatus = Int(reply.dropFirst(7)) }
    }
    defer { exitStatus = nil }
    return exitStatus ?? 0
  }

  private func nextReply() throws -> String {
    guard case .line(let reply) = try replies.next() else { throw TestFailure("the bed does not answer") }
    return reply
  }

  private static var packageDirectory: String {
    "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
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
  static var deadline: ContinuousClock.Instant { .now + .seconds(60) }

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
