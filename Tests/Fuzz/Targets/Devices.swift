import StepperCore
import StepperLinux
import StepperText

extension FuzzTarget {
  /// The report descriptor of a HID device.
  static let descriptors = FuzzTarget("descriptors", upTo: 4_096, within: .milliseconds(200)) { input in
    guard let report = HapticReport(descriptor: input) else { return }
    for waveform in [0, 2, 3, report.click ?? 3, .max, .min] {
      for strength in [0, 0.5, 1] {
        let bytes = report.bytes(waveform: waveform, strength: strength)
        try require((1...16_385).contains(bytes.count), "a report of \(bytes.count) bytes")
      }
    }
  }

  /// What a device says of itself, and the patterns it is matched with: texts up to a NUL each.
  static let devices = FuzzTarget("devices", upTo: 512, within: .milliseconds(300)) { input in
    var source = ByteSource(input)
    let (pattern, text) = (source.text(), source.text())
    // A question mark may match one byte of a character as well.
    if pattern.utf8.allSatisfy({ $0 < 0x80 }) && text.utf8.allSatisfy({ $0 < 0x80 }) {
      try require(
        glob(pattern, matches: text)
          == slowGlob(Array(pattern.unicodeScalars), Array(text.unicodeScalars)),
        "\(pattern.debugDescription) and \(text.debugDescription)")
    }
    try require(
      glob("*", matches: text) && glob(text, matches: text), "\(text.debugDescription) is not itself")
    var identity = DeviceIdentity(node: "/dev/input/event0")
    identity.name = text
    identity.links = source.text().split(separator: " ").map(String.init)
    identity.properties = [source.text(): source.text()]
    let words = source.text()
    for code in bits(inWords: words) { identity.usages.insert(.key(code)) }
    try require(identity.usages.count <= (words.utf8.count / 2 + 1) * UInt.bitWidth, "too many keys")
    var match = DeviceMatch()
    match.name = pattern
    match.path = pattern
    match.properties = [pattern: "*"]
    _ = match.matches(identity)
    match.path = nil
    match.properties = [:]
    try require(match.matches(identity) == glob(pattern, matches: text), "a name is matched in two ways")
    _ = identity.isGeneralPurpose
    if let usage = EvdevUsage(name: source.text()) {
      try require(EvdevUsage(name: usage.name) == usage, "\(usage) has the name \(usage.name)")
    }
  }

  /// What ``glob(_:matches:)`` means, by its definition.
  private static func slowGlob(_ pattern: [Unicode.Scalar], _ text: [Unicode.Scalar]) -> Bool {
    // Row by row: which ends of the text each beginning of the pattern leads to.
    var reached: Set<Int> = [text.startIndex]
    for character in pattern {
      if character == "*" {
        reached = Set((reached.min() ?? text.endIndex + 1)..<(text.endIndex + 1))
      } else {
        reached = Set(
          reached.filter { $0 < text.endIndex && (character == "?" || text[$0] == character) }.map { $0 + 1 })
      }
      if reached.isEmpty { return false }
    }
    return reached.contains(text.endIndex)
  }
}
