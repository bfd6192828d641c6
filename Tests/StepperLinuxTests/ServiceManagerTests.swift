import Glibc
import StepperCore
import SystemPackage
import TestSupport
import Testing

@testable import StepperLinux

@Suite struct SystemdNotifierTests {
  @Test(
    arguments: [
      (.ready(), "READY=1"),
      (.ready(status: "3 devices"), "READY=1\nSTATUS=3 devices"),
      (.reloading(at: .milliseconds(5)), "RELOADING=1\nMONOTONIC_USEC=5000"),
      (.stopping, "STOPPING=1"),
      (.status("bad\nREADY=1"), #"STATUS=bad\nREADY=1"#),
      (.ready(status: "\u{1b}[2J\r\u{202e}"), "READY=1\n" + #"STATUS=\x1b[2J\r\u{202e}"#),
      (
        .ready(status: String(repeating: "x", count: 9_999)),
        "READY=1\nSTATUS=\(String(repeating: "x", count: 2_045))…"
      ),
      (.watchdog, "WATCHDOG=1"),
    ] as [(SystemdNotifier.Message, String)])
  func `a message arrives as assignments`(message: SystemdNotifier.Message, text: String) throws {
    let folder = try TemporaryFolder()
    let path = "\(folder.path)/notify"
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
  }

  @Test(
    arguments: [
      ("vsock:2:3", "is neither a path nor an abstract name: 'vsock:2:3'"),
      ("run/notify", "is neither a path nor an abstract name: 'run/notify'"),
      ("\n<3>\u{1b}", #"is neither a path nor an abstract name: '\n<3>\x1b'"#), ("", "is neither a path"),
      ("/" + String(repeating: "x", count: 107), "is 108 bytes long; a socket's name has at most 107"),
      ("@" + String(repeating: "x", count: 108), "is 109 bytes long; a socket's name has at most 108"),
      ("/" + String(repeating: "x", count: 100_000), "is 100001 bytes long"),
    ])
  func `an address that cannot be one is a problem, and nobody is told`(path: String, problem: String) throws
  {
    let notifier = SystemdNotifier(socketPath: path, watchdogMicroseconds: "30000000")
    #expect(!notifier.isConnected && notifier.watchdogInterval == nil)
    #expect(notifier.problems.count == 1)
    #expect(notifier.problems.first?.contains(problem) == true, "\(notifier.problems)")
    try notifier.send(.stopping)
  }

  @Test(arguments: [
    "/" + String(repeating: "x", count: 106), "@" + String(repeating: "x", count: 107), "@", "/",
  ])
  func `the longest addresses are no problem`(path: String) {
    let notifier = SystemdNotifier(socketPath: path)
    #expect(notifier.problems == [] && notifier.isConnected)
    #expect(throws: Errno.self) { try notifier.send(.stopping) }
  }

  @Test(
    arguments: [
      ("30000000", nil, .seconds(30), 0), ("30000000", "77", .seconds(30), 0), ("30000000", "78", nil, 0),
      (nil, nil, nil, 0), (nil, "x", nil, 0), ("1", nil, .milliseconds(20), 1),
      // What no clock can count to is often enough in a day.
      ("\(Int64.max)", nil, .seconds(86_400), 0), ("\(UInt64.max)", nil, .seconds(86_400), 0),
      ("\(Int64.max)", "-1", nil, 0),
      // Nonsense is not used, and said.
      ("0", nil, nil, 1), ("-1", nil, nil, 1), ("soon", nil, nil, 1), ("", nil, nil, 1), ("1e9", nil, nil, 1),
      ("99999999999999999999999", nil, nil, 1), (String(repeating: "9", count: 100_000), nil, nil, 1),
      ("30000000", "me", .seconds(30), 1), ("30000000", "4294967296", .seconds(30), 1),
      ("30000000", "", .seconds(30), 1),
    ] as [(String?, String?, Duration?, Int)])
  func `the watchdog is ours or nobody's in particular, and its time makes sense`(
    interval: String?, process: String?, expected: Duration?, problems: Int
  ) {
    let notifier = SystemdNotifier(
      socketPath: "/run/notify", watchdogMicroseconds: interval, watchdogProcessID: process, ownProcessID: 77)
    #expect(notifier.watchdogInterval == expected)
    #expect(notifier.problems.count == problems, "\(notifier.problems)")
    #expect(notifier.problems.allSatisfy { $0.utf8.count < 200 })
  }

  @Test func `a process without descriptors left still says that it is alive`() async {
    await #expect(processExitsWith: .success) {
      let folder = try TemporaryFolder()
      let path = "\(folder.path)/notify"
      let manager = try NotifySocket(path: path)
      let notifier = SystemdNotifier(socketPath: path)
      while dup(0) >= 0 {}
      try notifier.send(.watchdog)
      #expect(manager.receive() == "WATCHDOG=1")
      closefrom(100)
    }
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

  /// In place of 3: that and the following belong to the process of an exit test.
  private static let first: CInt = 300

  /// What `take` makes of descriptors from ``first`` on.
  private static func take(_ descriptors: [CInt], count: String, names: String) -> ([String], [String]) {
    // Away from the numbers that are to be given to them.
    let copies = descriptors.map { fcntl($0, F_DUPFD, 400) }
    for (index, copy) in copies.enumerated() {
      if copy >= 0 { dup2(copy, first + CInt(index)) } else { close(first + CInt(index)) }
    }
    unsafe setenv("LISTEN_PID", "\(getpid())", 1)
    unsafe setenv("LISTEN_FDS", count, 1)
    unsafe setenv("LISTEN_FDNAMES", names, 1)
    var problems: [String] = []
    let taken = ListenDescriptors.take(from: first) { problems.append($0) }
    return (taken.map { "\($0.rawValue)=\($0.name)" }, problems)
  }

  private static func listeningSocket() throws -> CInt {
    let descriptor = try Errno.check(socket(AF_UNIX, CInt(SOCK_STREAM.rawValue), 0))
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    // Without a name the kernel gives it one.
    let length = socklen_t(MemoryLayout<sa_family_t>.size)
    let result = unsafe withUnsafePointer(to: address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { unsafe bind(descriptor, $0, length) }
    }
    try Errno.check(result)
    try Errno.check(listen(descriptor, 1))
    return descriptor
  }

  @Test func `they are taken once, do not block, and children neither see nor inherit them`() async {
    await #expect(processExitsWith: .success) {
      let (taken, problems) = ListenDescriptorsTests.take(
        [try ListenDescriptorsTests.listeningSocket()], count: "1", names: "varlink")
      #expect(taken == ["300=varlink"] && problems == [])
      #expect(fcntl(ListenDescriptorsTests.first, F_GETFD) & FD_CLOEXEC != 0)
      #expect(fcntl(ListenDescriptorsTests.first, F_GETFL) & O_NONBLOCK != 0)
      #expect(environmentVariable("LISTEN_FDS") == nil)
      #expect(ListenDescriptors.take(from: ListenDescriptorsTests.first) == [])
    }
  }

  @Test func `the one that the socket unit names for us comes first`() async {
    await #expect(processExitsWith: .success) {
      let sockets = try (0..<2).map { _ in try ListenDescriptorsTests.listeningSocket() }
      let (taken, problems) = ListenDescriptorsTests.take(sockets, count: "2", names: "other:varlink")
      #expect(taken == ["301=varlink", "300=other"] && problems == [])
    }
  }

  /// The guests' kernel has no network but Unix sockets.
  private static let hasNetwork = {
    let network = socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0)
    close(network)
    return network >= 0
  }()

  @Test(.enabled(if: hasNetwork))
  func `what is no listening socket is left alone, open and as it was`() async {
    await #expect(processExitsWith: .success) {
      var pair: [CInt] = [0, 0]
      try Errno.check(unsafe socketpair(AF_UNIX, CInt(SOCK_STREAM.rawValue), 0, &pair))
      let datagrams = socket(AF_UNIX, CInt(SOCK_DGRAM.rawValue), 0)
      let network = socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0)
      listen(network, 1)
      let file = unsafe open("/dev/null", O_RDWR)
      let (taken, problems) = ListenDescriptorsTests.take(
        [pair[0], datagrams, network, file, -1, try ListenDescriptorsTests.listeningSocket()], count: "6",
        names: "a:\u{1b}[2J\n:c:d")
      #expect(taken == ["305=unknown"])
      #expect(
        problems == [
          "the inherited descriptor 300 ('a') is not a listening Unix stream socket and is ignored",
          #"the inherited descriptor 301 ('\x1b[2J\n') is not a listening Unix stream socket and is ignored"#,
          "the inherited descriptor 302 ('c') is not a listening Unix stream socket and is ignored",
          "the inherited descriptor 303 ('d') is not a listening Unix stream socket and is ignored",
          "the inherited descriptor 304 ('unknown') is not open and is ignored",
        ])
      for descriptor in CInt(300)...303 {
        #expect(fcntl(descriptor, F_GETFD) == 0)
        #expect(fcntl(descriptor, F_GETFL) & O_NONBLOCK == 0)
      }
    }
  }

  @Test func `a count that is none is a problem, and nothing is touched`() async {
    await #expect(processExitsWith: .success) {
      for count in ["65", "-1", "2147483648", "9223372036854775808", "x", "", "1 ", "\n<3>"] {
        let (taken, problems) = ListenDescriptorsTests.take(
          [try ListenDescriptorsTests.listeningSocket()], count: count, names: "varlink")
        #expect(taken == [] && problems.count == 1, "\(count)")
        #expect(fcntl(ListenDescriptorsTests.first, F_GETFD) == 0)
      }
      let (taken, problems) = ListenDescriptorsTests.take([], count: "0", names: "")
      #expect(taken == [] && problems == [])
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
