import Glibc
import Logging
import SystemPackage
import Testing

@testable import StepperSystem

@Suite struct StderrLogHandlerTests {
  /// What `body` logs, datagram by datagram: one `write` is one of them.
  private func lines(style: StderrLogHandler.Style, _ body: (Logger) -> Void) throws -> [String] {
    var ends: [CInt] = [0, 0]
    let type = CInt(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue)
    try Errno.check(unsafe socketpair(AF_UNIX, type, 0, &ends))
    let reader = OwnedFileDescriptor(owning: ends[0])
    let writer = OwnedFileDescriptor(owning: ends[1])
    let handler = StderrLogHandler(style: style, descriptor: writer.rawValue)
    var logger = Logger(label: "test") { _ in handler }
    logger.logLevel = .debug
    body(logger)
    var lines: [String] = []
    var buffer = [UInt8](repeating: 0, count: 4096)
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
    #expect(lines == ["<4>a; <0>b k=2 z=1\n"])
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
    #expect(StderrLogHandler.Style.of(descriptor: stream.rawValue, journalStream: variable) == .journal)
    #expect(StderrLogHandler.Style.of(descriptor: other.rawValue, journalStream: variable) == .plain)
    #expect(StderrLogHandler.Style.of(descriptor: stream.rawValue, journalStream: nil) == .plain)
    #expect(StderrLogHandler.Style.of(descriptor: stream.rawValue, journalStream: "nonsense") == .plain)
  }
}
