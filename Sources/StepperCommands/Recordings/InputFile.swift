internal import Glibc
internal import StepperLinux
internal import SystemPackage

/// A file that is read in pieces, or the standard input.
struct InputFile {
  /// For messages.
  let name: String
  private let path: String

  var isStandardInput: Bool { path == "-" }

  /// `-` is the standard input.
  init(_ path: String) {
    self.path = path
    name = path == "-" ? "<stdin>" : path.isEmpty ? "''" : path
  }

  /// Whether this is a named FIFO, which waits for the other side. A shell's `<(command)` does not count.
  var isNamedFIFO: Bool {
    !isStandardInput && !["/dev/fd/", "/proc/self/fd/"].contains(where: path.hasPrefix)
      && stat(at: path).map { FileKind($0) } == .fifo
  }

  /// Calls `body` with each piece until the end, or until it returns false.
  func read(_ body: ([UInt8]) throws(CommandFailure) -> Bool) throws(CommandFailure) {
    if isNamedFIFO { Output.error("waiting for a program that writes to \(name)") }
    do {
      let file =
        path == "-"
        ? FileDescriptor.standardInput
        : try FileDescriptor.open(FilePath(path), .readOnly, options: .closeOnExec)
      defer {
        // Errors do not matter, because nothing was written to the file.
        if path != "-" { try? file.close() }
      }
      var piece = [UInt8](repeating: 0, count: 65_536)
      while case let count = try unsafe piece.withUnsafeMutableBytes({ try unsafe file.read(into: $0) }),
        count > 0
      {
        guard try body(Array(piece[..<count])) else { return }
      }
    } catch let failure as CommandFailure {
      throw failure
    } catch {
      throw CommandFailure("cannot read \(name): \(error)")
    }
  }
}
