import StepperCore

/// Reads the bindings of a control, such as `increment = "front:KEY_VOLUMEUP"`.
struct BindingReader {
  let section: Section<ControlKey>
  let settings: ControlSettings
  let inputs: InputReader

  private static let steps: [(ControlKey, Direction, StepUnit)] = [
    (.increment, .increment, .step), (.decrement, .decrement, .step), (.pageIncrement, .increment, .page),
    (.pageDecrement, .decrement, .page), (.toMaximum, .increment, .limit), (.toMinimum, .decrement, .limit),
  ]

  func bindings() -> [InputReader.Found] {
    let extras: Set<BindingKey> = [.multiplier, .feedback]
    var found = Self.steps.flatMap { key, direction, unit in
      self.found(key, .button, .step(direction, unit), unit == .limit ? [.feedback] : extras)
    }
    found += self.found(.reset, .button, .reset)
    found += self.found(.rotate, .relativeAxis, .rotate, extras)
    let absolute = self.found(.absolute, .absoluteAxis, .absolute, [.feedback])
    let push = PushReader(settings: settings, inputs: inputs, mostPresses: mostPresses)
    found += absolute + (section[.push].map(push.push) ?? [])
    checkEnds(hasAbsolute: !absolute.isEmpty)
    return found
  }

  /// The number of presses in a row that hooks need to be distinguished.
  private var mostPresses: Int {
    section[.onTriplePress] != nil ? 3 : section[.onDoublePress] != nil ? 2 : 1
  }

  private func found(
    _ key: ControlKey, _ kind: InputReader.Kind, _ action: Binding.Action, _ extras: Set<BindingKey> = []
  ) -> [InputReader.Found] {
    section[key].map { inputs.inputs($0, kind, action, extras) } ?? []
  }

  /// Reports inputs that need an end of the range that the control does not have.
  private func checkEnds(hasAbsolute: Bool) {
    let (minimum, maximum) = (settings.minimumValue, settings.maximumValue)
    for (key, bound) in [(ControlKey.toMinimum, minimum), (.toMaximum, maximum)] where bound == nil {
      section[key]?.report("there is no such end of the range to go to")
    }
    if hasAbsolute, settings.kind == .continuous, minimum == nil || maximum == nil {
      section[.absolute]?.report("needs a control with a minimum and a maximum")
    }
  }
}
