internal import CLinux
internal import Glibc
internal import StepperCore
import StepperText

/// The listening sockets that the service manager opened for this process, as in sd_listen_fds(3).
package struct ListenDescriptors {
  /// The first one; 0, 1 and 2 are the standard streams.
  package static let firstDescriptor: CInt = 3

  /// What `$LISTEN_PID` (for whom), `$LISTEN_FDS` (how many) and `$LISTEN_FDNAMES` (separated by colons) say; nil if
  /// there is nothing for this process.
  package init?(
    processID: String?, count: String?, names: String?, ownProcessID: Int32, first: CInt = firstDescriptor
  ) {
    guard let processID, Int32(processID) == ownProcessID,
      let count = count.flatMap({ CInt($0) }), (1...Self.limit).contains(count)
    else { return nil }
    let names = names?.split(separator: ":", omittingEmptySubsequences: false).map { String($0) } ?? []
    let range = first..<(first + count)
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
  /// What the socket unit of the daemon calls its socket.
  package static let preferredName = "varlink"

  package let descriptors: [Descriptor]

  /// Takes over what was passed to this process, once: the variables are removed, so that neither a second call nor a
  /// child process mistakes them for its own.
  ///
  /// Only Unix stream sockets that listen are taken; they do not block, and are closed on `exec`. The one named
  /// ``preferredName`` comes first. Whatever else is there stays as it is, and `warn` is told: the environment says what
  /// anybody wrote into it, and the number may be that of a file of our own.
  package static func take(
    from first: CInt = firstDescriptor, warn: (_ problem: String) -> Void = { _ in }
  ) -> [Descriptor] {
    let names = ["LISTEN_PID", "LISTEN_FDS", "LISTEN_FDNAMES"]
    let values = names.map { environmentVariable($0) }
    for name in names { unsafe unsetenv(name) }
    let listen = Self(
      processID: values[0], count: values[1], names: values[2], ownProcessID: getpid(), first: first)
    if listen == nil, let processID = values[0], Int32(processID) == getpid(), values[1] != "0" {
      let found = values[1].map { "'\($0.onOneLine(limit: 40))'" } ?? "nothing"
      warn("no sockets are taken over: LISTEN_FDS is no number from 1 to \(limit), found \(found)")
    }
    let usable = (listen?.descriptors ?? []).filter { descriptor in
      guard let problem = adopt(descriptor.rawValue) else { return true }
      let name = descriptor.name.onOneLine(limit: 100)
      warn("the inherited descriptor \(descriptor.rawValue) ('\(name)') \(problem) and is left alone")
      return false
    }
    return usable.filter { $0.name == preferredName } + usable.filter { $0.name != preferredName }
  }

  /// Makes `descriptor` ready for use; why it cannot be used, if it cannot.
  private static func adopt(_ descriptor: CInt) -> String? {
    guard fcntl(descriptor, F_GETFD) >= 0 else { return "is not open" }
    guard option(SO_DOMAIN, of: descriptor) == AF_UNIX,
      option(SO_TYPE, of: descriptor) == CInt(SOCK_STREAM.rawValue),
      option(SO_ACCEPTCONN, of: descriptor) == 1
    else { return "is no Unix stream socket that listens" }
    // A connection may be gone again before it is accepted, and the loop must not wait for the next.
    let flags = fcntl(descriptor, F_GETFL)
    guard flags >= 0, fcntl(descriptor, F_SETFL, flags | O_NONBLOCK) == 0,
      fcntl(descriptor, F_SETFD, FD_CLOEXEC) == 0
    else { return "cannot be made ready" }
    return nil
  }

  private static func option(_ name: CInt, of descriptor: CInt) -> CInt? {
    var value: CInt = 0
    var length = socklen_t(MemoryLayout<CInt>.size)
    return unsafe getsockopt(descriptor, SOL_SOCKET, name, &value, &length) == 0 ? value : nil
  }
}
