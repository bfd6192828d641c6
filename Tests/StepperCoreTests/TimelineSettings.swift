import StepperCore
import Testing

/// Reads the settings above a timeline: `control NAME key=value …` and `device NAME key=value …`; without a
/// control there is `volume` with UIStepper's defaults, driven by every input of the panel.
func configurationFrom(_ lines: some Sequence<String>) throws -> EngineConfiguration {
  var result = EngineConfiguration(controls: [], devices: [DeviceSettings(name: "panel")])
  for line in lines {
    let words = line.split(separator: " ")
    let pairs = words.dropFirst(2).map { word in
      let parts = word.split(separator: "=", maxSplits: 1)
      return (key: String(parts[0]), value: parts.count > 1 ? String(parts[1]) : "")
    }
    switch words[0] {
    case "control": result.controls.append(try control(String(words[1]), pairs))
    case "device":
      result.devices.removeAll { $0.name == words[1] }
      result.devices.append(try device(String(words[1]), pairs))
    default: throw TimelineError(text: "no such setting: \(line)")
    }
  }
  if result.controls.isEmpty { result.controls = [try control("volume", [])] }
  return result
}

private func control(_ name: String, _ pairs: [(key: String, value: String)]) throws -> ControlSettings {
  var settings = ControlSettings(name: name)
  for (key, value) in pairs {
    func decimal() throws -> FixedPoint { try #require(FixedPoint(value), "no number: \(value)") }
    func bindings(_ action: Binding.Action) throws -> [Binding] {
      try value.split(separator: ",").map { word in
        let parts = word.split(separator: ":")
        return Binding(InputReference(device: String(parts[0]), usage: try usage(parts[1])), action)
      }
    }
    switch key {
    case "minimum": settings.minimumValue = value == "none" ? nil : try decimal()
    case "maximum": settings.maximumValue = value == "none" ? nil : try decimal()
    case "step": settings.stepValue = try decimal()
    case "page": settings.pageIncrement = try decimal()
    case "initial": settings.initialValue = try decimal()
    case "wraps": settings.wraps = true
    case "once": settings.autorepeat = false
    case "at-end": settings.isContinuous = false
    case "disabled": settings.isEnabled = false
    case "repeat":
      let times = try value.split(separator: "/").map { try duration($0) - .milliseconds(0) }
      settings.repeatSchedule = RepeatSchedule(delay: times[0], interval: times[1])
    case "push":
      settings.bindings += [
        Binding(InputReference(device: "panel", usage: .button0), .push(try pushActions(value)))
      ]
    case "plus": settings.bindings += try bindings(.step(.increment, .step))
    case "minus": settings.bindings += try bindings(.step(.decrement, .step))
    case "page-plus": settings.bindings += try bindings(.step(.increment, .page))
    case "rotate": settings.bindings += try bindings(.rotate)
    case "absolute": settings.bindings += try bindings(.absolute)
    default: throw TimelineError(text: "no such key: \(key)")
    }
  }
  settings.digits = ControlSettings.digits(showing: [
    settings.minimumValue, settings.maximumValue, settings.stepValue, settings.initialValue,
  ])
  func panel(_ input: VirtualInput, _ action: Binding.Action) -> Binding {
    Binding(InputReference(device: "panel", usage: input.usage), action)
  }
  if settings.bindings.isEmpty || pairs.contains(where: { $0.key == "push" }) {
    settings.bindings += [
      panel(.plus, .step(.increment, .step)), panel(.minus, .step(.decrement, .step)),
      panel(.dial, .rotate), panel(.fader, .absolute),
    ]
    if !pairs.contains(where: { $0.key == "push" }) {
      settings.bindings.append(panel(.push, .push(PushActions())))
    }
  }
  return settings
}

/// `short:reset,long:toggle:0/50,delay:800ms`
private func pushActions(_ text: String) throws -> PushActions {
  var actions = PushActions()
  for word in text.split(separator: ",") {
    let parts = word.split(separator: ":")
    func action() throws -> PushActions.Action {
      switch parts[1] {
      case "reset": return .reset
      case "page-mode": return .pageMode
      default:
        let values = try parts[2].split(separator: "/").map { try #require(FixedPoint($0)) }
        return .toggle(values[0], values[1])
      }
    }
    switch parts[0] {
    case "short": actions.short = try action()
    case "long": actions.long = try action()
    case "delay": actions.longPressDelay = try duration(parts[1]) - .milliseconds(0)
    default: throw TimelineError(text: "no such push key: \(word)")
    }
  }
  return actions
}

private func device(_ name: String, _ pairs: [(key: String, value: String)]) throws -> DeviceSettings {
  var settings = DeviceSettings(name: name)
  for (key, value) in pairs {
    switch key {
    case "invert": settings.isInverted = true
    case "counts-per-detent": settings.countsPerDetent = try #require(Int(value))
    case "acceleration":
      let numbers = try value.split(separator: "/").map { try #require(Double($0)) }
      settings.acceleration = AccelerationCurve(maximumGain: numbers[0], slow: numbers[1], fast: numbers[2])
    default: throw TimelineError(text: "no such key: \(key)")
    }
  }
  return settings
}
