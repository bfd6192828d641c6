/// The action of a client's button on a control. The raw values are the keys of the configuration.
package enum PressAction: String, CaseIterable, Hashable, Sendable {
  case increment, decrement
  case pageIncrement = "page-increment"
  case pageDecrement = "page-decrement"
  case toMinimum = "to-minimum"
  case toMaximum = "to-maximum"
  case reset
  /// The control's push button.
  case push
}

extension ControlSettings {
  /// The action of a button that is bound to this control with `action`; nil: it cannot be bound.
  package func action(of action: PressAction) -> Binding.Action? {
    if action == .push { return .push(pushActions) }
    guard kind != .button else { return nil }
    switch action {
    case .increment: return .step(.increment, .step)
    case .decrement: return .step(.decrement, .step)
    case .pageIncrement: return .step(.increment, .page)
    case .pageDecrement: return .step(.decrement, .page)
    case .toMinimum: return minimumValue == nil ? nil : .step(.decrement, .limit)
    case .toMaximum: return maximumValue == nil ? nil : .step(.increment, .limit)
    case .reset, .push: return .reset
    }
  }

  /// The actions of the first push button that is bound to this control, or else the defaults of its kind.
  private var pushActions: PushActions {
    for binding in bindings {
      if case .push(let actions) = binding.action { return actions }
    }
    return PushActions(of: kind)
  }
}

extension Route {
  /// The route of a client's button.
  init(_ action: Binding.Action) {
    let nowhere = InputReference(device: "", usage: EvdevUsage(type: 0, code: 0))
    self.init(Binding(nowhere, action), to: 0, Layer([]) { _ in nil })
  }
}
