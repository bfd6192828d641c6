import CLinux
import Glibc
import SystemPackage
import TestSupport
import Testing

@testable import StepperLinux

@Suite struct ReplacedFileTests {
  private let folder: TemporaryFolder
  private var path: FilePath { FilePath("\(folder.path)/file") }

  init() throws { folder = try TemporaryFolder() }

  private func write(_ text: String, to path: FilePath) throws {
    try ReplacedFile(path).write(Array(text.utf8), permissions: [.ownerReadWrite, .groupRead, .otherRead])
  }

  private func mode(_ name: String) throws -> mode_t {
    var status = stat()
    guard unsafe stat("\(folder.path)/\(name)", &status) == 0 else { throw TestFailure("\(name) is missing") }
    return status.st_mode & 0o7777
  }

  @Test func `a new file has its mode, and a former one keeps its own`() throws {
    try write("new", to: path)
    #expect(try folder.read("file") == "new" && mode("file") == 0o644)
    guard unsafe chmod(path.string, 0o600) == 0 else { throw TestFailure("chmod") }
    try write("newer", to: path)
    #expect(try folder.read("file") == "newer" && mode("file") == 0o600)
  }

  @Test func `the file of a killed process is no obstacle`() throws {
    try folder.write("half", to: ".file.new")
    try write("new", to: path)
    #expect(try folder.read("file") == "new" && !folder.contains(".file.new"))
  }

  @Test func `what cannot be removed is named`() throws {
    try folder.writeBelow("", to: ".file.new/x")
    let failure = #expect(throws: FileFailure.self) { try write("new", to: path) }
    #expect(failure?.description == "cannot create \(folder.path)/.file.new: File exists")
    let missing = #expect(throws: FileFailure.self) { try write("new", to: "/nonexistent/file") }
    #expect(missing?.description == "cannot write /nonexistent/file: No such file or directory")
  }

  @Test func `a link is followed, unless it leads nowhere`() throws {
    try folder.write("former", to: "file")
    let link = FilePath("\(folder.path)/link")
    guard unsafe symlink("file", link.string) == 0 else { throw TestFailure("symlink") }
    try write("new", to: link)
    #expect(try folder.read("file") == "new" && linkTarget(link) == "file")
    guard unsafe unlink(path.string) == 0 else { throw TestFailure("unlink") }
    let failure = #expect(throws: FileFailure.self) { try ReplacedFile(link) }
    #expect(failure?.description == "cannot follow \(link): No such file or directory")
  }

  @Test(.enabled(if: geteuid() == 0, "needs root")) func `a link of another user is not followed`() throws {
    let link = FilePath("\(folder.path)/link")
    guard unsafe symlink("/etc/hostname", link.string) == 0, unsafe lchown(link.string, 65_534, 65_534) == 0
    else {
      throw TestFailure("symlink")
    }
    let failure = #expect(throws: FileFailure.self) { try ReplacedFile(link) }
    #expect(failure?.description == "\(link) belongs to user 65534")
  }

  @Test(.enabled(if: geteuid() == 0, "needs root, to become somebody else"))
  func `a file of another user in a directory of one's own is replaced`() async {
    await #expect(processExitsWith: .success) {
      let test = try ReplacedFileTests()
      try test.folder.write("former", to: "file")
      try Errno.check(unsafe chmod(test.path.string, 0o4640))
      try Errno.check(unsafe chown(test.folder.path, 65_534, 65_534))
      try Errno.check(setuid(65_534))
      try test.write("new", to: test.path)
      #expect(try test.mode("file") == 0o640)
    }
  }

  @Test func `what is no regular file is refused with its kind`() throws {
    guard unsafe mkfifo(path.string, 0o600) == 0 else { throw TestFailure("mkfifo") }
    for (path, kind) in [(path, "a FIFO"), ("/dev/null", "a device"), (FilePath(folder.path), "a directory")]
    {
      let failure = #expect(throws: FileFailure.self) { try ReplacedFile(path) }
      #expect(failure?.description == "\(path) is \(kind), not a file")
    }
  }

  /// `user::rw- user:65534:rw- group::--- mask::rw- other::---`, as the kernel has it.
  private static let list: [UInt8] =
    [2, 0, 0, 0]
    + [(0x01, 6, UInt32.max), (0x02, 6, 65_534), (0x04, 0, .max), (0x10, 6, .max), (0x20, 0, .max)].flatMap {
      (tag: UInt8, rights: UInt8, id: UInt32) in
      [tag, 0, rights, 0] + (0..<4).map { UInt8(truncatingIfNeeded: id >> (8 * $0)) }
    }

  @Test func `the access control list and other attributes are kept, also by a copy`() throws {
    let attributes = ["system.posix_acl_access": Self.list, "user.comment": Array("x".utf8)]
    try folder.write("former", to: "file")
    for (name, value) in attributes {
      // Not every file system has them.
      guard unsafe setxattr(path.string, name, value, value.count, 0) == 0 else { return }
    }
    let copy = FilePath("\(folder.path)/copy")
    try ReplacedFile(path).createCopy(copy, Array("former".utf8))
    try write("new", to: path)
    #expect(try folder.read("file") == "new" && folder.read("copy") == "former")
    for (name, value) in attributes {
      for file in [path, copy] {
        #expect(extendedAttribute(name, of: file.string) == value, "\(file) \(name)")
      }
    }
    #expect(try mode("file") == 0o660 && mode("copy") == 0o660)
    let failure = #expect(throws: FileFailure.self) { try ReplacedFile(path).createCopy(copy, []) }
    #expect(failure?.errno == .fileExists)
  }

  @Test func `a list of the directory gives nobody a right to a file without one`() throws {
    let value = Self.list
    try folder.write("former", to: "file")
    guard unsafe setxattr(folder.path, "system.posix_acl_default", value, value.count, 0) == 0 else { return }
    try write("new", to: path)
    #expect(extendedAttribute("system.posix_acl_access", of: path.string) == nil)
  }
}
