import StepperCore

/// Reads what drives a control: `increment = "front:KEY_VOLUMEUP"` and its like.
struct BindingReader {
  let section: Section<ControlKey>
  let settings: ControlSettings
  let inputs: InputReader
  private var bindings: [Binding] = []
  /// Where each input is bound.
  private var places: [Place: ValuePath] = [:]

  /// What may be bound to a control only once.
  private struct Place: Hashable {
    var input: InputReference
    var modifier: EvdevUsage?
  }

  init(_ section: Section<ControlKey>, _ settings: ControlSettings, _ inputs: InputReader) {
    (self.section, self.settings, self.inputs) = (section, settings, inputs)
  }

  private static let steps: [(ControlKey, Direction, StepUnit)] = [
    (.increment, .increment, .step), (.decrement, .decrement, .step), (.pageIncrement, .increment, .page),
    (.pageDecrement, .decrement, .page), (.toMaximum, .increment, .limit), (.toMinimum, .decrement, .limit),
  ]

  mutating func read() -> [Binding] {
    for (key, direction, unit) in Self.steps {
      add(
        found(key, .button, unit == .limit ? [.feedback] : [.multiplier, .feedback]), .step(direction, unit))
    }
    add(found(.reset, .button), .reset)
    add(found(.rotate, .relativeAxis, [.multiplier, .feedback]), .rotate)
    for (key, bound) in [(ControlKey.toMinimum, settings.minimumValue), (.toMaximum, settings.maximumValue)]
    where section[key] != nil && bound == nil {
      section.report("there is no such end of the range to go to", at: key)
    }
    let absolute = found(.absolute, .absoluteAxis, [.feedback])
    if !absolute.isEmpty, settings.kind == .continuous,
      settings.minimumValue == nil || settings.maximumValue == nil
    {
      section.report("needs a control with a minimum and a maximum", at: .absolute)
    }
    add(absolute, .absolute)
    if let value = section[.push] {
      let (found, actions) = PushReader(kind: settings.kind, inputs: inputs).push(value)
      add(found, .push(actions))
    }
    return bindings
  }

  private func found(_ key: ControlKey, _ kind: InputReader.Kind, _ extras: Set<BindingKey> = [])
    -> [InputReader.Found]
  {
    section[key].map { inputs.inputs($0, kind, extras) } ?? []
  }

  private mutating func add(_ found: [InputReader.Found], _ action: Binding.Action) {
    for (found, value) in found {
      var binding = found
      let place = Place(input: binding.input, modifier: binding.modifier)
      if let former = places.updateValue(value.path, forKey: place) {
        value.report("this input drives the control already, by \(former)")
      }
      binding.action = action
      bindings.append(binding)
    }
  }
}
