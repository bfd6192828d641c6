package import StepperConfiguration
import StepperCore
import StepperLinux
package import SystemPackage

/// The reasons why a configuration cannot be used.
package nonisolated struct ConfigurationFailure: Error {
  package var problems: [ConfigurationProblem]
  /// Why the file cannot be read, if that is the reason.
  package var errno: Errno?
}

/// The source of the configuration. It is read on a thread of its own while the daemon serves: see
/// ``ConfigurationLoader``.
package nonisolated struct ConfigurationFile: Hashable, Sendable {
  package var path: String
  /// Whether the file may be missing; the built-in configuration is used then.
  package var isOptional: Bool

  package init(path: String, isOptional: Bool) {
    self.path = path
    self.isOptional = isOptional
  }

  /// A configuration with its source; `path` is nil for the built-in configuration.
  package struct Loaded: Sendable {
    package var configuration: Configuration
    package var warnings: [ConfigurationProblem]
    package var path: String?
    /// Its name in messages if it has no path.
    var nameWithoutPath = ConfigurationFile.builtInName
    /// The content of the file itself, without the included file.
    var text: [UInt8] = []
    /// The complete text of ``configuration``, with that of the included file.
    var wholeText: [UInt8] = []
    /// The content of the included file; nil: there is none.
    var included: [UInt8]?
    /// Why the included file is not used, as a problem for the status; nil: it is used, or there is none.
    var leftOut: String?
    /// The accounts that the configuration names but the system did not have, as problems for the status.
    var missingAccounts: [String] = []
    /// Whether the file was empty.
    var isEmpty = false

    /// The name of the configuration in messages.
    package var name: String { path ?? nameWithoutPath }

    /// The accounts that the configuration names, for a daemon of `scope`.
    package func accounts(scope: Paths.Scope) -> ConfigurationAccounts {
      ConfigurationAccounts(configuration, file: name, scope: scope)
    }
  }

  static let builtInName = "the built-in configuration"

  /// Whether the files still have the content of `running`. If the included file could not be read before and has since
  /// been removed, that is a change.
  func isUnchanged(from running: Loaded) throws(ConfigurationFailure) -> Bool {
    guard try read() == (running.path == nil ? nil : running.text) else { return false }
    guard let path = running.configuration.daemon.includedFile else { return true }
    do throws(FileFailure) {
      let included = try SmallFile.readIncluded(path, limit: IncludedConfiguration.mostBytes)
      return included == running.included && (included != nil || running.leftOut == nil)
    } catch {
      throw ConfigurationFailure(problems: [ConfigurationProblem(file: path, message: "\(error)")])
    }
  }

  /// Reads the file. A reload fails, so that the `running` configuration remains in use, if its file no longer exists
  /// and the built-in configuration would replace it; if the file is empty although `running` has content, which is
  /// probably the result of a failed write; or if the included file cannot be used. A start only leaves out an included
  /// file that cannot be used, so that whoever writes it cannot keep the daemon from starting.
  package func load(replacing running: Loaded? = nil) throws(ConfigurationFailure) -> Loaded {
    guard let bytes = try read() else {
      guard isOptional else { throw failure("there is no such file") }
      guard running?.path == nil else {
        throw failure("the file no longer exists; restart stepperd to use the built-in configuration")
      }
      return try Self.load(Array(Configuration.embeddedText.utf8), file: Self.builtInName, path: nil)
    }
    let isEmpty = bytes.allSatisfy { Self.whitespace.contains($0) }
    if isEmpty, let running, running.path != nil, !running.isEmpty {
      throw failure("it is empty now; restart stepperd to run without any control")
    }
    var loaded = try Self.load(bytes, file: path, path: path, replacing: running)
    loaded.isEmpty = isEmpty
    if isEmpty { loaded.warnings.append(warning("it is empty and defines no control")) }
    return loaded
  }

  /// The content; nil if there is no file.
  private func read() throws(ConfigurationFailure) -> [UInt8]? {
    do throws(FileFailure) {
      return try SmallFile(FilePath(path)).read(limit: ConfigurationLimit.fileBytes)
    } catch {
      switch error.reason {
      case .errno(let errno):
        var failure = failure("it cannot be read: \(errno)")
        failure.errno = errno
        throw failure
      case .kind(let kind): throw failure("it is \(kind), not a file")
      case .owner, .writable: throw failure("\(error)")
      }
    }
  }

  private static let whitespace = Array(" \t\r\n\u{feff}".utf8)

  /// Loads the text of the standard input.
  package static func load(standardInput bytes: [UInt8]) throws(ConfigurationFailure) -> Loaded {
    var loaded = try load(bytes, file: standardInputName, path: nil)
    loaded.nameWithoutPath = standardInputName
    return loaded
  }

  private static let standardInputName = "<stdin>"

  /// Checks `text` for a daemon of `scope`. `findsPrograms`: also looks for the programs of hooks, whose file systems
  /// may be slow.
  package static func check(
    _ text: String, file: String, scope: Paths.Scope, findsPrograms: Bool
  ) -> [ConfigurationProblem] {
    let (configuration, problems) = check(Array(text.utf8), file: file, findsPrograms: findsPrograms)
    let accounts = configuration.map { ConfigurationAccounts($0, file: file, scope: scope) }
    return problems + (accounts?.problems ?? [])
  }

  static func check(_ bytes: [UInt8], file: String, findsPrograms: Bool = true) -> (
    configuration: Configuration?, problems: [ConfigurationProblem]
  ) {
    Configuration.load(
      bytes, file: file, codes: .kernel,
      programProblem: { findsPrograms ? problem(ofProgram: $0, path: environmentVariable("PATH")) : nil })
  }

  /// `path` is nil for a text that is not a file. Such a text cannot include a file.
  private static func load(
    _ bytes: [UInt8], file: String, path: String?, replacing running: Loaded? = nil
  ) throws(ConfigurationFailure) -> Loaded {
    let read = CompleteConfiguration(
      bytes, file: file, including: { path == nil ? nil : try SmallFile.readIncluded($0, limit: $1) },
      check: { check($0, file: $1) })
    guard let configuration = read.configuration else { throw ConfigurationFailure(problems: read.problems) }
    guard read.leftOut.isEmpty || running == nil else { throw ConfigurationFailure(problems: read.leftOut) }
    let reason = read.leftOut.first { $0.severity == .error }
    return Loaded(
      configuration: configuration, warnings: read.problems, path: path, text: bytes, wholeText: read.text,
      included: read.included,
      leftOut: reason.map { "the included file cannot be used and is left out: \($0)" })
  }

  private func failure(_ message: String) -> ConfigurationFailure {
    ConfigurationFailure(problems: [ConfigurationProblem(file: path, keyPath: "", message: message)])
  }

  private func warning(_ message: String) -> ConfigurationProblem {
    var problem = ConfigurationProblem(file: path, keyPath: "", message: message)
    problem.severity = .warning
    return problem
  }
}
