internal import ArgumentParser
internal import StepperConfiguration

struct ProfileCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "profile", abstract: "Show the profiles that a control can take its feel from.",
    subcommands: [List.self, Show.self], defaultSubcommand: List.self)

  struct List: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "list", abstract: "Show the profiles, a line each.")

    @OptionGroup var source: ProfileSource
    @OptionGroup var global: GlobalOptions

    func run() throws {
      let profiles = try source.profiles()
      guard !global.json else { return try profiles.forEach { try Output.json(ProfileLine($0)) } }
      var table = Table(header: ["PROFILE", "BASE", "ABOUT"])
      for profile in profiles { table.add([profile.name, profile.base ?? "", profile.about]) }
      table.write(columns: Output.columns)
    }
  }

  struct Show: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "show", abstract: "Show every option of a profile.",
      discussion: """
        Each with its value, the profile that says so (none: stepperd's own default), and what it does. Any of \
        them can be set for one control by itself, or in a profile of your own.
        """)

    @Argument(help: "The profile.", completion: ProfileSource.completion)
    var name: String
    @OptionGroup var source: ProfileSource
    @OptionGroup var global: GlobalOptions

    func run() throws {
      let profile = try source.profile(named: name).profile
      guard !global.json else { return try profile.options.forEach { try Output.json(OptionLine($0)) } }
      Output.line("\(profile.name): \(profile.about)")
      var table = Table(header: ["OPTION", "VALUE", "FROM", "WHAT IT DOES"])
      for option in profile.options {
        let words = option.words.isEmpty ? "" : ": " + option.words.joined(separator: ", ")
        table.add([option.key.rawValue, option.value, option.origin ?? "-", option.explanation + words])
      }
      table.write(columns: Output.columns)
    }
  }
}

/// A profile in JSON.
private struct ProfileLine: Encodable {
  var profile: String
  var base: String?
  var about: String

  init(_ profile: Profile) { (self.profile, base, about) = (profile.name, profile.base, profile.about) }
}

/// An option in JSON; its value is as the configuration would write it.
private struct OptionLine: Encodable {
  var option: String
  var value: String
  var from: String?
  var explanation: String
  var words: [String]?

  init(_ option: Profile.Option) {
    (self.option, value, from) = (option.key.rawValue, option.value, option.origin)
    explanation = option.explanation
    words = option.words.isEmpty ? nil : option.words
  }
}
