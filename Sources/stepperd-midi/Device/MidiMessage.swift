internal import StepperConfiguration

/// A message of MIDI, of what moves or shows something. Channels are 1 to 16.
enum MidiMessage: Hashable, Sendable {
  /// A velocity of 0 is the end of the note.
  case note(channel: Int, number: Int, velocity: Int)
  case controller(channel: Int, number: Int, value: Int)
  /// 0 to 16383.
  case bend(channel: Int, value: Int)
  /// Of a manufacturer, from `F0` to `F7`: only sent.
  case exclusive([UInt8])
}

/// What a port sends something of: `cc-1-16`, `note-1-60` or `bend-1`, with the channel first.
enum MidiInput: Hashable, Sendable, Comparable {
  case controller(channel: Int, number: Int)
  case note(channel: Int, number: Int)
  case bend(channel: Int)

  var name: String {
    switch self {
    case .controller(let channel, let number): "cc-\(channel)-\(number)"
    case .note(let channel, let number): "note-\(channel)-\(number)"
    case .bend(let channel): "bend-\(channel)"
    }
  }

  init(_ controller: MidiConfiguration.Controller) {
    self = .controller(channel: controller.channel, number: controller.number)
  }

  /// nil: there is no such input.
  init?(name: String) {
    let words = name.split(separator: "-", omittingEmptySubsequences: false)
    let numbers = words.dropFirst().compactMap { Int($0) }
    guard numbers.count == words.count - 1, let channel = numbers.first, (1...16).contains(channel) else {
      return nil
    }
    switch (words[0], numbers.count) {
    case ("cc", 2) where (0...119).contains(numbers[1]):
      self = .controller(channel: channel, number: numbers[1])
    case ("note", 2) where (0...127).contains(numbers[1]):
      self = .note(channel: channel, number: numbers[1])
    case ("bend", 1): self = .bend(channel: channel)
    default: return nil
    }
    guard self.name == name else { return nil }
  }
}
