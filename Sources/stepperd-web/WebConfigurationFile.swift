internal import Glibc
internal import StepperConfiguration
internal import StepperSystem
internal import SystemPackage

/// The configuration file, or none.
struct WebConfigurationFile {
  private static let fileName = "stepperd-web.toml"
  private static let systemFolder = "/etc/stepperd"

  private let path: String
  /// Whether it may be missing.
  private let isOptional: Bool

  /// What was asked for, or the default: that of the service manager, the user's, the system's.
  init(explicit: String?) {
    isOptional = explicit == nil
    path =
      explicit ?? Self.folders.map { "\($0)/\(Self.fileName)" }.first { unsafe access($0, F_OK) == 0 }
      ?? "\(Self.systemFolder)/\(Self.fileName)"
  }

  private static var folders: [String] {
    if let folder = environmentVariable("CONFIGURATION_DIRECTORY") {
      return folder.split(separator: ":").map(String.init)
    }
    guard effectiveUserID != 0 else { return [systemFolder] }
    let home = environmentVariable("HOME").map { "\($0)/.config" }
    let user = environmentVariable("XDG_CONFIG_HOME").flatMap { $0.isEmpty ? nil : $0 } ?? home
    return [user.map { "\($0)/stepperd" }, systemFolder].compactMap(\.self)
  }

  /// Its name in messages.
  var name: String { path }

  /// The settings, and warnings of them.
  func load() throws -> (settings: WebSettings, warnings: [ConfigurationProblem]) {
    let bytes: [UInt8]?
    do throws(FileFailure) {
      bytes = try SmallFile(FilePath(path)).read(limit: ConfigurationLimit.fileBytes)
    } catch {
      throw ExitFailure(EX_CONFIG, ["stepperd-web: \(error)"])
    }
    guard let bytes else {
      guard isOptional else { throw ExitFailure(EX_CONFIG, ["\(path): error: there is no such file"]) }
      return (WebSettings(), [])
    }
    let (settings, problems) = WebSettings.load(bytes, file: path)
    guard let settings else { throw ExitFailure(EX_CONFIG, problems.map(\.description)) }
    return (settings, problems)
  }
}
