internal import ArgumentParser
internal import SystemPackage

/// The file that a recording is written to, or the standard output. Each piece is one write.
struct RecordingOutput {
  private let file: FileDescriptor
  private let name: String

  private static let standardOutput = "<stdout>"

  /// `-` is the standard output. A file that exists is an error unless `replaces`. Only the user can read a new one.
  init(_ path: String, replaces: Bool) throws(CommandFailure) {
    name = path == "-" ? Self.standardOutput : path
    guard path != "-" else {
      file = .standardOutput
      return
    }
    let other: FileDescriptor.OpenOptions = replaces ? [.truncate] : [.exclusiveCreate]
    do {
      file = try FileDescriptor.open(
        FilePath(path), .writeOnly, options: other.union([.create, .closeOnExec]),
        permissions: .ownerReadWrite)
    } catch {
      let isThere = (error as? Errno) == .fileExists
      throw CommandFailure(
        isThere
          ? "\(path) exists already; --force replaces it" : "cannot create \(path): \(error)")
    }
  }

  /// A closed reader of the standard output (`| head`) ends the program with success.
  func write(_ lines: [String]) throws {
    guard !lines.isEmpty else { return }
    do {
      try file.writeAll(lines.map { $0 + "\n" }.joined().utf8)
    } catch {
      if name == Self.standardOutput, (error as? Errno) == .brokenPipe { throw ExitCode.success }
      throw CommandFailure("cannot write \(name): \(error)")
    }
  }
}
