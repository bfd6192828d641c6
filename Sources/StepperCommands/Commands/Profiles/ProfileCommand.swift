internal import ArgumentParser
internal import StepperConfiguration
internal import Varlink

struct ProfileCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "profile", abstract: "Show the profiles that a control can have.",
    subcommands: [List.self, Show.self], defaultSubcommand: List.self)

  struct List: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "list", abstract: "Show the profiles, a line each.")

    @OptionGroup var source: ProfileSource
    @OptionGroup var global: GlobalOptions

    func run() throws {
      let profiles = try source.profiles()
      guard !global.json else { return try profiles.forEach { try Output.json($0.json) } }
      var table = Table(header: ["PROFILE", "BASE", "ABOUT"])
      for profile in profiles { table.add([profile.name, profile.base ?? "", profile.about]) }
      table.write(columns: Output.columns)
    }
  }

  struct Show: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "show", abstract: "Show every option of a profile.",
      discussion: """
        Prints the value of each option, the profile that sets it (- for the default), and its effect. Every option \
        can also be set in the table of a control or of another profile.
        """)

    @Argument(help: "The profile.", completion: ProfileSource.completion)
    var name: String
    @OptionGroup var source: ProfileSource
    @OptionGroup var global: GlobalOptions

    func run() throws {
      let profile = try source.profile(named: name).profile
      guard !global.json else { return try profile.options.forEach { try Output.json($0.json) } }
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

extension Profile {
  fileprivate var json: JSONObject { ["about": about, "base": base, "profile": name] }
}

extension Profile.Option {
  /// The value is written as in the configuration.
  fileprivate var json: JSONObject {
    [
      "explanation": explanation, "from": origin, "option": key.rawValue, "value": value,
      "words": words.isEmpty ? nil : words,
    ]
  }
}
