import Glibc
import Logging
import SystemPackage
import TestSupport
import Testing

@testable import StepperLinux

/// What takes log lines, and does not. A test that waits for ever is the failure these are about.
@Suite(.timeLimit(.minutes(10))) struct LogOutputTests {
  private struct Pipe: ~Copyable {
    let reader: OwnedFileDescriptor
    let writer: OwnedFileDescriptor

    init() throws {
      let ends = try Self.ends()
      reader = OwnedFileDescriptor(owning: ends[0])
      writer = OwnedFileDescriptor(owning: ends[1])
    }

    static func ends() throws -> [CInt] {
      var ends: [CInt] = [0, 0]
      try Errno.check(unsafe pipe(&ends))
      for end in ends { try Errno.check(fcntl(end, F_SETFD, FD_CLOEXEC)) }
      return ends
    }
  }

  /// Writes until `descriptor` takes no more, through a description of its own.
  private func fill(_ descriptor: CInt) throws {
    let output = SharedOutput(descriptor)
    let page = [UInt8](repeating: UInt8(ascii: "x"), count: 4_096)
    while try output.write(page[...]) > 0 {}
  }

  /// Everything that can be read now.
  private func drain(_ descriptor: CInt) -> String {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    var wanted = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    while unsafe poll(&wanted, 1, 0) == 1, wanted.revents & Int16(POLLIN) != 0 {
      let count = unsafe read(descriptor, &buffer, buffer.count)
      guard count > 0 else { break }
      bytes += buffer.prefix(count)
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private static let two = "<4>2 messages were lost because standard error was not writable\n"

  @Test func `a full pipe is not waited for, and what was lost is reported when it takes lines again`() throws
  {
    let pipe = try Pipe()
    try fill(pipe.writer.rawValue)
    let output = LogOutput(style: .journal, descriptor: pipe.writer.rawValue)
    output.write(.info, "one")
    output.write(.info, "two")
    #expect(output.lostCount == 2 && output.hasUnreported)
    #expect(!output.reportLost())
    _ = drain(pipe.reader.rawValue)
    output.write(.info, "three")
    #expect(drain(pipe.reader.rawValue) == Self.two + "<6>three\n")
    #expect(output.lostCount == 2 && !output.hasUnreported, "the count is of all since the start")
  }

  @Test func `what was lost can be reported without another message`() throws {
    let pipe = try Pipe()
    try fill(pipe.writer.rawValue)
    let output = LogOutput(style: .plain, descriptor: pipe.writer.rawValue)
    output.write(.info, "one")
    _ = drain(pipe.reader.rawValue)
    #expect(output.reportLost() && output.reportLost())
    #expect(
      drain(pipe.reader.rawValue) == "warning: 1 message was lost because standard error was not writable\n")
  }

  @Test func `others who share the descriptor do not notice`() throws {
    let pipe = try Pipe()
    let before = fcntl(pipe.writer.rawValue, F_GETFL)
    let output = LogOutput(style: .journal, descriptor: pipe.writer.rawValue)
    output.write(.info, "one")
    #expect(fcntl(pipe.writer.rawValue, F_GETFL) == before)
    #expect(before & O_NONBLOCK == 0)
  }

  @Test func `a reader that went away is counted and no signal`() async {
    await #expect(processExitsWith: .success) {
      StandardStream.prepare()
      let ends = try Pipe.ends()
      let output = LogOutput(style: .journal, descriptor: ends[1])
      close(ends[0])
      output.write(.info, "one")
      #expect(output.lostCount == 1)
    }
  }

  @Test func `a FIFO without a reader is counted, and written when one comes`() async throws {
    await #expect(processExitsWith: .success) {
      StandardStream.prepare()
      let folder = try TemporaryFolder()
      let path = "\(folder.path)/log"
      try Errno.check(unsafe mkfifo(path, 0o600))
      let first = try Errno.check(unsafe open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC))
      let writer = try OwnedFileDescriptor(unsafe open(path, O_WRONLY | O_CLOEXEC))
      close(first)
      let output = LogOutput(style: .journal, descriptor: writer.rawValue)
      output.write(.info, "one")
      output.write(.info, "two")
      #expect(output.lostCount == 2)
      let reader = try OwnedFileDescriptor(unsafe open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC))
      output.write(.info, "three")
      var buffer = [UInt8](repeating: 0, count: 4_096)
      let count = unsafe read(reader.rawValue, &buffer, buffer.count)
      #expect(String(decoding: buffer.prefix(max(count, 0)), as: UTF8.self) == Self.two + "<6>three\n")
    }
  }

  /// As after `sudo -u stepperd stepperd 2>&1 | cat`: the pipe belongs to root.
  @Test(.enabled(if: geteuid() == 0, "needs root, to become somebody else"))
  func `a full pipe that may not be opened again is not waited for either`() async {
    await #expect(processExitsWith: .success) {
      let pipe = try Pipe()
      let test = LogOutputTests()
      try test.fill(pipe.writer.rawValue)
      try Errno.check(setuid(65_534))
      try #require(unsafe open("/proc/self/fd/\(pipe.writer.rawValue)", O_WRONLY | O_NONBLOCK) < 0)
      let output = LogOutput(style: .journal, descriptor: pipe.writer.rawValue)
      output.write(.info, "one")
      output.write(.info, "two")
      #expect(output.lostCount == 2)
      _ = test.drain(pipe.reader.rawValue)
      output.write(.info, "three")
      #expect(test.drain(pipe.reader.rawValue) == Self.two + "<6>three\n")
    }
  }

  @Test(arguments: [CInt(SOCK_STREAM.rawValue), CInt(SOCK_DGRAM.rawValue), CInt(SOCK_SEQPACKET.rawValue)])
  func `a full socket is not waited for`(type: CInt) throws {
    var ends: [CInt] = [0, 0]
    try Errno.check(unsafe socketpair(AF_UNIX, type | CInt(SOCK_CLOEXEC.rawValue), 0, &ends))
    let reader = OwnedFileDescriptor(owning: ends[0])
    let writer = OwnedFileDescriptor(owning: ends[1])
    try fill(writer.rawValue)
    let output = LogOutput(style: .journal, descriptor: writer.rawValue)
    while output.lostCount < 2 { output.write(.info, "one") }
    _ = drain(reader.rawValue)
    output.write(.info, "three")
    #expect(drain(reader.rawValue) == Self.two + "<6>three\n")
    #expect(fcntl(writer.rawValue, F_GETFL) & O_NONBLOCK == 0)
  }

  @Test func `a stopped terminal is not waited for, and no line is glued to a torn one`() throws {
    var (master, slave): (CInt, CInt) = (-1, -1)
    try Errno.check(unsafe openpty(&master, &slave, nil, nil, nil))
    let screen = OwnedFileDescriptor(owning: master)
    let terminal = OwnedFileDescriptor(owning: slave)
    try Errno.check(tcflow(terminal.rawValue, TCOOFF))
    let output = LogOutput(style: .plain, descriptor: terminal.rawValue)
    while output.lostCount < 2 { output.write(.info, String(repeating: "y", count: 1_000)) }
    #expect(fcntl(terminal.rawValue, F_GETFL) & O_NONBLOCK == 0)
    try Errno.check(tcflow(terminal.rawValue, TCOON))
    var seen = drain(screen.rawValue)
    output.write(.info, "three")
    seen += drain(screen.rawValue)
    let lines = seen.split(separator: "\r\n")
    #expect(
      lines.suffix(2) == ["warning: 2 messages were lost because standard error was not writable", "three"])
  }

  @Test func `a full disk is counted`() throws {
    let disk = try OwnedFileDescriptor(unsafe open("/dev/full", O_WRONLY | O_CLOEXEC))
    let output = LogOutput(style: .plain, descriptor: disk.rawValue)
    output.write(.info, "one")
    #expect(output.lostCount == 1)
  }

  @Test func `a file gets every line at its end`() throws {
    let folder = try TemporaryFolder()
    let path = "\(folder.path)/log"
    let flags = O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC
    let file = try OwnedFileDescriptor(unsafe open(path, flags, 0o600))
    let output = LogOutput(style: .plain, descriptor: file.rawValue)
    output.write(.info, "one")
    output.write(.error, "two")
    let reader = try OwnedFileDescriptor(unsafe open(path, O_RDONLY | O_CLOEXEC))
    #expect(drain(reader.rawValue) == "one\nerror: two\n")
  }

  @Test func `a closed descriptor is counted, and no other file gets its number`() async {
    await #expect(processExitsWith: .success) {
      close(STDERR_FILENO)
      StandardStream.prepare()
      let other = try Pipe()
      #expect(other.reader.rawValue > STDERR_FILENO)
      let output = LogOutput(style: .plain, descriptor: STDERR_FILENO)
      output.write(.info, "one")
      #expect(output.lostCount == 1)
    }
    let output = LogOutput(style: .plain, descriptor: 1_000_000)
    output.write(.info, "one")
    #expect(output.lostCount == 1)
  }
}

@Suite(.timeLimit(.minutes(10))) struct StandardStreamTests {
  /// What `body` writes to standard output, as far as a pipe that nobody reads takes it.
  private static func output(of body: () -> Void) throws -> [UInt8] {
    var ends: [CInt] = [0, 0]
    try Errno.check(unsafe pipe(&ends))
    let former = try Errno.check(dup(STDOUT_FILENO))
    try Errno.check(dup2(ends[1], STDOUT_FILENO))
    body()
    // What runs the test writes there too.
    try Errno.check(dup2(former, STDOUT_FILENO))
    var buffer = [UInt8](repeating: 0, count: 1 << 20)
    let count = unsafe read(ends[0], &buffer, buffer.count)
    return Array(buffer.prefix(max(count, 0)))
  }

  @Test func `a reader that does not read is given up`() async {
    await #expect(processExitsWith: .success) {
      // More than a pipe holds.
      let lines = Array(repeating: String(repeating: "x", count: 1_000), count: 1_000)
      let taken = try StandardStreamTests.output {
        StandardStream.output.write(lines: lines, timeout: .milliseconds(10))
      }
      #expect((60_000...100_000).contains(taken.count))
    }
  }

  @Test func `lines are lines, whatever they consist of`() async {
    await #expect(processExitsWith: .success) {
      let taken = try StandardStreamTests.output {
        StandardStream.output.write(lines: ["one\u{1b}[2J", "two\nthree"])
      }
      #expect(String(decoding: taken, as: UTF8.self) == "one\\x1b[2J\ntwo\\nthree\n")
    }
  }
}
