internal import ArgumentParser
internal import StepperConfiguration
internal import Varlink

struct TryCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "try", abstract: "Play a profile on a scratch control and print what it does and when.",
    discussion: """
      A button is held, tapped, and a knob turned, in virtual time: nothing is waited for, and neither hardware \
      nor a daemon is needed. --option tries an option on top of the profile, as the configuration would have it: \
      --option climb-rate=1 --option maximum=1000.
      """)

  @Option(help: "The profile.", completion: ProfileSource.completion)
  var profile = Profile.standardName
  @Option(name: [.short, .long], help: ArgumentHelp("An option to try on top.", valueName: "key=value"))
  var option: [String] = []
  @Option(parsing: .unconditional, help: ArgumentHelp("How long to hold.", valueName: "time"))
  var hold = DurationText(.seconds(3))
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("How many detents to turn: 3, +3 or -3.", valueName: "detents"))
  var turn = SignedText(5)
  @Flag(help: "Print a line for each gesture only.")
  var summary = false
  @OptionGroup var source: ProfileSource
  @OptionGroup var global: GlobalOptions

  func validate() throws {
    guard let detents = turn.integer, (-1_000...1_000).contains(detents) else {
      throw ValidationError("--turn must be a whole number from -1000 to 1000")
    }
    guard hold.duration <= .seconds(600) else { throw ValidationError("--hold must be at most 10m") }
    for option in option where TrialOption(option) == nil {
      throw ValidationError("--option '\(option)' must be KEY=VALUE")
    }
  }

  func run() throws {
    let (profile, all) = try source.profile(named: profile)
    var trial = try Trial(profile, options: option.compactMap(TrialOption.init), known: all)
    if !global.json { Output.line("\(profile.name): \(profile.about)") }
    if trial.isUnset {
      if !global.json { Output.line("It is unset, and steps do nothing until it is set.") }
      try show(trial.setToZero())
    }
    try show(trial.hold(for: hold.duration))
    try show(trial.tap())
    if let detents = turn.integer, detents != 0, !trial.isPressed { try show(trial.turn(by: Int(detents))) }
  }

  private func show(_ gesture: Trial.Gesture) throws {
    guard !global.json else { return try Output.json(gesture.json(summary: summary)) }
    let values = [gesture.before ?? "unset", gesture.after ?? "unset"].joined(separator: " to ")
    let changes = "\(gesture.changes) change\(gesture.changes == 1 ? "" : "s")"
    Output.line("\(gesture.name): \(changes), \(values)")
    guard !summary else { return }
    for event in gesture.events {
      let time = String(DurationText(event.time).milliseconds)
      let padding = String(repeating: " ", count: max(0, 7 - time.count))
      let action = (event.action ?? "") + String(repeating: " ", count: 8 - (event.action ?? "").count)
      Output.line("\(padding)\(time)ms  \(action)\(event.isChange ? event.text ?? "unset" : "-")")
    }
  }
}

extension Trial.Gesture {
  /// In a summary without its events.
  fileprivate func json(summary: Bool) -> JSONObject {
    [
      "after": after, "before": before, "changes": changes, "events": summary ? nil : events.map(\.json),
      "gesture": name,
    ]
  }
}

extension Trial.Event {
  fileprivate var json: JSONObject {
    ["action": action, "changed": isChange, "milliseconds": DurationText(time).milliseconds, "text": text]
  }
}
