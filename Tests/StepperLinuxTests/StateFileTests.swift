import FoundationEssentials
import Glibc
import SystemPackage
import TestSupport
import Testing

@testable import StepperLinux

private func openFile(in folder: TemporaryFolder) throws -> StateFile {
  var file = StateFile("values.json", in: FilePath("\(folder.path)/state"))
  try file.open()
  return file
}

private func names(in folder: TemporaryFolder) throws -> [String] {
  try FileManager.default.contentsOfDirectory(atPath: "\(folder.path)/state").sorted()
}

private func content(_ text: String, problem: String? = nil) -> StateFile.Found {
  .content(Array(text.utf8), problem: problem)
}

@Suite struct StateFileTests {
  @Test func `each write keeps the one before it`() throws {
    let folder = try TemporaryFolder()
    var file = try openFile(in: folder)
    defer { file.close() }
    #expect(file.read(.newer, limit: 10) == .nothing)
    #expect(file.read(.older, limit: 10) == .nothing)
    for text in ["1", "2", "3"] { #expect(try file.write(Array(text.utf8)) == nil) }
    #expect(file.read(.newer, limit: 1) == content("3"))
    #expect(file.read(.older, limit: 1) == content("2"))
    #expect(try names(in: folder) == ["lock", "values.json", "values.previous.json"])
  }

  @Test func `what is longer than allowed is read as far as that`() throws {
    let folder = try TemporaryFolder()
    var file = try openFile(in: folder)
    defer { file.close() }
    _ = try file.write(Array("12345".utf8))
    #expect(file.read(.newer, limit: 3) == content("123", problem: "it has more than 3 bytes"))
    #expect(file.read(.newer, limit: 5) == content("12345"))
  }

  /// What a full disk does: `RLIMIT_FSIZE` makes the kernel refuse the second half of the content.
  @Test func `a write that fails halfway leaves both generations and nothing else`() async throws {
    await #expect(processExitsWith: .success) {
      let folder = try TemporaryFolder()
      var file = try openFile(in: folder)
      for text in ["1", "2"] { _ = try file.write(Array(text.utf8)) }
      signal(SIGXFSZ, SIG_IGN)
      var limit = rlimit(rlim_cur: 4096, rlim_max: 4096)
      unsafe setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
      let failure = #expect(throws: LockFailure.self) { try file.write([UInt8](repeating: 7, count: 8192)) }
      #expect(failure?.description.contains("cannot write \(file.path)") == true)
      #expect(file.read(.newer, limit: 10) == content("2"))
      #expect(file.read(.older, limit: 10) == content("1"))
      #expect(try names(in: folder) == ["lock", "values.json", "values.previous.json"])
    }
  }

  @Test func `a file that was not read here is set aside, not overwritten`() throws {
    let folder = try TemporaryFolder()
    var file = try openFile(in: folder)
    defer { file.close() }
    try folder.write("somebody's", to: "state/values.json")
    let name = try #require(try file.write(Array("1".utf8)))
    #expect(try folder.read("state/\(name)") == "somebody's")
    _ = try file.write(Array("2".utf8))
    try folder.write("2", to: "state/values.json")
    #expect(try file.write(Array("3".utf8)) != nil, "the same content, but not the same file")
    #expect(file.read(.newer, limit: 10) == content("3"))
  }

  @Test func `what was read may be replaced`() throws {
    let folder = try TemporaryFolder()
    var file = try openFile(in: folder)
    defer { file.close() }
    try folder.write("1", to: "state/values.json")
    #expect(file.read(.newer, limit: 10) == content("1"))
    #expect(try file.write(Array("2".utf8)) == nil)
    #expect(file.read(.older, limit: 10) == content("1"))
  }

  @Test(arguments: TemporaryFolder.Kind.all)
  func `what is no file is not read, and is set aside`(kind: TemporaryFolder.Kind) throws {
    let folder = try TemporaryFolder()
    try folder.write("precious", to: "target")
    var file = try openFile(in: folder)
    defer { file.close() }
    for name in ["values.json", "values.previous.json"] { try folder.make(kind, at: "state/\(name)") }
    guard case .unusable(let failure) = file.read(.newer, limit: 10) else {
      Issue.record("it was read")
      return
    }
    #expect(failure.description.contains("not a file"))
    #expect(try file.write(Array("1".utf8)) != nil)
    #expect(try file.write(Array("2".utf8)) == nil)
    #expect(file.read(.older, limit: 10) == content("1"))
    #expect(try names(in: folder).count == 5)
    #expect(try folder.read("target") == "precious")
  }

  @Test func `files that were set aside are few`() throws {
    let folder = try TemporaryFolder()
    var file = try openFile(in: folder)
    defer { file.close() }
    for number in 0..<9 {
      try folder.write("\(number)", to: "state/values.json")
      try file.setAside(.newer)
    }
    let kept = try names(in: folder).filter { $0.hasPrefix("values.json.") }
    #expect(try kept.map { try folder.read("state/\($0)") } == ["4", "5", "6", "7", "8"])
  }

  @Test func `only one process has the directory`() throws {
    let folder = try TemporaryFolder()
    var first = try openFile(in: folder)
    var second = StateFile("values.json", in: first.directory)
    defer { second.close() }
    #expect(throws: LockFailure.held(path: first.directory.appending("lock"), by: getpid())) {
      try second.open()
    }
    #expect(throws: LockFailure.self) { _ = try second.write([1]) }
    first.close()
    try second.open()
  }

  @Test func `a directory that is replaced is left, and the one in its place is used`() throws {
    let folder = try TemporaryFolder()
    var file = try openFile(in: folder)
    defer { file.close() }
    _ = try file.write([1])
    try folder.rename("state", to: "old")
    _ = try file.write([2])
    #expect(try names(in: folder) == ["lock", "values.json"])
    #expect(file.read(.newer, limit: 10) == .content([2], problem: nil))
  }

  @Test func `a lock that is removed is taken again, unless another has it by then`() throws {
    let folder = try TemporaryFolder()
    var file = try openFile(in: folder)
    defer { file.close() }
    folder.remove("state/lock")
    _ = try file.write([1])
    #expect(try names(in: folder) == ["lock", "values.json"])
    folder.remove("state/lock")
    var other = try openFile(in: folder)
    #expect(throws: LockFailure.self) { _ = try file.write([2]) }
    other.close()
    _ = try file.write([2])
  }

  @Test func `a directory that cannot be made is named`() throws {
    let folder = try TemporaryFolder()
    try folder.write("", to: "state")
    var file = StateFile("values.json", in: FilePath("\(folder.path)/state/deeper"))
    let failure = #expect(throws: LockFailure.self) { try file.open() }
    #expect(failure?.description == "cannot use \(folder.path)/state: Not a directory")
  }
}

@Suite struct LockFileTests {
  @Test func `a lock is held by one, and its file goes with it`() throws {
    let folder = try TemporaryFolder()
    let path = FilePath("\(folder.path)/lock")
    do {
      let lock = try LockFile(path)
      let isInPlace = lock.isInPlace
      #expect(isInPlace)
      #expect(throws: LockFailure.held(path: path, by: getpid())) { _ = try LockFile(path) }
      #expect(try folder.read("lock") == "\(getpid())\n")
    }
    #expect(!folder.contains("lock"))
    _ = try LockFile(path)
  }

  @Test(arguments: TemporaryFolder.Kind.all)
  func `what is no file is not locked`(kind: TemporaryFolder.Kind) throws {
    let folder = try TemporaryFolder()
    try folder.write("precious", to: "target")
    try folder.make(kind, at: "lock")
    #expect(throws: LockFailure.self) { _ = try LockFile(FilePath("\(folder.path)/lock")) }
    #expect(try folder.read("target") == "precious")
    #expect(folder.identity(of: "lock") != nil)
  }

  @Test func `nothing is written into a file that has another name`() throws {
    let folder = try TemporaryFolder()
    try folder.write("precious", to: "target")
    try #require(unsafe link("\(folder.path)/target", "\(folder.path)/lock") == 0)
    _ = try LockFile(FilePath("\(folder.path)/lock"))
    #expect(try folder.read("target") == "precious")
  }
}
