internal import StepperClient
internal import StepperConfiguration
internal import StepperInterfaces

/// The inputs and outputs of a Mackie Control, or of a controller that emulates one: nine motor faders with touch, eight knobs with LED
/// rings, a jog wheel, buttons with LEDs, and a two-line display above the strips.
///
/// Source: the protocol as described by Ardour (`libs/surfaces/mackie`) and the Logic Control manual.
enum MackieControl {
  static let strips = 8

  static let inputs: MidiInputs = {
    var inputs = MidiInputs()
    for number in 0...101 { _ = inputs.add(.note(channel: 1, number: number), .button) }
    for strip in 0...strips {
      let touch = MidiInput.note(channel: 1, number: 104 + strip)
      _ = inputs.add(touch, .button)
      _ = inputs.add(.bend(channel: strip + 1), .fader(isFine: true), touch: touch)
    }
    for strip in 0..<strips { _ = inputs.add(knob(strip), .knob(.sign)) }
    _ = inputs.add(.controller(channel: 1, number: 60), .knob(.sign))
    return inputs
  }()

  private static func knob(_ strip: Int) -> MidiInput { .controller(channel: 1, number: 16 + strip) }

  /// The buttons whose LEDs are outputs: those of the strips and of the transport.
  private static let lit = Array(0...31) + Array(91...95)

  static let outputs: [ProviderInterface.Output] = {
    func code(_ input: MidiInput) -> String? { inputs.entries[input]?.code }
    let motors = (0...strips).map { strip in
      ProviderInterface.Output(
        name: "bend-\(strip + 1)", kind: .position, axis: code(.bend(channel: strip + 1)))
    }
    let rings = (0..<strips).map { ProviderInterface.Output(name: "ring-\($0 + 1)", kind: .light) }
    let displays = (0..<strips).map { strip in
      ProviderInterface.Output(name: "display-\(strip + 1)", kind: .text, axis: code(knob(strip)))
    }
    let lights = lit.map { ProviderInterface.Output(name: "note-1-\($0)", kind: .light) }
    return motors + rings + displays + lights
  }()

  /// The message for the LED ring of a knob, filled from the left.
  static func ring(_ output: String, _ brightness: Double) -> MidiMessage? {
    guard let strip = number(output, "ring-") else { return nil }
    let lights = Int((min(max(brightness, 0), 1) * 11).rounded())
    return .controller(channel: 1, number: 48 + strip, value: 0x20 + lights)
  }

  /// The characters of a strip. The last one separates it from the next strip.
  private static let width = 7

  /// The messages for a strip of the display: the title above the value.
  static func display(_ text: ProviderInterface.Text) -> [MidiMessage] {
    guard let strip = number(text.output, "display-") else { return [] }
    return [line(0, strip, text.title), line(1, strip, text.valueWithUnit)]
  }

  private static func line(_ row: Int, _ strip: Int, _ text: String) -> MidiMessage {
    let shown = text.unicodeScalars.prefix(width - 1).map { scalar in
      (0x20...0x7e).contains(scalar.value) ? UInt8(scalar.value) : UInt8(ascii: "?")
    }
    let padded = shown + Array(repeating: UInt8(ascii: " "), count: width - shown.count)
    let place = UInt8(row * width * strips + strip * width)
    return .exclusive([0xf0, 0x00, 0x00, 0x66, 0x14, 0x12, place] + padded + [0xf7])
  }

  /// The number in the name of an output such as `ring-3`, counted from 0.
  private static func number(_ output: String, _ prefix: String) -> Int? {
    guard output.hasPrefix(prefix), let number = Int(output.dropFirst(prefix.count)) else { return nil }
    return (1...strips).contains(number) ? number - 1 : nil
  }
}
