import Glibc
import SystemPackage
import TestSupport
import Testing

@testable import StepperCommands

@Suite struct `The configuration that is changed` {
  private let folder: TemporaryFolder
  private var path: String { "\(folder.path)/stepperd.toml" }

  init() throws {
    folder = try TemporaryFolder()
    try folder.write("# former\n", to: "stepperd.toml")
  }

  private func status(_ path: String) throws -> stat {
    var status = stat()
    guard unsafe stat(path, &status) == 0 else { throw TestFailure("\(path) is missing") }
    return status
  }

  @Test(.enabled(if: geteuid() == 0, "needs root"))
  func `keeps owner and mode, as the copy of the former does`() throws {
    guard unsafe chown(path, 4242, 4343) == 0, unsafe chmod(path, 0o640) == 0 else {
      throw TestFailure("chown")
    }
    let target = try ConfigurationTarget(path: path)
    let backup = try #require(try target.write(Array("# new\n".utf8)))
    for file in [path, backup] {
      let status = try status(file)
      #expect(status.st_uid == 4242 && status.st_gid == 4343 && status.st_mode & 0o7777 == 0o640, "\(file)")
    }
    try target.restore(from: backup)
    #expect(try status(path).st_uid == 4242)
    #expect(try ConfigurationTarget(path: path).bytes == Array("# former\n".utf8))
  }

  @Test func `that cannot be restored says why`() throws {
    let target = try ConfigurationTarget(path: path)
    #expect(throws: Errno.noSuchFileOrDirectory) { try target.restore(from: "\(path).bak") }
  }

  @Test func `may be named from the working directory, and by a link`() throws {
    let here = try #require(unsafe getcwd(nil, 0).map { unsafe String(cString: $0) })
    let up = here.split(separator: "/").map { _ in ".." }.joined(separator: "/")
    let target = try ConfigurationTarget(path: up + path)
    #expect(target.path == "\(here)/\(up)\(path)" && target.obstacle == nil)
    #expect(target.isFile(at: path) && !target.isFile(at: "\(folder.path)/other.toml"))
    #expect(try target.write(Array("# new\n".utf8)) != nil)
    let link = "\(folder.path)/link.toml"
    guard unsafe symlink(path, link) == 0 else { throw TestFailure("symlink") }
    #expect(try ConfigurationTarget(path: link).isFile(at: path))
    let none = try ConfigurationTarget(path: "no-such-file.toml")
    #expect(none.path == "\(here)/no-such-file.toml" && none.bytes == nil)
  }
}
