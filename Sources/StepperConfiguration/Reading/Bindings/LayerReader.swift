import StepperCore
import StepperText

/// Reads `when = { mode = "light" }` of bindings, after all controls have been read.
struct LayerReader {
  private var read: [ReadControl]
  /// The controls by their names.
  private let settings: [String: ControlSettings]
  /// The names of all tables of controls, including invalid ones.
  private let names: [String]

  init(_ read: [ReadControl], named names: [String]) {
    self.read = read
    self.names = names
    let named = read.map { ($0.configuration.settings.name, $0.configuration.settings) }
    settings = Dictionary(named) { first, _ in first }
    for index in read.indices { readLayers(of: &self.read[index]) }
  }

  var controls: [ControlConfiguration] { read.map(\.configuration) }

  private func readLayers(of control: inout ReadControl) {
    for (index, found) in control.bindings.enumerated() {
      guard let when = found.when else { continue }
      control.configuration.settings.bindings[index].layer = conditions(when)
    }
    checkPlaces(of: control)
  }

  // MARK: Conditions

  private func conditions(_ when: ConfigurationValue) -> [LayerCondition] {
    let what = "a table such as { mode = \"light\" }"
    let entries = when.entries(what, upTo: ConfigurationLimit.conditions, "controls")
    if entries.isEmpty, case .table = when.node {
      when.report("names no control; it must be \(what)")
    }
    return entries.compactMap(condition)
  }

  private func condition(_ name: String, _ value: ConfigurationValue) -> LayerCondition? {
    guard let decider = settings[name] else {
      // An invalid table is reported at its own place.
      guard !names.contains(where: name.isExactly) else { return nil }
      if case .table = value.node {
        return value.refuse("there is no [control.\(name)]; a name with a dot is written in quotes", .key)
      }
      return value.refuse("there is no [control.\(excerpt(name))]", .key) {
        suggestion(for: name, among: names)
      }
    }
    switch decider.kind {
    case .choice, .toggle: break
    case .continuous:
      return value.refuse("is continuous; a layer is decided by a choice or a toggle", .key)
    case .button:
      return value.refuse("is a button, whose input is a modifier with while = \"DEVICE:CODE\"", .key)
    }
    let elements = value.elements(upTo: ConfigurationLimit.choices)
    guard !elements.isEmpty else { return value.refuse("must not be empty") }
    var values: [FixedPoint] = []
    for element in elements {
      guard let number = element.value(of: decider) else { continue }
      if values.contains(number) {
        element.report("\(quoted(decider.text(of: number))) occurs more than once")
      }
      values.append(number)
    }
    return values.isEmpty ? nil : LayerCondition(control: name, values: values)
  }

  // MARK: What does not go together

  /// Reports inputs that are bound more than once with the same modifier in the same layer.
  private func checkPlaces(of control: ReadControl) {
    struct Place: Hashable {
      var input: InputReference
      var modifier: EvdevUsage?
    }
    var places: [Place: [(layer: [LayerCondition], path: ValuePath)]] = [:]
    for (binding, found) in zip(control.configuration.settings.bindings, control.bindings) {
      // Conditions that could not be read have been reported.
      if found.when != nil, binding.layer.isEmpty { continue }
      let place = Place(input: binding.input, modifier: binding.modifier)
      if let former = places[place]?.last(where: { Self.canMeet($0.layer, binding.layer) }) {
        let isLayered = !(former.layer.isEmpty && binding.layer.isEmpty)
        found.value.report(
          "this input drives the control already\(isLayered ? " in the same layer" : ""), by \(former.path)")
      }
      places[place, default: []].append((binding.layer, found.value.path))
    }
  }

  /// Whether both layers can be live at the same time, so that no control would need two values.
  private static func canMeet(_ first: [LayerCondition], _ second: [LayerCondition]) -> Bool {
    first.allSatisfy { condition in
      second.allSatisfy { other in
        other.control != condition.control || condition.values.contains(where: other.values.contains)
      }
    }
  }

  // MARK: Warnings

  /// Warns of layers that are never live, because nothing changes the control that decides them.
  func warn() {
    let fixed = fixedValues
    guard !fixed.isEmpty else { return }
    for control in read {
      for (binding, found) in zip(control.configuration.settings.bindings, control.bindings) {
        guard let when = found.when, case .table(let table) = when.node else { continue }
        for (name, value) in when.entries(of: table) {
          guard let settings = settings[name], let number = fixed[name],
            let condition = binding.layer.first(where: { $0.control.isExactly(name) }),
            !condition.values.contains(where: { $0 == number })
          else { continue }
          let state = number.map { quoted(settings.text(of: $0)) } ?? "unset"
          value.report(
            "is never true: nothing changes [control.\(name)], which is \(state)", severity: .warning)
        }
      }
    }
  }

  /// The values of the controls that neither programs nor devices can change.
  private var fixedValues: [String: FixedPoint?] {
    var fixed: [String: FixedPoint?] = [:]
    for control in controls where control.writableBy == .nobody && control.settings.kind != .button {
      fixed.updateValue(control.settings.initialValue, forKey: control.settings.name)
    }
    // A control that can change may enable layers by which others can change; this is repeated until none is left.
    var isDone = fixed.isEmpty
    while !isDone {
      isDone = true
      for control in controls where fixed[control.settings.name] != nil && control.settings.isEnabled {
        let canChange = control.settings.bindings.contains { binding in
          binding.layer.allSatisfy { condition in
            fixed[condition.control].map { value in value.map(condition.values.contains) ?? false } ?? true
          }
        }
        if canChange { (fixed[control.settings.name], isDone) = (nil, false) }
      }
    }
    return fixed
  }
}
