import StepperCore

/// `feedback = { … }`, `outputs`, `light` and hooks.
extension ConfigurationReader {
  /// `feedback` of a control or a profile: `false`, or a table of moments that comes on top of `rules`.
  mutating func feedback(_ section: Section<OptionKey>, onTopOf rules: FeedbackRules) -> FeedbackRules? {
    guard let item = section[.feedback] else { return nil }
    if case .boolean(let isOn) = item.node { return isOn ? FeedbackRules() : .silent }
    guard case .table(let entries) = item.node else {
      report(
        "must be true, false or a table such as { limit = \"rigid\" }, found \(item.node.found)",
        at: item.path)
      return nil
    }
    var rules = rules
    let moments = Moment.allCases.map(\.rawValue)
    for (key, node) in entries {
      let path = item.path[key]
      guard let moment = Moment(rawValue: key) else {
        report(
          "there is no moment \(quoted(key)); known are \(moments.joined(separator: ", "))", at: path, .key,
          suggesting: suggestion(for: key, among: moments))
        continue
      }
      if let effect = word(node, at: path, of: FeedbackEffect.self) { rules[moment] = effect }
    }
    return rules
  }

  /// `"knob"`, or `"buzzer:click"`: where effects and lights go, in the order of preference.
  mutating func outputs(
    _ section: Section<ControlKey>, _ key: ControlKey, _ devices: [DeviceConfiguration]
  ) -> [OutputReference] {
    guard let item = section[key] else { return [] }
    let outputNames = OutputKind.allCases.map(\.rawValue)
    // What a light is called is only known where it is: LED_MUTE, or a name in /sys/class/leds.
    let isOutput = { (name: String) in key == .light ? !name.isEmpty : outputNames.contains(name) }
    return elements(item.node, at: item.path).compactMap { node, path in
      guard let text = text(node, at: path) else { return nil }
      let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      guard device(named: parts[0], at: path, devices) != nil else { return nil }
      guard parts.count == 1 || isOutput(parts[1]) else {
        report(
          "there is no output \(quoted(parts[1])); known are \(outputNames.joined(separator: ", "))",
          at: path,
          suggesting: suggestion(for: parts[1], among: outputNames))
        return nil
      }
      return OutputReference(device: parts[0], output: parts.count > 1 ? parts[1] : nil)
    }
  }
}
