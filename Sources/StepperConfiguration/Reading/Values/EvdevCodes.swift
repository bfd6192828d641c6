import StepperCore
import StepperText

/// The kernel's names of keys and axes, such as `REL_DIAL`.
struct EvdevCodes {
  /// Those that are suggested for misspelt ones; they are gathered when one is misspelt.
  let names: () -> [String]
  let resolve: (String) -> EvdevUsage?

  /// The usage of that name, or nil and a report at `value`, which names it.
  func usage(named name: String, at value: ConfigurationValue) -> EvdevUsage? {
    if let usage = resolve(name) { return usage }
    return value.refuse(
      "there is no key or axis \(quoted(name)); use the kernel's names such as \"REL_DIAL\" or \"KEY_VOLUMEUP\""
    ) { suggestion(for: name, among: names()) }
  }
}
