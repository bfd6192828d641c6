import StepperConfiguration
import StepperLinux

/// The users who were refused something that they may not be permitted yet, each with one detail.
struct RefusedUsers<Detail> {
  private var details: [UInt32: Detail] = [:]
  /// The number of changes.
  private(set) var revision = 0

  /// Maximum number of users: a longer list of problems would be of no use.
  private static var most: Int { 8 }

  /// Adds a user. Returns whether the user was added.
  @discardableResult
  mutating func note(_ user: UInt32, _ detail: @autoclosure () -> Detail) -> Bool {
    guard details[user] == nil, details.count < Self.most else { return false }
    details[user] = detail()
    revision += 1
    return true
  }

  /// Removes the users for whom the refusal may no longer hold.
  mutating func removeAll(where isGone: (UInt32, Detail) -> Bool) {
    guard !details.isEmpty else { return }
    let former = details.count
    details = details.filter { !isGone($0.key, $0.value) }
    if details.count != former { revision += 1 }
  }

  /// The users in the order of their numbers.
  var all: [(user: UInt32, detail: Detail)] {
    details.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }
}

/// Users who had a connection refused and whose next connection would be refused too.
extension RefusedUsers<ConnectionSlots.Rank> {
  /// Removes the users who may connect again. Call it when connections have ended.
  mutating func admit(with slots: ConnectionSlots) { removeAll { slots.admits($0, $1) } }

  /// A sentence for each of these users.
  func problems(_ slots: ConnectionSlots) -> [String] {
    all.map { user, _ in
      let open = slots.count(of: user)
      let all = open < slots.limits.connectionsPerUser ? ", and \(slots.total) of all users" : ""
      return "connections of user \(user) are refused: \(open) of this user are open\(all)"
    }
  }
}

/// Users who tried to attach devices without the right to do so, since the last change of the configuration, with a sentence
/// for people.
extension RefusedUsers<String> {
  /// Returns a sentence about a user who was not refused before.
  mutating func note(_ user: UInt32, _ providers: [DaemonSettings.Account]) -> String? {
    note(user, Self.problem(of: user, providers)) ? details[user] : nil
  }

  private static func problem(of user: UInt32, _ providers: [DaemonSettings.Account]) -> String {
    let name = AccountFile.users.name(of: user)
    // The account may have been created after the configuration was read.
    let remedy =
      providers.contains(DaemonSettings.Account(.user, name))
      ? "run: stepperctl reload" : "add \"user:\(name)\" to \"providers\" in [daemon]"
    return "user \(name) may not attach devices; \(remedy)"
  }
}
