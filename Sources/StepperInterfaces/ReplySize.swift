// How many bytes the long parts of replies take, so that a reply is known to be short before it is written.

import Varlink

extension JSONWritable {
  /// With a comma behind it.
  package var replySize: Int {
    var bytes: [UInt8] = []
    // What cannot be written makes its reply fail, whatever it takes.
    try? appendJSON(to: &bytes)
    return bytes.count + 1
  }
}

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

extension DeviceInterface.Device {
  /// Of what is never left out.
  package var fixedSize: Int {
    var fixed = self
    (fixed.lights, fixed.capabilities) = ([], [])
    return fixed.replySize
  }

  package var lightsSize: Int { lights.reduce(0) { $0 + JSONText.size(of: $1) } }
}
