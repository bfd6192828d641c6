internal import StepperCore
package import StepperConfiguration
internal import StepperInput
internal import StepperSystem
internal import SystemPackage

/// The configuration on disk.
package struct ConfigurationFacts: Hashable, Sendable {
  /// Nil: the built-in one, because there is no file.
  package var path: String?
  package var text = ""
  /// Why the file cannot be read.
  package var failure: String?
  package var problems: [ConfigurationProblem] = []
  /// Nil if it has errors.
  package var configuration: Configuration?

  package init(path: String?) { self.path = path }
}

extension ConfigurationFacts {
  init(_ root: SystemRoot, path: String) {
    self.init(path: path)
    do throws(FileFailure) {
      guard let bytes = try SmallFile(FilePath(root.path(path))).read(limit: ConfigurationLimit.fileBytes)
      else {
        self.init(text: Configuration.embeddedText, path: nil)
        return
      }
      self.init(text: String(decoding: bytes, as: UTF8.self), path: path)
    } catch {
      failure =
        switch error.reason {
        case .errno(let number): "cannot be read: \(number)"
        case .kind(let kind): "is \(kind), not a file"
        case .owner(let user): "belongs to user \(user)"
        }
    }
  }

  package init(text: String, path: String?) {
    self.init(path: path)
    self.text = text
    (configuration, problems) = Configuration.load(
      Array(text.utf8), file: path ?? "the built-in configuration",
      resolvingCode: { EvdevUsage(name: $0) }, knownCodes: EvdevUsage.allNames)
  }
}
