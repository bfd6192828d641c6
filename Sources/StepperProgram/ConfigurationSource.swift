internal import Glibc
package import StepperConfiguration
internal import StepperLinux
internal import SystemPackage

/// Locates the file that configures a program.
package struct ConfigurationSource: Hashable, Sendable {
  /// The file's name in messages.
  package let path: String
  /// Whether the user has named the file, so that it must exist.
  private let isExplicit: Bool

  /// Takes the file `explicit`, or else the first existing file called `name`: in the folder given by the service manager, or without one
  /// in the user's and then the system's folder.
  package init(named name: String, explicit: String?) {
    // Units name the system's file even if nobody has written it yet.
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
    // A root session has a user folder too; a system service run by root has none.
    guard effectiveUserID != 0 || environmentVariable("XDG_RUNTIME_DIR") != nil else { return [systemFolder] }
    return [UserFolder.configuration.path(environmentVariable), systemFolder].compactMap(\.self)
  }

  /// The content of the file; nil: there is no file, and the user has not named one.
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

  /// The message if there is no file.
  package var absence: String { "\(path): there is no such file" }

  /// The settings that `load` makes of the file's content and name, with their warnings; nil: there is no file. Throws the errors.
  package func load<Settings>(
    _ load: ([UInt8], String) -> (Settings?, [ConfigurationProblem])
  ) throws(ExitFailure) -> (settings: Settings, warnings: [ConfigurationProblem])? {
    guard let bytes = try read() else { return nil }
    let (settings, problems) = load(bytes, path)
    guard let settings else { throw ExitFailure(.configuration, problems: problems.map(\.description)) }
    return (settings, problems)
  }
}
