package import SystemPackage
internal import Varlink

/// The users in `/etc/passwd`, or the groups in `/etc/group`. Name services are not used, because they may block on
/// the network.
package struct AccountFile: Hashable, Sendable {
  package static let users = AccountFile(path: "/etc/passwd")
  package static let groups = AccountFile(path: "/etc/group")

  private let path: FilePath

  private static let limit = 4 << 20

  package init(path: FilePath) { self.path = path }

  /// All accounts, in the order of the file.
  package func accounts() throws(FileFailure) -> [(name: String, number: UInt32)] {
    let text = try SmallFile(path).read(limit: Self.limit) ?? []
    return OutsideText.shown(text).split(separator: "\n").compactMap { line in
      let fields = line.split(separator: ":", maxSplits: 3, omittingEmptySubsequences: false)
      guard fields.count > 2, let number = UInt32(fields[2]) else { return nil }
      return (String(fields[0]), number)
    }
  }

  /// The name of the user or group `number`, for messages; the number if the name is not in the file or the file
  /// cannot be read.
  package func name(of number: UInt32) -> String {
    // If the file cannot be read, there are no names.
    let account = try? accounts().first { $0.number == number && !$0.name.isEmpty }
    return account?.name ?? "\(number)"
  }
}
