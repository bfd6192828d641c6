import StepperCore
import StepperWire

/// What happened to a control, as a command is told.
struct HookEvent: Hashable {
  var control: String
  var moment: Moment
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
  /// The number of the change (``ControlState/sequence``).
  var sequence: Int64
}

extension HookEvent {
  /// The environment of a command: the event, each variable empty where there is nothing to say, over `base`.
  func environment(of hook: String, over base: [String: String]) -> [String: String] {
    let own = [
      "STEPPER_HOOK": hook, "STEPPER_CONTROL": control, "STEPPER_MOMENT": moment.rawValue,
      "STEPPER_VALUE": Self.text(value), "STEPPER_TEXT": text ?? "",
      "STEPPER_PREVIOUS": Self.text(previous), "STEPPER_PREVIOUS_TEXT": previousText ?? "",
      "STEPPER_ORIGIN": ControlInterface.Origin(origin).rawValue,
      "STEPPER_LIMIT": ControlInterface.Limit(limit).rawValue, "STEPPER_MINIMUM": Self.text(minimum),
      "STEPPER_MAXIMUM": Self.text(maximum), "STEPPER_UNIT": unit ?? "", "STEPPER_TITLE": title ?? "",
      "STEPPER_SEQUENCE": "\(sequence)",
    ]
    return base.merging(own) { $1 }
  }

  /// The exact decimal.
  private static func text(_ value: FixedPoint?) -> String { value?.description ?? "" }

  /// What of the daemon's own environment commands get, if it is set.
  static let inheritedVariables = ["PATH", "HOME", "LANG", "XDG_RUNTIME_DIR"]

  /// What every command gets: the inherited variables of `environment`, and where the daemon's socket is.
  static func baseEnvironment(address: String, inheriting environment: [String: String]) -> [String: String] {
    var base = environment.filter { inheritedVariables.contains($0.key) }
    base["STEPPERD_ADDRESS"] = address
    return base
  }
}
