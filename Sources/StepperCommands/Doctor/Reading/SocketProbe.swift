internal import Glibc
internal import StepperClient
internal import StepperLinux
internal import SystemPackage

/// Whether a program listens at a Unix socket. The connection is closed without a call.
enum SocketProbe {
  /// The reason why a socket cannot be used; nil if it can.
  static func answer(at path: String) -> DaemonFacts.Contact? {
    guard let number = StepperAddress(path).connectionError else { return nil }
    if let kind = stat(at: path).map({ FileKind($0) }), kind != .socket {
      return .failed("it is \(kind), not a socket")
    }
    return switch Errno(rawValue: number) {
    case .noSuchFileOrDirectory, .notDirectory: .noSocket
    case .connectionRefused, .notSocket: .stale
    case .permissionDenied, .notPermitted: .forbidden
    // The socket's queue of connections is full.
    case .resourceTemporarilyUnavailable: .silent
    case .fileNameTooLong: .failed("the path is too long for a socket")
    case let error: .failed("connecting fails: \(error)")
    }
  }
}
