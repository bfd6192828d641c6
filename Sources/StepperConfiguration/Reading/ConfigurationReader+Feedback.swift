import StepperCore

/// `feedback = { … }`, `outputs`, `light` and hooks.
extension ConfigurationReader {
  /// `feedback` of a control or a profile: `false`, or a table of moments that comes on top of `rules`.
  mutating func feedback(_ section: Section<OptionKey>, onTopOf rules: FeedbackRules) -> FeedbackRules? {
    guard let item = section[.feedback] else { return nil }
    if case .boolean(let isOn) = item.node { return isOn ? FeedbackRules() : .silent }
    guard case .table(let table) = item.node else {
      report(
        "must be true, false or a table such as { limit = \"rigid\" }, found \(item.node.found)",
        at: item.path)
      return nil
    }
    var rules = rules
    let moments = Moment.allCases.map(\.rawValue)
    for entry in table.entries {
      let (key, path) = (entry.key, item.path[entry.key])
      guard let moment = Moment(word: key) else {
        report(
          "there is no moment \(quoted(key)); known are \(moments.joined(separator: ", "))", at: path, .key,
          suggesting: { _ in suggestion(for: key, among: moments) })
        continue
      }
      if let effect = word(entry.node, at: path, of: FeedbackEffect.self) { rules[moment] = effect }
    }
    return rules
  }

  /// `"knob"`, or `"buzzer:click"`: where effects are played, in the order of preference.
  mutating func outputs(
    _ section: Section<ControlKey>, _ devices: [DeviceConfiguration]
  ) -> [OutputReference] {
    references(section, .outputs, devices, upTo: ConfigurationLimit.outputs) {
      reader, reference, source, path in
      let kinds = source.outputKinds.map(\.rawValue)
      guard !kinds.isEmpty else {
        return reader.report(
          "\(quoted(reference.device)) is virtual: nothing of it can be felt or seen", at: path)
      }
      guard let output = reference.output, !kinds.contains(where: output.isExactly) else { return }
      let known = kinds.count > 1 ? "known are" : "\(quoted(reference.device)) has only"
      reader.report(
        "there is no output \(quoted(output)); \(known) \(kinds.joined(separator: ", "))", at: path,
        suggesting: { _ in suggestion(for: output, among: kinds) })
    }
  }

  /// `"lamp"`, or `"knob:LED_MUTE"`: what shows the value.
  mutating func lights(
    _ section: Section<ControlKey>, _ devices: [DeviceConfiguration]
  ) -> [OutputReference] {
    references(section, .light, devices, upTo: ConfigurationLimit.lights) { reader, reference, source, path in
      let device = quoted(reference.device)
      switch source {
      case .virtual: reader.report("\(device) is virtual: it has no lights", at: path)
      case .vibrator: reader.report("\(device) is a vibrator: it has no lights", at: path)
      case .light(let name):
        guard let light = reference.output, !light.isExactly(name) else { return }
        reader.report("\(device) is the one light \(quoted(name)), found \(quoted(light))", at: path)
      // What its lights are called is only known where it is.
      case .matching:
        guard reference.output?.isEmpty == true else { return }
        reader.report(
          "must be \"DEVICE\" or \"DEVICE:LIGHT\" such as \"knob:LED_MUTE\", found \(quoted("\(reference.device):"))",
          at: path)
      }
    }
  }

  /// One reference or an array of them, to devices that there are; `check` reports what they do not have.
  private mutating func references(
    _ section: Section<ControlKey>, _ key: ControlKey, _ devices: [DeviceConfiguration], upTo most: Int,
    check: (inout Self, OutputReference, DeviceConfiguration.Source, ValuePath) -> Void
  ) -> [OutputReference] {
    guard let item = section[key] else { return [] }
    return elements(item.node, at: item.path, upTo: most).compactMap { node, path in
      guard let text = text(node, at: path) else { return nil }
      let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      guard let device = device(named: parts[0], at: path, devices) else { return nil }
      let reference = OutputReference(device: parts[0], output: parts.count > 1 ? parts[1] : nil)
      check(&self, reference, device.source, path)
      return reference
    }
  }
}

extension DeviceConfiguration.Source {
  /// What effects may be played on, as far as the configuration tells.
  fileprivate var outputKinds: [OutputKind] {
    switch self {
    case .virtual: []
    case .matching: OutputKind.allCases
    case .light: [.classLED]
    case .vibrator: [.vibrator]
    }
  }
}
