internal import StepperConfiguration
internal import StepperLinux
internal import SystemPackage
internal import Varlink

struct ConfigurationFacts: Hashable, Sendable {
  /// Nil for the built-in configuration, because there is no file.
  var path: String?
  var text = ""
  /// Why the file cannot be read.
  var failure: String?
  var problems: [ConfigurationProblem] = []
  /// The configuration with the included file; nil if it has errors.
  var configuration: Configuration?
  /// The path of the included file; nil if there is none.
  var included: String?
  /// Why the included file cannot be read.
  var includedFailure: String?
  /// Whether the included file is missing from ``configuration``, because it cannot be read or has errors.
  var isPartial = false

  /// The first errors; if there are none, the first warnings. Warnings are left out if the included file is unknown,
  /// because they depend on it.
  var shownProblems: ArraySlice<ConfigurationProblem> {
    let errors = problems.filter { $0.severity == .error }
    return (errors.isEmpty && !isPartial ? problems : errors).prefix(20)
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
      self.init(bytes, path: path) { included, limit throws(FileFailure) in
        try SmallFile.readIncluded(root.path(included), limit: limit)
      }
    } catch {
      failure = Self.reason(error)
    }
  }

  init(text: String, path: String?) { self.init(Array(text.utf8), path: path) { _, _ in nil } }

  private init(
    _ bytes: [UInt8], path: String?,
    reading read: (_ path: String, _ limit: Int) throws(FileFailure) -> [UInt8]?
  ) {
    self.init(path: path)
    text = OutsideText.shown(bytes)
    var failure: String?
    let complete = CompleteConfiguration(
      bytes, file: path ?? "the built-in configuration",
      including: { included, limit in
        do throws(FileFailure) { return try read(included, limit) } catch {
          failure = "\(included) \(Self.reason(error))"
          return nil
        }
      }, check: { ConfigurationArgument.check($0, file: $1) })
    (configuration, problems, includedFailure) = (complete.configuration, complete.problems, failure)
    included = complete.included == nil ? nil : configuration?.daemon.includedFile
    isPartial = failure != nil || !complete.leftOut.isEmpty
  }

  private static func reason(_ failure: FileFailure) -> String {
    switch failure.reason {
    case .errno(let number): "cannot be read: \(number)"
    case .kind(let kind): "is \(kind), not a file"
    case .owner(let user): "belongs to user \(user)"
    case .writable: "can be written by others than its owner"
    }
  }
}
