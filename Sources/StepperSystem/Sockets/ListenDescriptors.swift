internal import Glibc

/// The listening sockets that the service manager opened for this process, as in sd_listen_fds(3).
package struct ListenDescriptors {
  /// The first one; 0, 1 and 2 are the standard streams.
  private static let first: CInt = 3

  /// What `$LISTEN_PID` (for whom), `$LISTEN_FDS` (how many) and `$LISTEN_FDNAMES` (separated by colons) say; nil if
  /// there is nothing for this process.
  package init?(processID: String?, count: String?, names: String?, ownProcessID: Int32) {
    guard let processID, Int32(processID) == ownProcessID,
      let count = count.flatMap({ CInt($0) }), (1...Self.limit).contains(count)
    else { return nil }
    let names = names?.split(separator: ":", omittingEmptySubsequences: false).map { String($0) } ?? []
    let range = Self.first..<(Self.first + count)
    descriptors = range.enumerated().map { index, descriptor in
      Descriptor(rawValue: descriptor, name: index < names.count ? names[index] : "unknown")
    }
  }

  /// One inherited descriptor. Nobody owns it yet.
  package struct Descriptor: Hashable, Sendable {
    package var rawValue: CInt
    /// `FileDescriptorName=` of the socket unit, "unknown" if there is none.
    package var name: String
  }

  /// More than this is a mistake.
  package static let limit: CInt = 64

  package let descriptors: [Descriptor]

  /// Takes over what was passed to this process, once: the variables are removed, so that neither a second call nor a
  /// child process mistakes them for its own, and the descriptors are closed on `exec`.
  package static func take() -> [Descriptor] {
    let listen = Self(
      processID: environmentVariable("LISTEN_PID"), count: environmentVariable("LISTEN_FDS"),
      names: environmentVariable("LISTEN_FDNAMES"), ownProcessID: getpid())
    for name in ["LISTEN_PID", "LISTEN_FDS", "LISTEN_FDNAMES"] { unsafe unsetenv(name) }
    // One that is not open is a lie of the environment and left out.
    return (listen?.descriptors ?? []).filter { fcntl($0.rawValue, F_SETFD, FD_CLOEXEC) == 0 }
  }
}
