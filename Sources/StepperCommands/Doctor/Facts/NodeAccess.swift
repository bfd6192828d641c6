internal import StepperCore

/// The node of a device that a table takes, and whether the daemon may open it.
struct NodeAccess {
  let subject: String
  let input: InputFacts
  let status: FileStatus
  /// The name of the daemon's user.
  let user: String
  let isRoot: Bool
  /// Whether the daemon may read and write it.
  let isPermitted: Bool
  /// `root:input (0660, also user alice rw)`.
  let owner: String
  /// Whether udev has marked it for stepperd; the daemon of a user takes what it may open.
  let isGiven: Bool

  /// Empty if the daemon's user is unknown.
  static func all(_ facts: Facts) -> [NodeAccess] {
    guard let identity = facts.daemonIdentity, let user = facts.daemonUser else { return [] }
    return Assignment(facts).used.compactMap { use in
      use.input.node.map { node in
        let owner = "\(facts.accounts.userName(node.owner)):\(facts.accounts.groupName(node.group))"
        return NodeAccess(
          subject: use.subject, input: use.input, status: node, user: user.name, isRoot: user.number == 0,
          isPermitted: node.permits([.read, .write], to: identity),
          owner: "\(owner) (\(node.octalMode)\(entries(node, facts.accounts)))",
          isGiven: !facts.isSystem || use.input.identity.properties["STEPPERD_DEVICE"] == "1")
      }
    }
  }

  /// `, also user alice rw`.
  private static func entries(_ node: FileStatus, _ accounts: Accounts) -> String {
    let entries = node.entries.compactMap { entry -> String? in
      let permissions =
        (entry.permissions.contains(.read) ? "r" : "-") + (entry.permissions.contains(.write) ? "w" : "-")
      return switch entry.kind {
      case .user(let number): "user \(accounts.userName(number)) \(permissions)"
      case .group(let number): "group \(accounts.groupName(number)) \(permissions)"
      case .owningGroup: nil
      }
    }
    return entries.isEmpty ? "" : ", also \(entries.joined(separator: ", "))"
  }
}
