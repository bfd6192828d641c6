internal import StepperConfiguration
internal import StepperCore
internal import StepperLinux
internal import SystemPackage
internal import Varlink

struct ConfigurationFacts: Hashable, Sendable {
  /// Nil: the built-in one, because there is no file.
  var path: String?
  var text = ""
  /// Why the file cannot be read.
  var failure: String?
  var problems: [ConfigurationProblem] = []
  /// Nil if it has errors.
  var configuration: Configuration?

  /// The first of its errors; without errors the first of its warnings.
  var shownProblems: ArraySlice<ConfigurationProblem> {
    let errors = problems.filter { $0.severity == .error }
    return (errors.isEmpty ? problems : errors).prefix(20)
  }
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
      self.init(bytes, path: path)
    } catch {
      failure =
        switch error.reason {
        case .errno(let number): "cannot be read: \(number)"
        case .kind(let kind): "is \(kind), not a file"
        case .owner(let user): "belongs to user \(user)"
        case .writable: "can be written by others than its owner"
        }
    }
  }

  init(text: String, path: String?) { self.init(Array(text.utf8), path: path) }

  private init(_ bytes: [UInt8], path: String?) {
    self.init(path: path)
    text = OutsideText.shown(bytes)
    (configuration, problems) = Configuration.load(
      bytes, file: path ?? "the built-in configuration",
      resolvingCode: { EvdevUsage(name: $0) }, knownCodes: EvdevUsage.allNames)
  }
}
