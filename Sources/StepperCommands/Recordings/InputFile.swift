internal import SystemPackage

/// A file that is read in pieces, or the standard input.
struct InputFile {
  /// For messages.
  let name: String
  private let path: String

  /// `-` is the standard input.
  init(_ path: String) {
    self.path = path
    name = path == "-" ? "<stdin>" : path
  }

  /// Calls `body` with each piece until the end, or until it returns false.
  func read(_ body: ([UInt8]) throws(CommandFailure) -> Bool) throws(CommandFailure) {
    do {
      let file =
        path == "-"
        ? FileDescriptor.standardInput
        : try FileDescriptor.open(FilePath(path), .readOnly, options: .closeOnExec)
      defer {
        // Nothing was written to it.
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
