import StepperConfiguration
import StepperLinux
import SystemPackage

nonisolated extension ConfigurationFile {
  /// `main` together with the file that it includes, which may be missing.
  ///
  /// A `running` configuration remains if the file cannot be used. At the start it is left out, so that whoever writes it
  /// cannot keep the daemon from starting.
  func including(_ main: Loaded, replacing running: Loaded?) throws(ConfigurationFailure) -> Loaded {
    guard let path = main.configuration.daemon.includedFile else { return main }
    do throws(ConfigurationFailure) {
      guard let included = try Self.readIncluded(path) else { return main }
      return try join(main, included, path)
    } catch {
      guard running == nil else { throw error }
      var loaded = main
      let reason = error.problems.first { $0.severity == .error }.map { "\($0)" } ?? path
      loaded.leftOut = "the included file cannot be used and is left out: \(reason)"
      // What is on the disk is known, and not read again.
      loaded.included = try? Self.readIncluded(path)
      loaded.warnings += error.problems
      return loaded
    }
  }

  private func join(
    _ main: Loaded, _ included: [UInt8], _ path: String
  ) throws(ConfigurationFailure) -> Loaded {
    let own = IncludedConfiguration.problems(included, file: path, in: main.text)
    guard own.isEmpty else { throw ConfigurationFailure(problems: own) }
    let (configuration, problems) = Self.check(
      IncludedConfiguration.joined(main.text, included), file: main.name)
    let placed = IncludedConfiguration.placed(problems, behind: main.text, file: path)
    guard let configuration else { throw ConfigurationFailure(problems: placed) }
    var loaded = main
    (loaded.configuration, loaded.warnings, loaded.included) = (configuration, placed, included)
    return loaded
  }

  /// nil: there is no such file.
  static func readIncluded(_ path: String) throws(ConfigurationFailure) -> [UInt8]? {
    do throws(FileFailure) {
      return try SmallFile(FilePath(path)).read(limit: IncludedConfiguration.mostBytes)
    } catch {
      throw ConfigurationFailure(problems: [ConfigurationProblem(file: path, message: "\(error)")])
    }
  }
}
