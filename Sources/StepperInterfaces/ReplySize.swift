// How many bytes the long parts of replies take at most, so that a reply is known to be short before it is written.

import Varlink

extension ControlInterface.Description {
  /// Of what may be left out of it: the names and titles of its choices, its titles and subtitles by language, and the
  /// titles of its group.
  package var namesSize: Int {
    let names = [choices, choiceTitles].compactMap(\.self).joined()
    let translations = [titles ?? [:], subtitles ?? [:], groupTitles ?? [:]] + (choiceTranslations ?? [])
    return names.reduce(0) { $0 + JSONText.size(of: $1) }
      + translations.reduce(JSONText.size(of: groupTitle)) { $0 + Self.size(of: $1) }
  }

  private static func size(of titles: [String: String]) -> Int {
    titles.reduce(2) { $0 + JSONText.size(of: $1.key) + JSONText.size(of: $1.value) }
  }
}

extension ControlInterface.MomentEvent {
  package var replySize: Int {
    // The names of its fields, and its numbers.
    256 + JSONText.size(of: control) + JSONText.size(of: text) + JSONText.size(of: speech)
      + JSONText.size(of: device) + JSONText.size(of: hold)
  }
}

extension ControlInterface.Accessibility {
  package var replySize: Int {
    // The names of its fields, and its words.
    192 + JSONText.size(of: label) + JSONText.size(of: value) + JSONText.size(of: hint)
      + JSONText.size(of: limit) + JSONText.size(of: speech) + JSONText.size(of: control)
  }
}

extension DeviceInterface.Device {
  /// Of what is never left out.
  package var fixedSize: Int {
    // The names of its fields, its numbers, and its outputs.
    let texts = [
      device, name, vendor, product, physicalPath, uniqueName, node, provider, problem, state.rawValue,
    ]
    return 768 + texts.reduce(0) { $0 + JSONText.size(of: $1) }
  }

  package var lightsSize: Int { lights.reduce(0) { $0 + JSONText.size(of: $1) } }
}

extension DeviceInterface.Capability {
  package var replySize: Int {
    // The names of its fields, and its numbers.
    128 + JSONText.size(of: name) + JSONText.size(of: eventType) + JSONText.size(of: eventCode)
      + controls.reduce(0) { $0 + JSONText.size(of: $1) }
  }
}

extension DeviceInterface.Frame {
  package var replySize: Int {
    // The names of its fields, and its numbers.
    160 + JSONText.size(of: device) + events.reduce(0) { $0 + 40 + JSONText.size(of: $1.code) }
      + consequences.reduce(0) { $0 + $1.replySize }
  }
}

extension DeviceInterface.Consequence {
  package var replySize: Int {
    // The names of its fields, its outcome and its detents.
    128 + JSONText.size(of: code) + JSONText.size(of: control) + JSONText.size(of: before)
      + JSONText.size(of: after)
  }
}

extension DeviceInterface.MonitoredDevice {
  package var replySize: Int {
    // The names of its fields, and its numbers.
    let texts = [device, name, physicalPath, uniqueName, node, problem ?? ""] + links + codes + keysDown
    return 320 + texts.reduce(0) { $0 + JSONText.size(of: $1) }
      + properties.reduce(0) { $0 + JSONText.size(of: $1.key) + JSONText.size(of: $1.value) }
      + (detents ?? []).reduce(0) { $0 + 40 + JSONText.size(of: $1.code) }
      + JSONText.size(of: provider) + axes.reduce(0) { $0 + 180 + JSONText.size(of: $1.code) }
  }
}

extension ManagerInterface.Problem {
  package var replySize: Int {
    // The names of its fields, and its numbers.
    128 + JSONText.size(of: file) + JSONText.size(of: keyPath) + JSONText.size(of: message)
      + JSONText.size(of: suggestion)
  }
}
