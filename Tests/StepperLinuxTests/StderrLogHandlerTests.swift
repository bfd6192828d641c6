import Glibc
import Logging
import SystemPackage
import Testing

@testable import StepperLinux

@Suite struct StderrLogHandlerTests {
  /// What `body` logs, datagram by datagram: one `write` is one of them.
  private func lines(style: LogOutput.Style, _ body: (Logger) -> Void) throws -> [String] {
    var ends: [CInt] = [0, 0]
    let type = CInt(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue)
    try Errno.check(unsafe socketpair(AF_UNIX, type, 0, &ends))
    let reader = OwnedFileDescriptor(owning: ends[0])
    let writer = OwnedFileDescriptor(owning: ends[1])
    let handler = StderrLogHandler(LogOutput(style: style, descriptor: writer.rawValue))
    var logger = Logger(label: "test") { _ in handler }
    logger.logLevel = .debug
    body(logger)
    var lines: [String] = []
    var buffer = [UInt8](repeating: 0, count: 8192)
    while true {
      let count = unsafe recv(reader.rawValue, &buffer, buffer.count, 0x40 /* MSG_DONTWAIT */)
      guard count > 0 else { return lines }
      lines.append(String(decoding: buffer.prefix(count), as: UTF8.self))
    }
  }

  @Test func `the journal gets priorities, each message in one write`() throws {
    let lines = try lines(style: .journal) { logger in
      for level in Logger.Level.allCases { logger.log(level: level, "m") }
    }
    #expect(lines == ["<7>m\n", "<6>m\n", "<5>m\n", "<4>m\n", "<3>m\n", "<2>m\n"])
  }

  @Test func `people get words`() throws {
    let lines = try lines(style: .plain) { logger in
      logger.info("device: knob connected")
      logger.error("device: gone")
    }
    #expect(lines == ["device: knob connected\n", "error: device: gone\n"])
  }

  @Test func `a message is one line, and metadata is sorted behind it`() throws {
    let lines = try lines(style: .journal) { $0.warning("a\n<0>b\n", metadata: ["z": "1", "k": "2"]) }
    #expect(lines == [#"<4>a\n<0>b\n k=2 z=1"# + "\n"])
  }

  @Test func `nothing in a message or its metadata begins another line or moves a terminal`() throws {
    let lines = try lines(style: .journal) {
      $0.error("device: \u{1b}[2J\r\n<3>forged\u{2028}", metadata: ["k\n": "\u{9b}\u{202e}"])
    }
    #expect(lines == [#"<3>device: \x1b[2J\r\n<3>forged\u{2028} k\n=\u{9b}\u{202e}"# + "\n"])
  }

  @Test func `a long message is cut to what a pipe takes whole`() throws {
    let lines = try lines(style: .journal) { $0.info("\(String(repeating: "ä", count: 100_000))") }
    #expect(lines.count == 1)
    #expect(lines[0].utf8.count <= 4_096 && lines[0].utf8.count > 4_090)
    #expect(lines[0].hasSuffix("ä…\n"))
  }

  @Test func `the journal is recognised by device and inode`() throws {
    var ends: [CInt] = [0, 0]
    let type = CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
    try Errno.check(unsafe socketpair(AF_UNIX, type, 0, &ends))
    let stream = OwnedFileDescriptor(owning: ends[0])
    let other = OwnedFileDescriptor(owning: ends[1])
    var status = stat()
    try Errno.check(unsafe fstat(stream.rawValue, &status))
    let variable = "\(status.st_dev):\(status.st_ino)"
    #expect(LogOutput.Style.of(descriptor: stream.rawValue, journalStream: variable) == .journal)
    #expect(LogOutput.Style.of(descriptor: other.rawValue, journalStream: variable) == .plain)
    #expect(LogOutput.Style.of(descriptor: stream.rawValue, journalStream: nil) == .plain)
    #expect(LogOutput.Style.of(descriptor: stream.rawValue, journalStream: "nonsense") == .plain)
  }
}
