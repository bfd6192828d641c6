internal import ArgumentParser
internal import StepperConfiguration

/// The profiles that a command uses: the built-in ones and those of a configuration. No daemon is needed.
struct ProfileSource: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Read profiles from this configuration (- is the standard input) instead of the daemon's.",
      valueName: "file"),
    completion: .file(extensions: ["toml"]))
  var config: String?

  /// The built-in profiles, followed by those of the configuration.
  func profiles() throws -> [Profile] {
    let source = ConfigurationArgument(config)
    let complete: CompleteConfiguration
    do throws(CommandFailure) {
      complete = try source.complete()
    } catch {
      // The configuration of the system may be unreadable to this user; one named with --config must be readable.
      guard config == nil else { throw error }
      return Profile.builtIn
    }
    let (profiles, problems) = Configuration.profiles(in: complete.text, file: source.name)
    guard !problems.contains(where: { $0.severity == .error }) else {
      throw ConfigurationArgument.failure(of: problems)
    }
    source.report(complete.leftOut)
    return profiles
  }

  func profile(named name: String) throws -> (profile: Profile, all: [Profile]) {
    let profiles = try profiles()
    guard let profile = profiles.first(where: { $0.name == name }) else {
      let hint = Suggestion.hint(
        for: name, among: profiles.map(\.name), otherwise: "; 'stepperctl profile list' shows them")
      throw CommandFailure("there is no profile '\(name)'\(hint)")
    }
    return (profile, profiles)
  }

  static let completion = CompletionKind.list(Profile.builtIn.map(\.name))
}
