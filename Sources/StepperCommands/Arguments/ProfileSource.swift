internal import ArgumentParser
internal import StepperConfiguration

/// Where a command takes profiles from: the built-in ones, and those of a configuration. No daemon is needed.
struct ProfileSource: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Know the profiles of this configuration too (- is the standard input) instead of the daemon's own.",
      valueName: "file"),
    completion: .file(extensions: ["toml"]))
  var config: String?

  /// The built-in profiles, followed by those of the configuration.
  func profiles() throws -> [Profile] {
    let source = ConfigurationArgument(config)
    let bytes: [UInt8]
    do throws(CommandFailure) {
      bytes = try source.bytes()
    } catch {
      // The configuration of the system may be unreadable to this user; one named with --config must be readable.
      guard config == nil else { throw error }
      return Profile.builtIn
    }
    let (profiles, problems) = Configuration.profiles(in: bytes, file: source.name)
    let errors = problems.filter { $0.severity == .error }
    guard errors.isEmpty else {
      throw CommandFailure(lines: errors.map(\.description), code: .configuration)
    }
    return profiles
  }

  /// The profile of that name.
  func profile(named name: String) throws -> (profile: Profile, all: [Profile]) {
    let profiles = try profiles()
    guard let profile = profiles.first(where: { $0.name == name }) else {
      let meant = Suggestion.nearest(to: name, among: profiles.map(\.name))
      throw CommandFailure(
        message: "there is no profile '\(name)'"
          + (meant.map { "; did you mean '\($0)'?" } ?? "; 'stepperctl profile list' shows them"),
        code: .failure)
    }
    return (profile, profiles)
  }

  /// The names of the built-in profiles.
  static let completion = CompletionKind.list(Profile.builtIn.map(\.name))
}
