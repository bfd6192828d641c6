import StepperCommands
import StepperCore
import StepperText

/// Of the settings of a timeline: what is wrong.
struct TimelineError: Error, CustomStringConvertible {
  var text: String
  var description: String { text }
}

/// The names of keys and axes in timelines.
let timelineCodes = CodeNames(
  name: { usage in usages.filter { $0.value == usage }.map(\.key).min() }, usage: { usages[$0] })

/// The kernel's names that timelines use.
let usages: [String: EvdevUsage] = [
  "REL_X": .relative(0), "REL_DIAL": .dial, "REL_WHEEL": .wheel, "REL_WHEEL_HI_RES": .wheelHighResolution,
  "KEY_VOLUMEUP": .volumeUp, "KEY_VOLUMEDOWN": .volumeDown, "BTN_0": .button0, "BTN_1": .key(0x101),
  "BTN_2": .key(0x102), "BTN_3": .key(0x103),
  "ABS_X": .absolute(0), "ABS_Y": .absolute(1),
]
