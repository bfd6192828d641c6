import Glibc
import StepperConfiguration
import StepperLinux
import Testing

@testable import StepperDaemon

/// Who is an administrator, by scope.
@MainActor @Suite struct AuthorizationTests {
  private static let admins = 4_000_000

  private func authorization(_ scope: Paths.Scope) throws -> Authorization {
    let text = "[daemon]\nadmin-group = \"\(Self.admins)\"\n[control.volume]"
    let loaded = try ConfigurationFile.load(standardInput: Array(text.utf8))
    return Authorization(loaded.accounts(scope: scope), scope: scope)
  }

  private func peer(_ userID: UInt32, groups: Set<UInt32> = [100]) -> PeerCredentials {
    PeerCredentials(processID: 1, userID: userID, groupIDs: groups)
  }

  @Test func `root and the admin group are administrators in both scopes`() throws {
    for scope in [Paths.Scope.system, .user] {
      let authorization = try authorization(scope)
      #expect(authorization.isAdministrator(peer(0)))
      #expect(authorization.isAdministrator(peer(4_001, groups: [100, UInt32(Self.admins)])))
      #expect(!authorization.isAdministrator(peer(4_001)))
    }
  }

  /// What connects as the system service's own user is a command of a hook.
  @Test func `only a user's own daemon takes its user for an administrator`() throws {
    var user = try authorization(.user)
    user.ownerID = 4_002
    #expect(user.isAdministrator(peer(4_002)))
    #expect(try authorization(.user).ownerID == geteuid())
    #expect(try authorization(.system).ownerID == nil)
  }

  /// The user of a package that was purged, above all.
  @Test func `an account that does not exist gives nobody a right and is no error`() throws {
    let text = """
      [daemon]
      admin-group = "no-such-group"
      providers = ["user:stepperd-none", "user:no-such-user", "group:no-such-group", "user:4002"]
      [control.volume]
      """
    let accounts = try ConfigurationFile.load(standardInput: Array(text.utf8)).accounts(scope: .system)
    #expect(accounts.errors == [])
    let right = ", so this entry has no effect; "
    #expect(
      accounts.warnings.map(\.message) == [
        "there is no group \"no-such-group\"\(right)create it with: groupadd --system no-such-group, then run: stepperctl reload",
        "there is no user \"stepperd-none\"\(right)install the package stepperd-none, then run: stepperctl reload",
        "there is no user \"no-such-user\"\(right)create it with: useradd --system no-such-user, then run: stepperctl reload",
        "there is no group \"no-such-group\"\(right)create it with: groupadd --system no-such-group, then run: stepperctl reload",
      ])
    let authorization = Authorization(accounts, scope: .system)
    #expect(authorization.mayProvide(peer(4_002)) && !authorization.isAdministrator(peer(4_002)))
    for user in [UInt32(1), 65_534, .max] {
      #expect(!authorization.mayProvide(peer(user, groups: [100, 0, .max])))
      #expect(!authorization.isAdministrator(peer(user, groups: [100, 0, .max])))
    }
  }

  @Test func `the group of the socket must exist`() throws {
    let text = "[daemon]\nsocket-group = \"no-such-group\"\n[control.volume]"
    let accounts = try ConfigurationFile.load(standardInput: Array(text.utf8)).accounts(scope: .system)
    #expect(
      accounts.errors.map(\.message) == [
        "there is no group \"no-such-group\"; create it with: groupadd --system no-such-group"
      ])
  }

  @Test func `an account that came after the configuration is told from one that is not named`() {
    var refused = RefusedUsers<String>()
    #expect(
      refused.note(0, [.init(.user, "root")]) == "user root may not attach devices; run: stepperctl reload")
    refused.removeAll { _, _ in true }
    #expect(
      refused.note(0, [.init(.group, "root")])
        == "user root may not attach devices; add \"user:root\" to \"providers\" in [daemon]")
  }
}
