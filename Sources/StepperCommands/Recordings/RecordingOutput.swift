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
    let bytes = Array(lines.map { $0 + "\n" }.joined().utf8)
    // Not of the standard output, which is no file of its own.
    let start = name == Self.standardOutput ? nil : try? file.seek(offset: 0, from: .current)
    do {
      try file.writeAll(bytes)
    } catch {
      if let start { keepWholeLines(of: bytes, from: start) }
      if name == Self.standardOutput, (error as? Errno) == .brokenPipe { throw ExitCode.success }
      throw CommandFailure("cannot write \(name): \(error)")
    }
  }

  /// Cuts the file behind the last line that was written as a whole, after a write of `bytes` at `start` has failed.
  private func keepWholeLines(of bytes: [UInt8], from start: Int64) {
    // A line that stays cut is left out by `stepperctl replay`.
    guard let end = try? file.seek(offset: 0, from: .current) else { return }
    let whole = bytes.prefix(Int(end - start)).lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
    // As above.
    try? file.resize(to: start + Int64(whole))
  }
}
