/// The reason why listening at a path failed.
package enum ListenFailure: Error, Hashable, Sendable, CustomStringConvertible {
  /// Another process listens at the path, or is about to; `by` is its process ID, if known.
  case inUse(path: String, by: Int32?)
  /// The file at the path is not a socket; it is left unchanged.
  case occupied(path: String, by: FileKind)
  /// No path was given, and the user has no directory for one.
  case noPath
  /// The path has more bytes than fit into the address of a socket.
  case tooLong(path: String)
  case failed(FileFailure)

  /// The longest path of a socket, in bytes; its address also holds a final NUL.
  package static let longestPath = 107

  package var description: String {
    switch self {
    case .inUse(let path, let process):
      "\(process.map { "process \($0)" } ?? "another process") listens at \(path)"
    case .occupied(let path, let kind): "there is \(kind) at \(path), not a socket"
    case .noPath:
      "XDG_RUNTIME_DIR, the directory for the socket of a user's daemon, is not set to an absolute path"
    case .tooLong(let path):
      "the path \(path) has \(path.utf8.count) bytes; the path of a socket has at most \(Self.longestPath)"
    case .failed(let failure): "\(failure)"
    }
  }
}

extension ListenFailure {
  package init(_ failure: LockFailure, at path: String) {
    switch failure {
    case .held(_, let process): self = .inUse(path: path, by: process)
    case .failed(let failure): self = .failed(failure)
    }
  }
}
