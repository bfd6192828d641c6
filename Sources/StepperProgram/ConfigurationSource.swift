internal import Glibc
package import StepperConfiguration
internal import StepperLinux
internal import SystemPackage

/// Which file a program is configured by.
package struct ConfigurationSource: Hashable, Sendable {
  /// Its name in messages.
  package let path: String
  /// Whether the file was asked for by name, so that it may not be missing.
  private let isExplicit: Bool

  /// What was asked for, or the first that there is of this name: in the folder that the service manager says, else in the
  /// user's and in the system's.
  package init(named name: String, explicit: String?) {
    // Units name the system's file, which may not have been written yet.
    isExplicit = explicit != nil && explicit != "\(Self.systemFolder)/\(name)"
    path =
      explicit ?? Self.folders.map { "\($0)/\(name)" }.first { unsafe access($0, F_OK) == 0 }
      ?? "\(Self.systemFolder)/\(name)"
  }

  private static let systemFolder = "/etc/stepperd"

  private static var folders: [String] {
    if let folder = environmentVariable("CONFIGURATION_DIRECTORY") {
      return folder.split(separator: ":").map(String.init)
    }
    // A session of root has a user's folder too; a system service of root has none.
    guard effectiveUserID != 0 || environmentVariable("XDG_RUNTIME_DIR") != nil else { return [systemFolder] }
    return [UserFolder.configuration.path(environmentVariable), systemFolder].compactMap(\.self)
  }

  /// Its content; nil: there is none, and none was asked for.
  package func read() throws(ExitFailure) -> [UInt8]? {
    let bytes: [UInt8]?
    do throws(FileFailure) {
      bytes = try SmallFile(FilePath(path)).read(limit: ConfigurationLimit.fileBytes)
    } catch {
      throw ExitFailure(error.errno?.isOfSystem ?? false ? .system : .configuration, "\(error)")
    }
    if bytes == nil, isExplicit {
      throw ExitFailure(.configuration, problems: ["\(path): error: there is no such file"])
    }
    return bytes
  }

  /// The settings that `load` makes of its content and name, and warnings of them; nil: there is no file. Throws the errors.
  package func load<Settings>(
    _ load: ([UInt8], String) -> (Settings?, [ConfigurationProblem])
  ) throws(ExitFailure) -> (settings: Settings, warnings: [ConfigurationProblem])? {
    guard let bytes = try read() else { return nil }
    let (settings, problems) = load(bytes, path)
    guard let settings else { throw ExitFailure(.configuration, problems: problems.map(\.description)) }
    return (settings, problems)
  }
}
