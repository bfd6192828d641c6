internal import StepperLinux
internal import SystemPackage

/// Whether a program listens at a Unix socket. The connection is closed without a call.
enum SocketProbe {
  /// The reason why a socket cannot be used; nil: it can.
  static func answer(at path: String) -> DaemonFacts.Contact? {
    do throws(Errno) {
      _ = try connectUnixSocket(path)
      return nil
    } catch {
      return switch error {
      case .noSuchFileOrDirectory, .notDirectory: .noSocket
      case .connectionRefused, .notSocket: .stale
      case .permissionDenied, .notPermitted: .forbidden
      // Its queue of connections is full.
      case .resourceTemporarilyUnavailable: .silent
      case .fileNameTooLong: .failed("the path is too long for a socket")
      default: .failed("connecting fails: \(error)")
      }
    }
  }
}
