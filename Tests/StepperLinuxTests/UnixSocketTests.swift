import FoundationEssentials
import Glibc
import StepperLinux
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

    var buffer: [UInt8] = [0, 0, 0]
    #expect(try connection.receive(into: &buffer) == .later)
    _ = unsafe write(client.rawValue, "hello", 5)
    #expect(try connection.receive(into: &buffer) == .bytes(3) && buffer == Array("hel".utf8))
    #expect(try connection.receive(into: &buffer) == .bytes(2) && buffer.starts(with: Array("lo".utf8)))
    shutdown(client.rawValue, CInt(SHUT_WR))
    #expect(try connection.receive(into: &buffer) == .end)
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
    #expect(throws: ListenFailure.inUse(path: "\(folder.path)/socket", by: getpid())) {
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
    let failure = #expect(throws: ListenFailure.self) {
      _ = try UnixListener(path: path, mode: 0o660, group: nil)
    }
    #expect(failure?.description.contains(path) == true)
  }

  @Test func `a path longer than an address is an error`() throws {
    let folder = try TemporaryFolder()
    let room = ListenFailure.longestPath - folder.path.utf8.count - 1
    _ = try UnixListener(
      path: "\(folder.path)/\(String(repeating: "x", count: room))", mode: 0o660, group: nil)
    let path = "\(folder.path)/\(String(repeating: "x", count: room + 1))"
    #expect(throws: ListenFailure.tooLong(path: path)) {
      _ = try UnixListener(path: path, mode: 0o660, group: nil)
    }
  }

  @Test(arguments: TemporaryFolder.Kind.all)
  func `what is no socket is left where it is`(kind: TemporaryFolder.Kind) throws {
    let folder = try TemporaryFolder()
    try folder.write("precious", to: "target")
    try folder.make(kind, at: "socket")
    let before = folder.identity(of: "socket")
    let failure = #expect(throws: ListenFailure.self) {
      _ = try UnixListener(path: "\(folder.path)/socket", mode: 0o660, group: nil)
    }
    guard case .occupied = failure else {
      Issue.record("\(String(describing: failure))")
      return
    }
    #expect(folder.identity(of: "socket") == before)
    #expect(try folder.read("target") == "precious")
  }

  @Test func `a socket in the place of the own one is not removed`() throws {
    let folder = try TemporaryFolder()
    let path = "\(folder.path)/socket"
    let second: UnixListener
    do {
      let first = try UnixListener(path: path, mode: 0o660, group: nil)
      folder.remove("socket")
      second = try UnixListener(path: path, mode: 0o660, group: nil)
      let areInPlace = [first.isInPlace, second.isInPlace]
      #expect(areInPlace == [false, true])
    }
    let isInPlace = second.isInPlace
    #expect(isInPlace)
  }

  @Test func `an inherited socket is known by its path, and stays`() throws {
    let folder = try TemporaryFolder()
    let path = "\(folder.path)/socket"
    let own = try UnixListener(path: path, mode: 0o660, group: nil)
    do {
      let inherited = UnixListener(inheriting: OwnedFileDescriptor(owning: dup(own.rawDescriptor)))
      let (found, isInPlace) = (inherited.path, inherited.isInPlace)
      #expect(found == path && isInPlace)
    }
    let isInPlace = own.isInPlace
    #expect(isInPlace)
  }
}

@Suite struct PathWatchTests {
  private func isNoticed(
    _ subject: PathWatch.Subject = .removal, in place: String = "folder/file",
    _ happen: (TemporaryFolder) throws -> Void
  ) throws -> Bool {
    let folder = try TemporaryFolder()
    try FileManager.default.createDirectory(
      atPath: "\(folder.path)/folder", withIntermediateDirectories: false)
    try folder.write("", to: "folder/file")
    try folder.write("", to: "folder/other")
    var watch = PathWatch()
    let readable = watch.rawDescriptor
    let descriptor = try #require(readable)
    watch.watch([FilePath("\(folder.path)/\(place)")], for: subject)
    #expect(!Deadline(in: 0.02).waitForInput(on: descriptor))
    try happen(folder)
    return Deadline(in: 0.2).waitForInput(on: descriptor) && watch.takeAll()
  }

  @Test func `what happens to the file or its folder is noticed, and nothing else`() throws {
    #expect(try isNoticed { $0.remove("folder/file") })
    #expect(try isNoticed { try $0.rename("folder/other", to: "folder/file") })
    #expect(try isNoticed { try $0.rename("folder/file", to: "folder/elsewhere") })
    #expect(try isNoticed { try $0.rename("folder", to: "elsewhere") })
    #expect(try !isNoticed { $0.remove("folder/other") })
    #expect(try !isNoticed { try $0.write("", to: "folder/new") })
  }

  @Test func `a change of the content is noticed, however the file is written`() throws {
    #expect(try isNoticed(.content) { try $0.append("x", to: "folder/file") })
    #expect(try isNoticed(.content) { try $0.rename("folder/other", to: "folder/file") })
    #expect(try isNoticed(.content) { $0.remove("folder/file") })
    #expect(try isNoticed(.content) { try $0.rename("folder", to: "elsewhere") })
    #expect(try !isNoticed(.content) { _ = try $0.read("folder/file") })
    #expect(try !isNoticed(.content) { $0.remove("folder/other") })
    #expect(try !isNoticed(.content) { try $0.write("", to: "folder/new") })
  }

  @Test func `a file that appears is noticed, with the folders on its way`() throws {
    #expect(try isNoticed(.content, in: "folder/new") { try $0.write("", to: "folder/new") })
    #expect(try isNoticed(.content, in: "a/b/new") { try $0.writeBelow("", to: "a/b/new") })
  }

  /// `cur` leads to `v1`, and `alias` to `cur`, both beside `v1`, `v2` and `folder`.
  private func isNoticed(
    through path: String, _ subject: PathWatch.Subject = .content, _ happen: (TemporaryFolder) throws -> Void
  ) throws -> Bool {
    let folder = try TemporaryFolder()
    for version in ["v1", "v2"] { try folder.writeBelow("", to: "\(version)/below/file") }
    try folder.writeBelow("", to: "folder/other")
    try link("v1", at: "cur", in: folder)
    try link("\(folder.path)/cur", at: "alias", in: folder)
    try link("../alias/below", at: "folder/link", in: folder)
    try link("loop", at: "loop", in: folder)
    var watch = PathWatch()
    let readable = watch.rawDescriptor
    let descriptor = try #require(readable)
    watch.watch([FilePath("\(folder.path)/\(path)")], for: subject)
    #expect(!Deadline(in: 0.02).waitForInput(on: descriptor))
    try happen(folder)
    return Deadline(in: 0.2).waitForInput(on: descriptor) && watch.takeAll()
  }

  private func link(_ target: String, at name: String, in folder: TemporaryFolder) throws {
    try #require(unsafe symlink(target, "\(folder.path)/\(name)") == 0)
  }

  @Test(arguments: ["cur/below/file", "alias/below/file", "folder/link/file", "folder/../cur/./below/file"])
  func `a link on the way that leads elsewhere is noticed`(_ path: String) throws {
    func turn(_ folder: TemporaryFolder) throws {
      try link("v2", at: "new", in: folder)
      try folder.rename("new", to: "cur")
    }
    #expect(try isNoticed(through: path, .content, turn))
    #expect(try isNoticed(through: path, .removal, turn))
    #expect(try isNoticed(through: path) { $0.remove("cur") })
    #expect(try isNoticed(through: path) { try $0.append("x", to: "v1/below/file") })
    #expect(try !isNoticed(through: path) { try $0.append("x", to: "v2/below/file") })
    #expect(try !isNoticed(through: path) { try $0.write("", to: "unrelated") })
    #expect(try !isNoticed(through: path) { try $0.write("", to: "v1/unrelated") })
  }

  @Test func `a folder on the way that is moved or replaced is noticed, however far up it is`() throws {
    #expect(try isNoticed(through: "v1/below/file") { try $0.rename("v1", to: "former") })
    #expect(try isNoticed(through: "cur/below/file") { try $0.rename("v1", to: "former") })
    #expect(try isNoticed(through: "cur/none/file") { try $0.writeBelow("", to: "v1/none/file") })
    #expect(
      try isNoticed(through: "cur/none/file") { folder in
        try link("v2", at: "new", in: folder)
        try folder.rename("new", to: "cur")
      })
  }

  @Test func `a link that leads to itself is watched, too`() throws {
    #expect(
      try isNoticed(through: "loop/file") { folder in
        try link("v2", at: "new", in: folder)
        try folder.rename("new", to: "loop")
      })
  }

  @Test func `several files are watched with one descriptor, and each change is noticed`() throws {
    let folder = try TemporaryFolder()
    for name in ["a/one", "b/two"] { try folder.writeBelow("", to: name) }
    var watch = PathWatch()
    let readable = watch.rawDescriptor
    let descriptor = try #require(readable)
    let paths = ["a/one", "b/two", "b/three"].map { FilePath("\(folder.path)/\($0)") }
    let changes: [() throws -> Void] = [
      { try folder.append("x", to: "a/one") }, { folder.remove("b/two") },
      { try folder.write("", to: "b/three") },
    ]
    for change in changes {
      watch.watch(paths, for: .content)
      #expect(!Deadline(in: 0.02).waitForInput(on: descriptor))
      try change()
      let isNoticed = Deadline().waitForInput(on: descriptor) && watch.takeAll()
      #expect(isNoticed)
    }
    watch.watch(paths, for: .content)
    try folder.write("", to: "a/other")
    let isAboutOthers = Deadline().waitForInput(on: descriptor) && !watch.takeAll()
    #expect(isAboutOthers)
    watch.watch([paths[0]], for: .content)
    try folder.append("x", to: "b/three")
    #expect(!Deadline(in: 0.02).waitForInput(on: descriptor))
  }

  @Test func `it goes on with what is there next`() throws {
    let folder = try TemporaryFolder()
    try folder.write("", to: "file")
    var watch = PathWatch()
    let readable = watch.rawDescriptor
    let descriptor = try #require(readable)
    for _ in 0..<3 {
      watch.watch([FilePath("\(folder.path)/file")])
      #expect(!Deadline(in: 0.02).waitForInput(on: descriptor))
      folder.remove("file")
      #expect(Deadline().waitForInput(on: descriptor))
      try folder.write("", to: "file")
    }
  }
}
