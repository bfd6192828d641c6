internal import ArgumentParser
internal import Glibc
internal import StepperLinux
internal import SystemPackage

/// The file, or the standard output, to which a recording is written. Each piece is one write.
struct RecordingOutput {
  private let file: FileDescriptor
  private let name: String

  private static let standardOutput = "<stdout>"

  /// `-` is the standard output. An existing file is an error unless `replaces` is true. Only the user can read the new
  /// file, even if others could read the one that it replaces. With `replaces`, a FIFO or a device is written to.
  init(_ path: String, replaces: Bool) throws(CommandFailure) {
    name = path == "-" ? Self.standardOutput : path.isEmpty ? "''" : path
    guard path != "-" else {
      file = .standardOutput
      return
    }
    if replaces, InputFile(path).isNamedFIFO { Output.error("waiting for a program that reads \(name)") }
    do {
      if replaces, let status = stat(at: path), status.st_mode & S_IFMT != S_IFREG {
        file = try FileDescriptor.open(FilePath(path), .writeOnly, options: .closeOnExec)
      } else {
        let former = replaces ? try ReplacedFile(FilePath(path)) : nil
        file = try former.map(Self.replacing) ?? Self.created(FilePath(path))
      }
    } catch {
      if let status = stat(at: path), FileKind(status) == .directory {
        throw CommandFailure("cannot create \(name): it is a directory; name a file in it")
      }
      let isThere = (error as? Errno) == .fileExists
      throw CommandFailure(
        isThere
          ? "\(name) exists already; --force replaces it" : "cannot create \(name): \(error)")
    }
  }

  private static func created(_ path: FilePath) throws -> FileDescriptor {
    try FileDescriptor.open(
      path, .writeOnly, options: [.create, .exclusiveCreate, .closeOnExec], permissions: .ownerReadWrite)
  }

  /// An empty file in the place of `former`, which is unchanged if this throws.
  private static func replacing(_ former: ReplacedFile) throws -> FileDescriptor {
    let new = FilePath("\(former.path).\(getpid())")
    let file = try created(new)
    guard unsafe rename(new.string, former.path.string) == 0 else {
      let error = Errno(rawValue: errno)
      _ = unsafe unlink(new.string)
      throw error
    }
    return file
  }

  /// Writes lines. If the reader of the standard output has closed it (`| head`), the program ends with success.
  func write(_ lines: [String]) throws {
    guard !lines.isEmpty else { return }
    let bytes = Array(lines.map { $0 + "\n" }.joined().utf8)
    // The standard output is never cut, because it is not a file of this program's own.
    let start = name == Self.standardOutput ? nil : try? file.seek(offset: 0, from: .current)
    do {
      try file.writeAll(bytes)
    } catch {
      if let start { keepWholeLines(of: bytes, from: start) }
      if name == Self.standardOutput, (error as? Errno) == .brokenPipe { throw ExitCode.success }
      throw CommandFailure("cannot write \(name): \(error)")
    }
  }

  /// Cuts the file after the last line that was written completely, after a write of `bytes` at `start` has failed.
  private func keepWholeLines(of bytes: [UInt8], from start: Int64) {
    // If this fails, `stepperctl replay` leaves out the incomplete line.
    guard let end = try? file.seek(offset: 0, from: .current) else { return }
    let whole = bytes.prefix(Int(end - start)).lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
    // As above.
    try? file.resize(to: start + Int64(whole))
  }
}
