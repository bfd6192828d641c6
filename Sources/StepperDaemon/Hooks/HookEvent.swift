import StepperCore
import StepperInterfaces

/// An event of a control for hooks. It is created thousands of times per second and used rarely, so it contains only
/// what cannot be determined later; see ``HookDetails``.
struct HookEvent: Hashable {
  var control: String
  /// nil: the value changed, with any origin.
  var moment: Moment?
  /// nil: unset.
  var value: FixedPoint?
  /// The previous value. Except for the first run, ``HookSchedule`` replaces it by the value of the previous run.
  var previous: FixedPoint?
  var origin: Origin
  var limit: Limit
  /// The number of the change (``ControlState/sequence``).
  var sequence: Int64
}

/// The details of an event that are determined when a command is started.
struct HookDetails: Hashable {
  var text: String?
  var previousText: String?
  var minimum: FixedPoint?
  var maximum: FixedPoint?
  var unit: String?
  var title: String?
  /// The sentence to speak: label, value, and the end of the range that the value is at.
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

  /// The values of ``HookSettings/knownPlaceholders``; empty if they do not apply.
  func placeholders(_ details: HookDetails) -> [String: String] {
    [
      "control": control, "moment": moment?.rawValue ?? "change", "value": Self.text(value),
      "text": details.text ?? "", "previous": Self.text(previous),
      "previous-text": details.previousText ?? "",
      "origin": ControlInterface.Origin(origin).rawValue, "limit": ControlInterface.Limit(limit).rawValue,
      "minimum": Self.text(details.minimum), "maximum": Self.text(details.maximum),
      "unit": details.unit ?? "",
      "title": details.title ?? "", "speech": details.speech, "sequence": "\(sequence)",
    ]
  }

  /// The exact decimal.
  private static func text(_ value: FixedPoint?) -> String { value?.description ?? "" }

  /// The variables of the daemon's environment that commands inherit.
  static let inheritedVariables = ["PATH", "HOME", "LANG", "XDG_RUNTIME_DIR"]

  /// The environment of all commands: the inherited variables with the values of `variable`, and the address of the
  /// daemon's socket.
  static func baseEnvironment(
    address: String, inheriting variable: (String) -> String?
  ) -> [String: String] {
    let inherited = inheritedVariables.compactMap { name in variable(name).map { (name, $0) } }
    return Dictionary(inherited + [("STEPPERD_ADDRESS", address)], uniquingKeysWith: { $1 })
  }
}
