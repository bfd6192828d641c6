/// The reason why listening at a path failed.
package enum ListenFailure: Error, Hashable, Sendable, CustomStringConvertible {
  /// Another process listens at the path, or is about to; its number, if it is known.
  case inUse(path: String, by: Int32?)
  /// The path is not a socket; the file is unchanged.
  case occupied(path: String, by: FileKind)
  /// The path has more bytes than fit into the address of a socket.
  case tooLong(path: String)
  case failed(FileFailure)

  /// The longest path of a socket, in bytes; its address holds one more, a NUL.
  package static let longestPath = 107

  package var description: String {
    switch self {
    case .inUse(let path, let process):
      "\(process.map { "process \($0)" } ?? "another process") listens at \(path)"
    case .occupied(let path, let kind): "there is \(kind) at \(path), not a socket"
    case .tooLong(let path):
      "the path \(path) has \(path.utf8.count) bytes, and that of a socket at most \(Self.longestPath)"
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
