/// The findings about the inputs of a control.
struct LearnedInputs {
  var turn: TurnFinding?
  var increment: WatchedInput?
  var decrement: WatchedInput?
  var push: WatchedInput?
  var pushAction = PushAction.none
  var fader: Fader?

  /// What a short press of the knob does.
  enum PushAction: String { case none, reset, pageMode = "page-mode" }

  struct Fader {
    var finding: FaderFinding
    /// Whether its upper end is the lower count.
    var isInverted: Bool
    /// The dead zone of a stick that returns to its middle.
    var deadZone: Int32?
    var isLogarithmic = false
  }

  var isEmpty: Bool {
    turn == nil && increment == nil && decrement == nil && push == nil && fader == nil
  }

  /// Every input, with the key of the control's table that binds it.
  var bindings: [(key: String, input: WatchedInput)] {
    let all: [(String, WatchedInput?)] = [
      ("rotate", turn?.input), ("increment", increment), ("decrement", decrement),
      ("absolute", fader?.finding.input), ("push", push),
    ]
    return all.compactMap { key, input in input.map { (key, $0) } }
  }

  /// The devices in the order in which they were found, each with the name for a new table.
  var devices: [(name: String, role: String)] {
    var found: [(name: String, role: String)] = []
    for (key, input) in bindings where !found.contains(where: { $0.name == input.device }) {
      let role = ["rotate": "knob", "absolute": "fader"][key] ?? "buttons"
      found.append((input.device, role))
    }
    return found
  }
}
