import StepperCore
package import Logging
package import StepperConfiguration
import StepperLinux
import SystemPackage

/// The options of the command line and the environment.
package struct DaemonOptions: Sendable {
  package var paths: Paths
  package var configurationFile: ConfigurationFile
  /// nil: the path that the configuration names, or the default path.
  package var socketPath: String?
  /// nil: the level that the configuration names.
  package var logLevel: Logger.Level?
  /// nil: inputs are not recorded.
  package var recording: EngineRecording?

  /// Without `configurationPath` the file has its default path and may be missing.
  package init(paths: Paths, configurationPath: String? = nil) {
    self.paths = paths
    configurationFile = ConfigurationFile(
      path: configurationPath ?? paths.configuration, isOptional: configurationPath == nil)
  }
}

/// The reason why the daemon did not start, or ended.
package enum StartFailure: Error {
  case configuration([ConfigurationProblem])
  /// A resource is unavailable now and may become available, such as the address of the socket.
  case unavailable(String)
  case noPermission(String)
  case system(String)

  /// A failure to read the file is not an error in the configuration: a restart or a permission may help.
  init(_ failure: ConfigurationFailure) {
    let message = failure.problems.map(\.description).joined(separator: "\n")
    switch failure.errno {
    case .permissionDenied, .notPermitted: self = .noPermission(message)
    case let errno? where errno.isOfSystem: self = .system(message)
    default: self = .configuration(failure.problems)
    }
  }
}

extension Logger.Level {
  init(_ level: DaemonSettings.LogLevel) {
    self = Self(rawValue: level.rawValue) ?? .info
  }
}
