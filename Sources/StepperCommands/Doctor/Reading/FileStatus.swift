internal import Glibc
internal import StepperLinux
internal import StepperCore

/// Owner, mode and time of a file.
struct FileStatus: Hashable, Sendable {
  var kind: FileKind
  /// The permission bits.
  var mode: UInt32
  var owner: UInt32
  var group: UInt32
  /// Seconds since 1970.
  var modified: Int64 = 0
  /// The entries of the file's access control list beyond the mode; empty if there is no list.
  var entries: [AccessEntry] = []
}

extension FileStatus {
  init?(_ path: String) {
    guard let status = stat(at: path) else { return nil }
    kind = FileKind(status)
    mode = status.st_mode & 0o7777
    owner = status.st_uid
    group = status.st_gid
    modified = Int64(status.st_mtim.tv_sec)
    entries = AccessEntry.list(extendedAttribute("system.posix_acl_access", of: path) ?? [])
  }

  /// `0660`.
  var octalMode: String { mode.digits(4, radix: 8) }

  /// Whether a process has all permissions in `wanted`, by the rules of acl(5).
  func permits(_ wanted: Permissions, to process: Identity) -> Bool {
    if process.user == 0 { return wanted != .execute || kind == .directory || mode & 0o111 != 0 }
    return granted(to: process).isSuperset(of: wanted)
  }

  private func granted(to process: Identity) -> Permissions {
    let bits = mode & 0o777
    if process.user == owner { return Permissions(rawValue: bits >> 6) }
    // If there is a list, the group bits of the mode are the mask for all entries except the owner's and the others'.
    let mask = entries.isEmpty ? Permissions.all : Permissions(rawValue: bits >> 3 & 7)
    if let named = entries.first(where: { $0.kind == .user(process.user) }) {
      return named.permissions.intersection(mask)
    }
    // Without a list, the mode has the permissions of the owning group.
    let owningGroup = AccessEntry(.owningGroup, Permissions(rawValue: bits >> 3 & 7))
    let groups = (entries.isEmpty ? [owningGroup] : entries).filter { entry in
      switch entry.kind {
      case .user: false
      case .group(let group): process.groups.contains(group)
      case .owningGroup: process.groups.contains(group)
      }
    }
    guard !groups.isEmpty else { return Permissions(rawValue: bits & 7) }
    return groups.reduce(Permissions()) { $0.union($1.permissions.intersection(mask)) }
  }
}

/// Permissions in the form of one octal digit of a mode.
struct Permissions: OptionSet, Hashable, Sendable {
  let rawValue: UInt32
  init(rawValue: UInt32) { self.rawValue = rawValue }

  static let execute = Permissions(rawValue: 1)
  static let write = Permissions(rawValue: 2)
  static let read = Permissions(rawValue: 4)
  static let all: Permissions = [.read, .write, .execute]
}

/// The user and the groups of a process.
struct Identity: Hashable, Sendable {
  var user: UInt32
  var groups: Set<UInt32>
}

/// An entry of an access control list, acl(5).
struct AccessEntry: Hashable, Sendable {
  enum Kind: Hashable, Sendable {
    case user(UInt32)
    case group(UInt32)
    case owningGroup
  }

  var kind: Kind
  var permissions: Permissions

  init(_ kind: Kind, _ permissions: Permissions) { (self.kind, self.permissions) = (kind, permissions) }

  /// The entries in the value of `system.posix_acl_access`: a version, then tag, permissions and number of each, in little-endian
  /// order (include/uapi/linux/posix_acl_xattr.h). Those of owner, mask and others are left out, because the mode has them.
  static func list(_ value: [UInt8]) -> [AccessEntry] {
    guard value.count >= 4, number(value, 0, 4) == 2 else { return [] }
    return stride(from: 4, through: value.count - 8, by: 8).compactMap { place in
      let permissions = Permissions(rawValue: number(value, place + 2, 2) & 7)
      let identifier = number(value, place + 4, 4)
      return switch number(value, place, 2) {
      case 0x02: AccessEntry(.user(identifier), permissions)
      case 0x04: AccessEntry(.owningGroup, permissions)
      case 0x08: AccessEntry(.group(identifier), permissions)
      default: nil
      }
    }
  }

  private static func number(_ bytes: [UInt8], _ place: Int, _ count: Int) -> UInt32 {
    bytes[place..<place + count].reversed().reduce(0) { $0 << 8 | UInt32($1) }
  }
}
