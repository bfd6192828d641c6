import Glibc
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
}
