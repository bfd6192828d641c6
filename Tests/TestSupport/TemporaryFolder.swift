import FoundationEssentials

/// A folder of its own, removed with everything in it at the end.
package final class TemporaryFolder: Sendable {
  package let path: String

  package init() throws {
    // Short, because the path of a socket has 107 bytes at most.
    path = "/tmp/stepperd-\(UInt32.random(in: 0...UInt32.max))"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
  }

  deinit {
    // What cannot be removed is left to the machine's own tidying.
    try? FileManager.default.removeItem(atPath: path)
  }

  package func write(_ text: String, to name: String) throws {
    try text.write(toFile: "\(path)/\(name)", atomically: true, encoding: .utf8)
  }

  /// Writes with folders on the way to it.
  package func writeBelow(_ text: String, to name: String) throws {
    let folder = "\(path)/\(name)".split(separator: "/").dropLast().reduce("") { "\($0)/\($1)" }
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try write(text, to: name)
  }

  package func read(_ name: String) throws -> String {
    try String(contentsOfFile: "\(path)/\(name)", encoding: .utf8)
  }

  package func contains(_ name: String) -> Bool { FileManager.default.fileExists(atPath: "\(path)/\(name)") }
}

extension TemporaryFolder {
  /// Where a file of this repository is.
  package static func path(ofSource path: String) -> String {
    #filePath.split(separator: "/").dropLast(3).reduce("") { "\($0)/\($1)" } + "/\(path)"
  }

  /// The text of a file of this repository.
  package static func contents(ofSource path: String) throws -> String {
    try String(contentsOfFile: Self.path(ofSource: path), encoding: .utf8)
  }
}

/// The version in product.conf, which every program must answer.
package let productVersion: String = {
  // Without the file no test that compares with it can pass.
  let lines = (try? TemporaryFolder.contents(ofSource: "product.conf"))?.split(separator: "\n") ?? []
  return lines.first { $0.hasPrefix("VERSION=") }.map { String($0.dropFirst("VERSION=".count)) } ?? ""
}()

/// A program of this package, beside the test bundle.
package func builtProgram(_ name: String) -> String {
  let folder = CommandLine.arguments[0].split(separator: "/").dropLast().reduce("") { "\($0)/\($1)" }
  return "\(folder)/\(name)"
}
