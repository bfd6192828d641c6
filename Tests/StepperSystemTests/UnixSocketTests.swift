import Glibc
import StepperSystem
import SystemPackage
import TestSupport
import Testing

/// Connects like any client; -1 with `errno` if nobody is there.
func connectTo(_ path: String) -> CInt {
  let descriptor = socket(AF_UNIX, CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
  var address = sockaddr_un()
  address.sun_family = sa_family_t(AF_UNIX)
  unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: path.utf8) }
  let result = unsafe withUnsafePointer(to: address) { pointer in
    unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
      unsafe connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
    }
  }
  return result == 0 ? descriptor : -1
}

func accept(from listener: borrowing UnixListener) throws -> StreamConnection {
  guard let descriptor = try listener.accept() else { throw Errno.noSuchFileOrDirectory }
  return try StreamConnection(descriptor)
}

@Suite struct UnixSocketTests {
  @Test func `a client connects, is known, writes and reads`() throws {
    let folder = try TemporaryFolder()
    let listener = try UnixListener(path: "\(folder.path)/socket", mode: 0o660, group: nil)
    #expect(try listener.accept() == nil)
    let client = OwnedFileDescriptor(owning: connectTo("\(folder.path)/socket"))
    let connection = try accept(from: listener)
    #expect(connection.peer.userID == geteuid())
    #expect(connection.peer.processID == getpid())
    #expect(connection.peer.groupIDs.contains(getegid()))

    #expect(try connection.receive(limit: 100) == .nothingYet)
    _ = unsafe write(client.rawValue, "hello", 5)
    #expect(try connection.receive(limit: 3) == .bytes(Array("hel".utf8)))
    #expect(try connection.receive(limit: 3) == .bytes(Array("lo".utf8)))
    shutdown(client.rawValue, CInt(SHUT_WR))
    #expect(try connection.receive(limit: 3) == .end)
  }

  @Test func `a client that does not read is noticed, not waited for`() throws {
    let folder = try TemporaryFolder()
    let listener = try UnixListener(path: "\(folder.path)/socket", mode: 0o660, group: nil)
    let client = OwnedFileDescriptor(owning: connectTo("\(folder.path)/socket"))
    let connection = try accept(from: listener)
    try connection.setSendBufferSize(4_096)
    let bytes = [UInt8](repeating: 7, count: 1 << 20)
    var sent = 0
    while case let count = try connection.send(bytes[...]), count > 0 { sent += count }
    #expect(sent > 0 && sent < 64 << 10, "the kernel's buffer is small")
    #expect(client.rawValue >= 0)
  }

  // In a process of its own: what other tests start would hold copies of what is closed here until it runs.
  @Test func `writing to a client that is gone is an error, not a signal`() async {
    await #expect(processExitsWith: .success) {
      let folder = try TemporaryFolder()
      let listener = try UnixListener(path: "\(folder.path)/socket", mode: 0o660, group: nil)
      close(connectTo("\(folder.path)/socket"))
      let connection = try accept(from: listener)
      #expect(throws: Errno.brokenPipe) { try connection.send([1, 2, 3][...]) }
    }
  }

  @Test func `a socket is not taken from a daemon that answers`() throws {
    let folder = try TemporaryFolder()
    let listener = try UnixListener(path: "\(folder.path)/socket", mode: 0o660, group: nil)
    #expect(throws: Errno.addressInUse) {
      _ = try UnixListener(path: "\(folder.path)/socket", mode: 0o660, group: nil)
    }
    #expect(listener.rawDescriptor >= 0)
  }

  // In a process of its own, for the same reason.
  @Test func `a socket that a dead daemon left behind is replaced`() async {
    await #expect(processExitsWith: .success) {
      let folder = try TemporaryFolder()
      let path = "\(folder.path)/socket"
      do {
        let listener = try UnixListener(path: path, mode: 0o660, group: nil)
        // As after a crash: the file stays when its process does not.
        try Errno.check(unsafe rename(path, "\(folder.path)/other"))
        #expect(listener.rawDescriptor >= 0)
      }
      try Errno.check(unsafe rename("\(folder.path)/other", path))
      #expect(connectTo(path) == -1)
      let listener = try UnixListener(path: path, mode: 0o660, group: nil)
      let client = connectTo(path)
      #expect(client >= 0)
      close(client)
      #expect(listener.rawDescriptor >= 0)
    }
  }

  @Test func `the socket has its mode and is gone afterwards`() throws {
    let folder = try TemporaryFolder()
    let path = "\(folder.path)/socket"
    do {
      let listener = try UnixListener(path: path, mode: 0o640, group: nil)
      var status = stat()
      try Errno.check(unsafe stat(path, &status))
      #expect(status.st_mode & 0o777 == 0o640)
      #expect(listener.rawDescriptor >= 0)
    }
    #expect(unsafe access(path, F_OK) == -1)
  }

  @Test(arguments: ["/nonexistent/folder/socket", "/proc/socket"])
  func `a place where no socket can be is an error`(_ path: String) {
    #expect(throws: Errno.self) { _ = try UnixListener(path: path, mode: 0o660, group: nil) }
  }

  @Test func `a path longer than an address is an error`() {
    #expect(throws: Errno.fileNameTooLong) {
      _ = try UnixListener(path: "/tmp/" + String(repeating: "x", count: 200), mode: 0o660, group: nil)
    }
  }
}
