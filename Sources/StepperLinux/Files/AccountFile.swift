internal import Glibc
internal import SystemPackage
internal import Varlink

/// The users or the groups of `/etc/passwd` and `/etc/group`. Name services are not used, because they may block on
/// the network.
package struct AccountFile: Hashable, Sendable {
  package static let users = AccountFile(path: "/etc/passwd")
  package static let groups = AccountFile(path: "/etc/group")

  private let path: String

  /// Only this many bytes are read, because the name is only used in messages.
  private static let limit = 64 << 10

  package init(path: String) { self.path = path }

  /// The name of the user or group `identifier`; its number if the file does not have it or cannot be read.
  package func name(of identifier: UInt32) -> String {
    let number = Array("\(identifier)".utf8)
    for line in beginning.split(separator: UInt8(ascii: "\n")) {
      let fields = line.split(separator: UInt8(ascii: ":"), maxSplits: 3, omittingEmptySubsequences: false)
      guard fields.count > 2, fields[2].elementsEqual(number), !fields[0].isEmpty else { continue }
      return OutsideText.shown(fields[0])
    }
    return "\(identifier)"
  }

  private var beginning: [UInt8] {
    let result = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
    guard result >= 0 else { return [] }
    let file = OwnedFileDescriptor(owning: result)
    return unsafe [UInt8](unsafeUninitializedCapacity: Self.limit) { buffer, count in
      count = unsafe max(0, read(file.rawValue, buffer.baseAddress, buffer.count))
    }
  }
}
