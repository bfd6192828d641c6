package import Logging
package import StepperConfiguration
import StepperCore

/// What the command line and the environment say.
package struct DaemonOptions: Sendable {
  package var places: Places
  package var configurationFile: ConfigurationFile
  /// nil: as configured.
  package var socketPath: String?
  /// nil: as configured.
  package var logLevel: Logger.Level?

  /// Without `configurationPath` the file is in the usual place, where there may be none.
  package init(places: Places, configurationPath: String? = nil) {
    self.places = places
    configurationFile = ConfigurationFile(
      path: configurationPath ?? places.configuration, isOptional: configurationPath == nil)
  }
}

/// Why the daemon did not start, or could not go on.
package enum StartFailure: Error {
  case configuration([ConfigurationProblem])
  /// Something is missing that may be there later, such as the socket's address being free.
  case unavailable(String)
  case noPermission(String)
  case system(String)
}

extension Logger.Level {
  init(_ level: DaemonSettings.LogLevel) {
    switch level {
    case .debug: self = .debug
    case .info: self = .info
    case .notice: self = .notice
    case .warning: self = .warning
    case .error: self = .error
    }
  }
}

extension Duration {
  /// Whole milliseconds, for messages.
  var milliseconds: Int64 { nanoseconds / 1_000_000 }
}
