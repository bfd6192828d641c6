/// A MIDI message that moves or shows something. Channels are numbered from 1 to 16.
enum MidiMessage: Hashable, Sendable {
  /// A velocity of 0 ends the note.
  case note(channel: Int, number: Int, velocity: Int)
  case controller(channel: Int, number: Int, value: Int)
  /// `value` is from 0 to 16383.
  case bend(channel: Int, value: Int)
  /// A message of a manufacturer, from `F0` to `F7`. It is only sent, never received.
  case exclusive([UInt8])
}
