/// An input of a MIDI port: `cc-1-16`, `note-1-60` or `bend-1`. The first number is the channel, from 1 to 16.
package enum MidiInput: Hashable, Sendable, Comparable {
  case controller(channel: Int, number: Int)
  case note(channel: Int, number: Int)
  case bend(channel: Int)

  package var name: String {
    switch self {
    case .controller(let channel, let number): "cc-\(channel)-\(number)"
    case .note(let channel, let number): "note-\(channel)-\(number)"
    case .bend(let channel): "bend-\(channel)"
    }
  }

  /// nil: the name is not that of an input.
  package init?(name: String) {
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
