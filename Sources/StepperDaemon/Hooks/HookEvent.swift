import StepperCore
import StepperInterfaces

/// What happened to a control. It is made thousands of times a second and told rarely, so it is only what cannot be
/// found out later; see ``HookWords``.
struct HookEvent: Hashable {
  var control: String
  /// nil: the value changed, whoever did it.
  var moment: Moment?
  /// nil: unset.
  var value: FixedPoint?
  /// The value before. For a command that is not its first run, ``HookSchedule`` puts here what the run before it was
  /// told.
  var previous: FixedPoint?
  var origin: Origin
  var limit: Limit
  /// The number of the change (``ControlState/sequence``).
  var sequence: Int64
}

/// What else there is to say of an event when a command is started.
struct HookWords: Hashable {
  var text: String?
  var previousText: String?
  var minimum: FixedPoint?
  var maximum: FixedPoint?
  var unit: String?
  var title: String?
  /// What to say of it: label, value, and the end of the range it stands at.
  var speech = ""
}

extension HookEvent {
  /// The environment of a command: `placeholders`, over `base`.
  static func environment(
    of hook: String, _ placeholders: [String: String], over base: [String: String]
  ) -> [String: String] {
    let own = placeholders.map { name, value in
      ("STEPPER_" + name.uppercased().map { $0 == "-" ? "_" : String($0) }.joined(), value)
    }
    return base.merging(own + [("STEPPER_HOOK", hook)]) { $1 }
  }

  /// What arguments may have in them, by ``HookSettings/knownPlaceholders``; each is empty where there is nothing to
  /// say.
  func placeholders(_ words: HookWords) -> [String: String] {
    [
      "control": control, "moment": moment?.rawValue ?? "change", "value": Self.text(value),
      "text": words.text ?? "", "previous": Self.text(previous), "previous-text": words.previousText ?? "",
      "origin": ControlInterface.Origin(origin).rawValue, "limit": ControlInterface.Limit(limit).rawValue,
      "minimum": Self.text(words.minimum), "maximum": Self.text(words.maximum), "unit": words.unit ?? "",
      "title": words.title ?? "", "speech": words.speech, "sequence": "\(sequence)",
    ]
  }

  /// The exact decimal.
  private static func text(_ value: FixedPoint?) -> String { value?.description ?? "" }

  /// What of the daemon's own environment commands get, if it is set.
  static let inheritedVariables = ["PATH", "HOME", "LANG", "XDG_RUNTIME_DIR"]

  /// What every command gets: the inherited variables, as `variable` has them, and where the daemon's socket is.
  static func baseEnvironment(
    address: String, inheriting variable: (String) -> String?
  ) -> [String: String] {
    let inherited = inheritedVariables.compactMap { name in variable(name).map { (name, $0) } }
    return Dictionary(inherited + [("STEPPERD_ADDRESS", address)], uniquingKeysWith: { $1 })
  }
}
