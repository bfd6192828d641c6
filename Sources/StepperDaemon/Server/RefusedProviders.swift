import StepperConfiguration
import StepperLinux

/// The users who were refused to attach devices, until a configuration permits it.
struct RefusedProviders {
  /// More users than a list of problems has use for.
  static let most = 8

  private var users: [UInt32: String] = [:]
  /// The number of changes.
  private(set) var revision = 0

  /// Returns a sentence about a user who was not refused before.
  mutating func note(_ user: UInt32, _ providers: [DaemonSettings.Account]) -> String? {
    guard users[user] == nil, users.count < Self.most else { return nil }
    let name = AccountFile.users.name(of: user)
    // The account may be younger than the configuration.
    let remedy =
      providers.contains(.user(name))
      ? "run: stepperctl reload" : "add \"user:\(name)\" to \"providers\" in [daemon]"
    users[user] = "user \(name) may not attach devices; \(remedy)"
    revision += 1
    return users[user]
  }

  /// Another configuration is in force.
  mutating func forgetAll() {
    guard !users.isEmpty else { return }
    users = [:]
    revision += 1
  }

  /// Sentences for people.
  var problems: [String] { users.sorted { $0.key < $1.key }.map(\.value) }
}
