internal import CLinux
internal import Glibc
internal import StepperCore
import StepperText

/// The listening sockets that the service manager opened for this process, as in sd_listen_fds(3).
package struct ListenDescriptors {
  /// The first number; 0, 1 and 2 are the standard streams.
  package static let firstDescriptor: CInt = 3

  /// Takes the content of `$LISTEN_PID` (the process), `$LISTEN_FDS` (the number) and `$LISTEN_FDNAMES` (names
  /// separated by colons); nil if they are for another process.
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

  /// One inherited descriptor, without an owner yet.
  package struct Descriptor: Hashable, Sendable {
    package var rawValue: CInt
    /// `FileDescriptorName=` of the socket unit; "unknown" without it.
    package var name: String
  }

  /// A larger number of descriptors is treated as an error.
  package static let limit: CInt = 64
  /// The name of the daemon's socket in the socket unit.
  package static let preferredName = "varlink"

  package let descriptors: [Descriptor]

  /// Takes the descriptors that were passed to this process, once: the variables are removed, so that neither a
  /// second call nor a child process uses them.
  ///
  /// Only listening stream sockets of `families` are used, by default Unix sockets; they are made non-blocking and
  /// closed on `exec`. The socket named ``preferredName`` comes first. Other descriptors remain unchanged and are
  /// reported to `warn`: the environment is untrusted, and a number may belong to another file of this process.
  package static func take(
    from first: CInt = firstDescriptor, families: [CInt] = [AF_UNIX],
    warn: (_ problem: String) -> Void = { _ in }
  ) -> [Descriptor] {
    let values = takeVariables(["LISTEN_PID", "LISTEN_FDS", "LISTEN_FDNAMES"])
    let listen = Self(
      processID: values[0], count: values[1], names: values[2], ownProcessID: getpid(), first: first)
    if listen == nil, let processID = values[0], Int32(processID) == getpid(), values[1] != "0" {
      let found = values[1].map { "'\($0.onOneLine(limit: 40))'" } ?? "nothing"
      warn("no sockets are taken over: LISTEN_FDS is not a number from 1 to \(limit), found \(found)")
    }
    let usable = (listen?.descriptors ?? []).filter { descriptor in
      guard let problem = adopt(descriptor.rawValue, families) else { return true }
      let name = descriptor.name.onOneLine(limit: 100)
      warn("the inherited descriptor \(descriptor.rawValue) ('\(name)') \(problem) and is ignored")
      return false
    }
    return usable.filter { $0.name == preferredName } + usable.filter { $0.name != preferredName }
  }

  /// Prepares `descriptor` for use; returns the reason if it cannot be used.
  private static func adopt(_ descriptor: CInt, _ families: [CInt]) -> String? {
    guard fcntl(descriptor, F_GETFD) >= 0 else { return "is not open" }
    guard let family = family(of: descriptor), families.contains(family),
      option(SO_TYPE, of: descriptor) == CInt(SOCK_STREAM.rawValue),
      option(SO_ACCEPTCONN, of: descriptor) == 1
    else { return "is not a listening \(families == [AF_UNIX] ? "Unix " : "")stream socket" }
    // A connection may be closed before it is accepted, and the loop must not block on the next one.
    let flags = fcntl(descriptor, F_GETFL)
    guard flags >= 0, fcntl(descriptor, F_SETFL, flags | O_NONBLOCK) == 0,
      fcntl(descriptor, F_SETFD, FD_CLOEXEC) == 0
    else { return "cannot be made ready" }
    return nil
  }

  /// `AF_UNIX`, `AF_INET` and so on; nil if the descriptor is not a socket.
  package static func family(of descriptor: CInt) -> CInt? { option(SO_DOMAIN, of: descriptor) }

  private static func option(_ name: CInt, of descriptor: CInt) -> CInt? {
    var value: CInt = 0
    var length = socklen_t(MemoryLayout<CInt>.size)
    return unsafe getsockopt(descriptor, SOL_SOCKET, name, &value, &length) == 0 ? value : nil
  }
}
