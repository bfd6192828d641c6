import StepperCore

@testable import StepperConfiguration

/// Some of the kernel's names; the daemon asks libevdev for all of them.
let codes: [String: EvdevUsage] = [
  "KEY_MUTE": .key(0x71), "KEY_VOLUMEDOWN": .volumeDown, "KEY_VOLUMEUP": .volumeUp, "BTN_0": .button0,
  "KEY_UP": .key(0x67), "KEY_DOWN": .key(0x6c), "KEY_PAGEUP": .key(0x68), "KEY_PAGEDOWN": .key(0x6d),
  "KEY_END": .key(0x6b), "KEY_HOME": .key(0x66), "KEY_NEXT": .key(0x197), "KEY_PHONE": .key(0xa9),
  "KEY_LEFTCTRL": .key(0x1d), "KEY_ENTER": .key(0x1c), "REL_X": .relative(0), "REL_DIAL": .dial,
  "REL_WHEEL": .relative(8),
  "ABS_X": .absolute(0), "ABS_Y": .absolute(1), "ABS_VOLUME": .absoluteVolume,
]

func load(_ text: String) -> (configuration: Configuration?, problems: [ConfigurationProblem]) {
  Configuration.load(
    Array(text.utf8), file: "f", resolvingCode: { codes[$0] }, knownCodes: codes.keys.sorted())
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
