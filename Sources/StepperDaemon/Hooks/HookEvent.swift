import StepperCore
import StepperWire

/// What happened to a control, as a command is told.
struct HookEvent: Hashable {
  var control: String
  /// nil: the value changed, whoever did it.
  var moment: Moment?
  /// What it shows; both are nil if it is unset.
  var value: FixedPoint?
  var text: String?
  /// What it showed before. For a command that is not its first run, ``HookSchedule`` puts here what the run before it
  /// was told.
  var previous: FixedPoint?
  var previousText: String?
  var origin: Origin
  var limit: Limit
  var minimum: FixedPoint?
  var maximum: FixedPoint?
  var unit: String?
  var title: String?
  /// What to say of it: label, value, and the end of the range it stands at.
  var speech: String
  /// The number of the change (``ControlState/sequence``).
  var sequence: Int64
}

extension HookEvent {
  /// The environment of a command: the event, each variable empty where there is nothing to say, over `base`.
  func environment(of hook: String, over base: [String: String]) -> [String: String] {
    let own = placeholders.map { name, value in
      ("STEPPER_" + name.uppercased().map { $0 == "-" ? "_" : String($0) }.joined(), value)
    }
    return base.merging(own + [("STEPPER_HOOK", hook)]) { $1 }
  }

  /// What arguments may have in them, by ``HookSettings/knownPlaceholders``.
  var placeholders: [String: String] {
    [
      "control": control, "moment": moment?.rawValue ?? "change", "value": Self.text(value),
      "text": text ?? "",
      "previous": Self.text(previous), "previous-text": previousText ?? "",
      "origin": ControlInterface.Origin(origin).rawValue, "limit": ControlInterface.Limit(limit).rawValue,
      "minimum": Self.text(minimum), "maximum": Self.text(maximum), "unit": unit ?? "", "title": title ?? "",
      "speech": speech, "sequence": "\(sequence)",
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
