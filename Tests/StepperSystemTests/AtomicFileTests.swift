import Glibc
import SystemPackage
import Testing

@testable import StepperSystem

@Suite struct AtomicFileTests {
  @Test func `what was written is read`() throws {
    let directory = try TemporaryDirectory()
    let file = AtomicFile(directory.path.appending("values"))
    try file.write([1, 2, 3])
    try file.write([4])
    #expect(try file.read(limit: 1) == [4])
    #expect(try directory.names == ["values"])
  }

  @Test func `an empty file and no file are different`() throws {
    let directory = try TemporaryDirectory()
    let file = AtomicFile(directory.path.appending("values"))
    #expect(try file.read(limit: 10) == nil)
    try file.write([])
    #expect(try file.read(limit: 10) == [])
  }

  @Test func `a file over the limit is refused`() throws {
    let directory = try TemporaryDirectory()
    let file = AtomicFile(directory.path.appending("values"))
    try file.write([UInt8](repeating: 7, count: 100_000))
    #expect(try file.read(limit: 100_000)?.count == 100_000)
    let failure = #expect(throws: AtomicFile.Failure.self) { try file.read(limit: 99_999) }
    #expect(failure?.errno == .fileTooLarge)
    #expect(failure?.description.contains(file.path.string) == true)
  }

  /// What a full disk does: `RLIMIT_FSIZE` makes the kernel refuse the second half of the content.
  @Test func `a write that fails halfway leaves the old file and nothing else`() async throws {
    await #expect(processExitsWith: .success) {
      let directory = try TemporaryDirectory()
      let file = AtomicFile(directory.path.appending("values"))
      try file.write([1, 2, 3])
      signal(SIGXFSZ, SIG_IGN)
      var limit = rlimit(rlim_cur: 4096, rlim_max: 4096)
      unsafe setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
      let failure = #expect(throws: AtomicFile.Failure.self) {
        try file.write([UInt8](repeating: 7, count: 8192))
      }
      #expect(failure?.errno == .fileTooLarge)
      #expect(failure?.operation == "write")
      #expect(try file.read(limit: 10) == [1, 2, 3])
      #expect(try directory.names == ["values"])
    }
  }

  @Test func `a directory that does not exist is named`() throws {
    let directory = try TemporaryDirectory()
    let file = AtomicFile(directory.path.appending("missing/values"))
    let failure = #expect(throws: AtomicFile.Failure.self) { try file.write([1]) }
    #expect(failure?.errno == .noSuchFileOrDirectory)
    #expect(failure?.description.contains("missing/values") == true)
  }

  @Test func `only the owner may read it, also where a left-over was open to all`() throws {
    let directory = try TemporaryDirectory()
    let file = AtomicFile(directory.path.appending("values"))
    let leftOver = unsafe open(directory.path.appending(".values.new").string, O_WRONLY | O_CREAT, 0o666)
    #expect(leftOver >= 0)
    close(leftOver)
    try file.write([1])
    var status = stat()
    try Errno.check(unsafe stat(file.path.string, &status))
    #expect(status.st_mode & 0o777 == 0o600)
  }

  @Test func `a symbolic link stays and its target is replaced`() throws {
    let directory = try TemporaryDirectory()
    let target = AtomicFile(directory.path.appending("target"))
    let link = AtomicFile(directory.path.appending("link"))
    try target.write([1])
    try Errno.check(unsafe symlink("target", link.path.string))
    try link.write([2])
    #expect(try target.read(limit: 10) == [2])
    var status = stat()
    try Errno.check(unsafe lstat(link.path.string, &status))
    #expect(status.st_mode & S_IFMT == S_IFLNK)
  }

  @Test func `a directory is no file`() throws {
    let directory = try TemporaryDirectory()
    let failure = #expect(throws: AtomicFile.Failure.self) { try AtomicFile(directory.path).read(limit: 10) }
    #expect(failure?.errno == .isDirectory)
  }
}
