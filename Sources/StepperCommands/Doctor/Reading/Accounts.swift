/// The users and groups of `/etc/passwd` and `/etc/group`. Name services are not used, because they may block on the network.
struct Accounts: Hashable, Sendable {
  struct User: Hashable, Sendable {
    var name: String
    var number: UInt32
    /// The number of the primary group.
    var group: UInt32
  }

  struct Group: Hashable, Sendable {
    var name: String
    var number: UInt32
    var members: [String]
  }

  var users: [User]
  var groups: [Group]
}

extension Accounts {
  init(_ root: SystemRoot) {
    users = Self.records(root, "/etc/passwd").compactMap { name, number, fields in
      UInt32(fields[0]).map { User(name: name, number: number, group: $0) }
    }
    groups = Self.records(root, "/etc/group").map { name, number, fields in
      Group(name: name, number: number, members: fields[0].split(separator: ",").map(String.init))
    }
  }

  /// The name, the number and the remaining fields of each line. There is at least one remaining field.
  private static func records(_ root: SystemRoot, _ file: String) -> [(String, UInt32, [Substring])] {
    root.lines(file).compactMap { line in
      let fields = line.split(separator: ":", omittingEmptySubsequences: false)
      guard fields.count > 3, let number = UInt32(fields[2]) else { return nil }
      return (String(fields[0]), number, Array(fields[3...]))
    }
  }

  func user(_ number: UInt32) -> User? { users.first { $0.number == number } }
  func user(named name: String) -> User? {
    users.first { $0.name == name } ?? UInt32(name).flatMap(user)
  }
  func group(_ number: UInt32) -> Group? { groups.first { $0.number == number } }
  func group(named name: String) -> Group? {
    groups.first { $0.name == name } ?? UInt32(name).flatMap(group)
  }

  /// The name of a user, or its number if it has none.
  func userName(_ number: UInt32) -> String { user(number)?.name ?? "\(number)" }
  /// The name of a group, or its number if it has none.
  func groupName(_ number: UInt32) -> String { group(number)?.name ?? "\(number)" }

  /// The identity of a new process of a user, with the supplementary groups of its unit.
  func identity(of user: User, supplementary: [String] = []) -> Identity {
    let member = groups.filter { $0.members.contains(user.name) }.map(\.number)
    return Identity(
      user: user.number,
      groups: Set([user.group] + member + supplementary.compactMap { group(named: $0)?.number }))
  }
}
