internal import ArgumentParser
internal import StepperConfiguration
internal import Varlink

struct TryCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "try",
    abstract: "Move a temporary control with a profile, and print each change with its time.",
    discussion: """
      A button is held and tapped, and a knob is turned, in virtual time: without waiting, hardware or a daemon. \
      --option sets an option as in the configuration: --option climb-rate=1 --option maximum=1000.
      """)

  @Option(help: "The profile.", completion: ProfileSource.completion)
  var profile = Profile.standardName
  @Option(
    name: [.short, .long],
    help: ArgumentHelp("Set an option in addition to the profile.", valueName: "key=value"))
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
    let values = "\(gesture.before ?? ControlText.unset) to \(gesture.after ?? ControlText.unset)"
    Output.line("\(gesture.name): \(gesture.changes.counted("change")), \(values)")
    guard !summary else { return }
    for event in gesture.events {
      let time = "\(DurationText(event.time).milliseconds)ms"
      let padding = String(repeating: " ", count: max(0, 9 - time.count))
      let text = event.isChange ? event.text ?? ControlText.unset : "-"
      Output.line("\(padding)\(time)  \((event.action ?? "").padded(to: 8))\(text)")
    }
  }
}

extension Trial.Gesture {
  /// The gesture for JSON; a summary leaves out its events.
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
