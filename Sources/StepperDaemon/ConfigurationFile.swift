package import StepperConfiguration
import StepperCore
import StepperInput
import StepperSystem
import SystemPackage

/// A configuration that cannot be used, and why.
package struct ConfigurationFailure: Error {
  package var problems: [ConfigurationProblem]
}

/// Where the configuration comes from.
package struct ConfigurationFile: Hashable, Sendable {
  package var path: String
  /// Whether it may be missing, and the built-in configuration is used then.
  package var isOptional: Bool

  package init(path: String, isOptional: Bool) {
    self.path = path
    self.isOptional = isOptional
  }

  /// What was read, and from where; `path` is nil for the built-in configuration.
  package struct Loaded {
    package var configuration: Configuration
    package var warnings: [ConfigurationProblem]
    package var path: String?

    /// How messages call it.
    package var name: String { path ?? ConfigurationFile.builtInName }
  }

  static let builtInName = "the built-in configuration"

  package func load() throws(ConfigurationFailure) -> Loaded {
    let bytes: [UInt8]?
    do throws(AtomicFile.Failure) {
      bytes = try AtomicFile(FilePath(path)).read(limit: ConfigurationLimit.fileBytes)
    } catch {
      throw failure("\(error)")
    }
    guard let bytes else {
      guard isOptional else { throw failure("there is no such file") }
      return try Self.load(Array(Configuration.embeddedText.utf8), file: Self.builtInName, path: nil)
    }
    return try Self.load(bytes, file: path, path: path)
  }

  /// Checks `text` without using it.
  package static func check(_ text: String, file: String) -> (
    configuration: Configuration?, problems: [ConfigurationProblem]
  ) {
    check(Array(text.utf8), file: file)
  }

  private static func check(_ bytes: [UInt8], file: String) -> (
    configuration: Configuration?, problems: [ConfigurationProblem]
  ) {
    Configuration.load(
      bytes, file: file, resolvingCode: { EvdevUsage(name: $0) }, knownCodes: EvdevUsage.allNames)
  }

  private static func load(_ bytes: [UInt8], file: String, path: String?) throws(ConfigurationFailure)
    -> Loaded
  {
    let (configuration, problems) = check(bytes, file: file)
    guard let configuration else { throw ConfigurationFailure(problems: problems) }
    return Loaded(configuration: configuration, warnings: problems, path: path)
  }

  private func failure(_ message: String) -> ConfigurationFailure {
    ConfigurationFailure(problems: [ConfigurationProblem(file: path, keyPath: "", message: message)])
  }
}
