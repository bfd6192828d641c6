import StepperCore
import StepperText

@testable import StepperConfiguration

/// Some of the kernel's names; the daemon asks libevdev for all of them.
let codes: [String: EvdevUsage] = {
  let keys: [String: UInt16] = [
    "KEY_MUTE": 0x71, "KEY_VOLUMEDOWN": 0x72, "KEY_VOLUMEUP": 0x73, "BTN_0": 0x100, "KEY_UP": 0x67,
    "KEY_DOWN": 0x6c,
    "KEY_PAGEUP": 0x68, "KEY_PAGEDOWN": 0x6d, "KEY_END": 0x6b, "KEY_HOME": 0x66, "KEY_NEXT": 0x197,
    "KEY_PHONE": 0xa9, "KEY_LEFTCTRL": 0x1d, "KEY_ENTER": 0x1c,
  ]
  let relative: [String: UInt16] = ["REL_X": 0, "REL_DIAL": 7, "REL_WHEEL": 8]
  let absolute: [String: UInt16] = ["ABS_X": 0, "ABS_Y": 1, "ABS_VOLUME": 0x20]
  let all = [
    keys.mapValues(EvdevUsage.key), relative.mapValues(EvdevUsage.relative),
    absolute.mapValues(EvdevUsage.absolute),
  ]
  return all.reduce(into: [:]) { $0.merge($1) { first, _ in first } }
}()

let knownCodes = CodeNames(name: { _ in nil }, usage: { codes[$0] }, all: { codes.keys.sorted() })

func load(_ text: String) -> (configuration: Configuration?, problems: [ConfigurationProblem]) {
  Configuration.load(Array(text.utf8), file: "f", codes: knownCodes)
}

/// What is wrong with `text`, a line each, in the order of the file.
func problems(in text: String) -> [String] { load(text).problems.map(\.description) }

/// A device of each kind and a control `c`, the keys of which are `lines`; they begin at line 4.
func control(_ lines: String) -> String {
  """
  device.panel.virtual = true
  device.knob.match.name = "Knob"
  [control.c]
  \(lines)
  """ + "\n"
}

/// What is wrong with a control of these lines, warnings apart.
func errors(inControl lines: String) -> [String] {
  load(control(lines)).problems.filter { $0.severity == .error }.map(\.description)
}
