import Glibc
import StepperCore
import SystemPackage
import Testing

@testable import StepperSystem

@Suite struct SystemdNotifierTests {
  @Test(
    arguments: [
      (.ready(), "READY=1"),
      (.ready(status: "3 devices"), "READY=1\nSTATUS=3 devices"),
      (.reloading(at: .milliseconds(5)), "RELOADING=1\nMONOTONIC_USEC=5000"),
      (.stopping, "STOPPING=1"),
      (.status("bad\nREADY=1"), "STATUS=bad; READY=1"),
      (.watchdog, "WATCHDOG=1"),
    ] as [(SystemdNotifier.Message, String)])
  func `a message arrives as assignments`(message: SystemdNotifier.Message, text: String) throws {
    let directory = try TemporaryDirectory()
    let path = directory.path.appending("notify").string
    let manager = try NotifySocket(path: path)
    try SystemdNotifier(socketPath: path).send(message)
    #expect(manager.receive() == text)
  }

  @Test func `the abstract namespace is reached`() throws {
    let path = "@stepperd-test-\(getpid())-\(UInt32.random(in: 0 ... .max))"
    let manager = try NotifySocket(path: path)
    try SystemdNotifier(socketPath: path).send(.stopping)
    #expect(manager.receive() == "STOPPING=1")
  }

  @Test func `without a service manager nothing happens`() throws {
    try SystemdNotifier(socketPath: nil).send(.watchdog)
  }

  @Test func `a service manager that went away is an error, not a crash`() throws {
    #expect(throws: Errno.noSuchFileOrDirectory) {
      try SystemdNotifier(socketPath: "/tmp/stepperd-test-no-such-socket").send(.stopping)
    }
    #expect(throws: Errno.addressFamilyNotSupported) {
      try SystemdNotifier(socketPath: "vsock:2:3").send(.stopping)
    }
    #expect(throws: Errno.fileNameTooLong) {
      try SystemdNotifier(socketPath: "/" + String(repeating: "x", count: 107)).send(.stopping)
    }
  }

  @Test(
    arguments: [
      ("30000000", nil, Duration.seconds(30)), ("30000000", "77", .seconds(30)), ("30000000", "78", nil),
      ("0", nil, nil), ("soon", nil, nil), (nil, nil, nil),
    ] as [(String?, String?, Duration?)])
  func `the watchdog is ours or nobody's in particular`(
    interval: String?, process: String?, expected: Duration?
  ) {
    let notifier = SystemdNotifier(
      socketPath: "/run/notify", watchdogMicroseconds: interval, watchdogProcessID: process, ownProcessID: 77)
    #expect(notifier.watchdogInterval == expected)
  }
}

@Suite struct ListenDescriptorsTests {
  private func names(_ process: String?, _ count: String?, _ names: String?) -> [String]? {
    ListenDescriptors(processID: process, count: count, names: names, ownProcessID: 42)?.descriptors
      .map { "\($0.rawValue)=\($0.name)" }
  }

  @Test func `descriptors begin at three and have names`() {
    #expect(names("42", "2", "varlink:other") == ["3=varlink", "4=other"])
    #expect(names("42", "2", "varlink") == ["3=varlink", "4=unknown"])
    #expect(names("42", "1", nil) == ["3=unknown"])
    #expect(names("42", "2", ":b") == ["3=", "4=b"])
  }

  @Test func `what is for another process, or makes no sense, is left alone`() {
    #expect(names("43", "1", nil) == nil)
    #expect(names(nil, "1", nil) == nil)
    #expect(names("42", nil, nil) == nil)
    #expect(names("42", "0", nil) == nil)
    #expect(names("42", "-1", nil) == nil)
    #expect(names("42", "9999999", nil) == nil)
  }

  @Test func `they are taken once, and children neither see nor inherit them`() async {
    await #expect(processExitsWith: .success) {
      // Number 3 may be in use by the test process: the child of an exit test is our own, so it may be replaced.
      let listener = socket(AF_UNIX, CInt(SOCK_STREAM.rawValue), 0)
      dup2(listener, 3)
      unsafe setenv("LISTEN_PID", "\(getpid())", 1)
      unsafe setenv("LISTEN_FDS", "1", 1)
      unsafe setenv("LISTEN_FDNAMES", "varlink", 1)
      #expect(ListenDescriptors.take().map(\.name) == ["varlink"])
      #expect(fcntl(3, F_GETFD) & FD_CLOEXEC != 0)
      #expect(environmentVariable("LISTEN_FDS") == nil)
      #expect(ListenDescriptors.take() == [])
    }
  }
}

/// The service manager's end.
private struct NotifySocket: ~Copyable {
  private let descriptor: OwnedFileDescriptor

  init(path: String) throws {
    let type = CInt(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue)
    let owner = OwnedFileDescriptor(owning: socket(AF_UNIX, type, 0))
    try Errno.check(Self.bind(owner.rawValue, to: path))
    descriptor = owner
  }

  private static func bind(_ socket: CInt, to path: String) -> CInt {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    var bytes = Array(path.utf8)
    let isAbstract = bytes[0] == UInt8(ascii: "@")
    if isAbstract { bytes[0] = 0 }
    unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: bytes) }
    let length = socklen_t(2 + bytes.count + (isAbstract ? 0 : 1))
    return unsafe withUnsafePointer(to: address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe Glibc.bind(socket, $0, length)
      }
    }
  }

  /// The datagram that waits; empty if there is none.
  func receive() -> String {
    var buffer = [UInt8](repeating: 0, count: 4096)
    let count = unsafe recv(descriptor.rawValue, &buffer, buffer.count, 0x40 /* MSG_DONTWAIT */)
    return String(decoding: buffer.prefix(max(count, 0)), as: UTF8.self)
  }
}
