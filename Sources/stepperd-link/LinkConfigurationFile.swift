internal import Glibc
internal import StepperConfiguration
internal import StepperSystem
internal import SystemPackage

/// The daemon's configuration file, or none.
struct LinkConfigurationFile {
  private static let systemPath = "/etc/stepperd/stepperd.toml"

  /// Its name in messages.
  let name: String
  /// Whether it may be missing.
  private let isOptional: Bool

  /// What was asked for, or the default: that of the user, then the system's.
  ///
  /// The system's may be missing even if it was asked for, as the unit does: there is none before somebody writes it.
  init(explicit: String?) {
    isOptional = explicit == nil || explicit == Self.systemPath
    name =
      explicit ?? [Self.userPath, Self.systemPath].compactMap(\.self).first { unsafe access($0, F_OK) == 0 }
      ?? Self.systemPath
  }

  private static var userPath: String? {
    guard effectiveUserID != 0 || environmentVariable("XDG_RUNTIME_DIR") != nil else { return nil }
    let home = environmentVariable("HOME").map { "\($0)/.config" }
    let folder = environmentVariable("XDG_CONFIG_HOME").flatMap { $0.isEmpty ? nil : $0 } ?? home
    return folder.map { "\($0)/stepperd/stepperd.toml" }
  }

  /// The links, and warnings of them.
  func load() throws -> (links: [LinkConfiguration], warnings: [ConfigurationProblem]) {
    let bytes: [UInt8]?
    do throws(FileFailure) {
      bytes = try SmallFile(FilePath(name)).read(limit: ConfigurationLimit.fileBytes)
    } catch {
      throw ExitFailure(EX_CONFIG, ["stepperd-link: \(error)"])
    }
    guard let bytes else {
      guard isOptional else { throw ExitFailure(EX_CONFIG, ["\(name): error: there is no such file"]) }
      return ([], [])
    }
    let (links, problems) = LinkConfiguration.load(bytes, file: name) {
      problem(ofProgram: $0, path: environmentVariable("PATH"))
    }
    guard let links else { throw ExitFailure(EX_CONFIG, problems.map(\.description)) }
    return (links, problems)
  }
}
