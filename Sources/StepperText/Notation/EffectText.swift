package import StepperCore

/// Writes effects of the engine in the notation of timelines: `publish 31 editing`.
package struct EffectText {
  private let names: ControlNames
  /// Whether the control is named even if it is the only one.
  private let namesAll: Bool

  package init(_ names: ControlNames, namesAll: Bool = false) {
    self.names = names
    self.namesAll = namesAll
  }

  package func text(_ effects: some Sequence<Effect>) -> String {
    effects.map(text(of:)).joined(separator: ", ")
  }

  private func named(_ id: ControlID) -> String {
    namesAll || names.count > 1 ? "\(names.word(for: id)) " : ""
  }

  private func text(of editing: EditingOrigin?) -> String {
    switch editing {
    case .device: " editing"
    case .client: " editing-by-client"
    case nil: ""
    }
  }

  private func text(of effect: Effect) -> String {
    switch effect {
    case .publish(let state):
      let limit =
        switch state.limit {
        case .none: ""
        case .minimum: " minimum"
        case .maximum: " maximum"
        case .both: " fixed"
        }
      let value = state.value.map { "\($0.normalized)" } ?? "unset"
      return "publish \(named(state.control))\(value)\(limit)\(text(of: state.editing))"
        + "\(state.isPressed ? " pressed" : "")\(state.isLive ? "" : " dead")"
    case .refuse(_, .outOfRange(let value)): return "refuse \(value)"
    case .refuse(_, .changed(let sequence)): return "refuse since \(sequence)"
    case .refuse(_, .unset): return "refuse unset"
    case .refuse(_, .invalidRange): return "refuse range"
    case .refuse(_, .unknownControl): return "refuse control"
    case .adjusted(let id): return namesAll ? "adjusted \(names.word(for: id))" : "adjusted"
    case .feedback(let feedback):
      let effect = feedback.effect.map { "=\($0.rawValue)" } ?? ""
      let hold = feedback.hold.map { " hold \($0.rawValue)" } ?? ""
      return "\(named(feedback.control))\(feedback.moment.rawValue)\(effect)\(hold)"
    case .applied(_, let steps): return "applied \(steps)"
    case .becameIdle: return "idle"
    case .becameActive(let device): return "active" + (device.map { " by \($0.rawValue)" } ?? "")
    }
  }
}
