import Glibc
import StepperLinux
import SystemPackage
import TestSupport
import Testing

@Suite struct SmallFileTests {
  private func file(_ name: String, in folder: TemporaryFolder) -> SmallFile {
    SmallFile(FilePath("\(folder.path)/\(name)"))
  }

  @Test func `an empty file and no file are different`() throws {
    let folder = try TemporaryFolder()
    #expect(try file("file", in: folder).read(limit: 10) == nil)
    try folder.write("", to: "file")
    #expect(try file("file", in: folder).read(limit: 10) == [])
  }

  @Test func `a file over the limit is refused`() throws {
    let folder = try TemporaryFolder()
    try folder.write(String(repeating: "x", count: 100_000), to: "file")
    let file = file("file", in: folder)
    #expect(try file.read(limit: 100_000)?.count == 100_000)
    let failure = #expect(throws: FileFailure.self) { try file.read(limit: 99_999) }
    #expect(failure?.errno == .fileTooLarge)
    #expect(failure?.description.contains(file.path.string) == true)
  }

  @Test func `the null device is an empty file`() throws {
    #expect(try SmallFile("/dev/null").read(limit: 10) == [])
  }

  @Test func `a link is followed`() throws {
    let folder = try TemporaryFolder()
    try folder.make(.link, at: "file")
    try folder.write("x", to: "target")
    #expect(try file("file", in: folder).read(limit: 10) == [UInt8(ascii: "x")])
    let failure = #expect(throws: FileFailure.self) {
      try file("file", in: folder).read(limit: 10, followsLinks: false)
    }
    #expect(failure?.reason == .kind(.symbolicLink))
    #expect(try file("target", in: folder).read(limit: 10, followsLinks: false) == [UInt8(ascii: "x")])
  }

  @Test(arguments: [
    (TemporaryFolder.Kind.directory, "is a directory, not a file"), (.fifo, "is a FIFO, not a file"),
    (.device, "is a device, not a file"), (.dangling, "No such file"),
  ])
  func `what is no file is an error, and nobody waits for it`(kind: TemporaryFolder.Kind, message: String)
    throws
  {
    let folder = try TemporaryFolder()
    try folder.make(kind, at: "file")
    let failure = #expect(throws: FileFailure.self) { try file("file", in: folder).read(limit: 10) }
    #expect(failure?.description.contains(message) == true, "\(String(describing: failure))")
  }
}
