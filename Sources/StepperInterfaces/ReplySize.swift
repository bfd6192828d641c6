// How many bytes the long parts of replies take at most, so that a reply is known to be short before it is written.

import Varlink

extension ControlInterface.Description {
  /// Of what may be left out of it: the names of its choices and its titles by language.
  package var namesSize: Int {
    (choices ?? []).reduce(0) { $0 + JSONText.size(of: $1) }
      + (titles ?? [:]).reduce(0) { $0 + JSONText.size(of: $1.key) + JSONText.size(of: $1.value) }
  }
}

extension ControlInterface.MomentEvent {
  package var replySize: Int {
    // The names of its fields, and its numbers.
    256 + JSONText.size(of: control) + JSONText.size(of: text) + JSONText.size(of: speech)
      + JSONText.size(of: device)
  }
}

extension DeviceInterface.Capability {
  package var replySize: Int {
    // The names of its fields, and its numbers.
    128 + JSONText.size(of: name) + JSONText.size(of: eventType) + JSONText.size(of: eventCode)
      + controls.reduce(0) { $0 + JSONText.size(of: $1) }
  }
}

extension ManagerInterface.Problem {
  package var replySize: Int {
    // The names of its fields, and its numbers.
    128 + JSONText.size(of: file) + JSONText.size(of: keyPath) + JSONText.size(of: message)
      + JSONText.size(of: suggestion)
  }
}
