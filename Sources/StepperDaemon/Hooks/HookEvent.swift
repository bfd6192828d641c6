import StepperConfiguration
import StepperCore
import StepperInterfaces

/// An event of a control for hooks. It is created thousands of times per second and used rarely, so it contains only
/// what cannot be determined later; see ``placeholders(_:)``.
struct HookEvent: Hashable {
  /// Empty for the whole board.
  var control: String
  var occasion: HookOccasion
  /// nil: unset.
  var value: FixedPoint?
  /// The previous value. Except for the first run, ``HookSchedule`` replaces it by the value of the previous run.
  var previous: FixedPoint?
  var origin: Origin
  var limit: Limit
  /// The number of the change (``ControlState/sequence``).
  var sequence: Int64
  /// The name of the device that caused the event; nil: no device did.
  var device: String?
}

extension HookEvent {
  /// The environment of the command of `hook`: the variables of `base`, one for each of `placeholders`, and `STEPPER_HOOK`.
  static func environment(
    of hook: String, _ placeholders: [String: String], over base: [String: String]
  ) -> [String: String] {
    let own = placeholders.map { name, value in
      ("STEPPER_" + name.uppercased().map { $0 == "-" ? "_" : String($0) }.joined(), value)
    }
    return base.merging(own + [("STEPPER_HOOK", hook)]) { $1 }
  }

  /// The values of ``HookSettings/knownPlaceholders``, numbers as exact decimals; empty if they do not apply. `details`
  /// has the values that are determined when the command is started.
  func placeholders(_ details: [String: String?]) -> [String: String] {
    let own: [String: String?] = [
      "control": control, "moment": occasion.word, "value": value?.description,
      "previous": previous?.description, "origin": ControlInterface.Origin(origin).rawValue,
      "limit": ControlInterface.Limit(limit).rawValue, "sequence": "\(sequence)",
      "device": device,
    ]
    let all = own.merging(details) { own, _ in own }.mapValues { $0 ?? "" }
    return Dictionary(HookSettings.knownPlaceholders.map { ($0, all[$0] ?? "") }) { first, _ in first }
  }

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
