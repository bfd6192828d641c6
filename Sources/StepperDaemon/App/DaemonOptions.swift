import StepperCore
package import Logging
package import StepperConfiguration
import StepperLinux
import SystemPackage

/// The options of the command line and the environment.
package struct DaemonOptions: Sendable {
  package var paths: Paths
  package var configurationFile: ConfigurationFile
  /// nil: the path of the configuration.
  package var socketPath: String?
  /// nil: the level of the configuration.
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

  /// A file that cannot be read says nothing of the configuration: a restart may help, or a permission.
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

extension Duration {
  /// Complete milliseconds, for messages.
  var milliseconds: Int64 { nanoseconds / 1_000_000 }
}
