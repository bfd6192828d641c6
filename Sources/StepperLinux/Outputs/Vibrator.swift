internal import StepperCore
package import SystemPackage

/// A vibrator in the LED class, `/sys/class/leds/vibrator` on many boards.
///
/// With the trigger `transient` the kernel ends each pulse, even if this process ends, and the strength is always the
/// maximum. Without it, the brightness is the strength, and a later write ends the pulse.
package final class Vibrator: PulseOutput {
  package let name: String
  private let attributes: AttributeDirectory
  private let maximum: Int
  /// The original trigger; nil if it was not changed.
  private var originalTrigger: String?
  private var isOn = false
  let endsByItself: Bool

  /// Throws the error of reading the attributes, and `EACCES` if the vibrator is not writable.
  package init(directory: FilePath) throws(Errno) {
    let attributes = AttributeDirectory(directory)
    name = directory.lastComponent?.string ?? ""
    maximum = Int(Int32(try attributes.text("max_brightness")) ?? 0)
    guard maximum > 0 else { throw .invalidArgument }
    try attributes.checkWritable("brightness")
    self.attributes = attributes
    (endsByItself, originalTrigger) = Self.takeTransientTrigger(of: attributes)
  }

  /// Selects the trigger `transient`; see the kernel's `Documentation/leds/ledtrig-transient.rst`. Its `state`, which is
  /// held during a pulse, is 0 initially.
  ///
  /// The attributes of the trigger are created with it and belong to root. If they are not writable, the original
  /// trigger is restored.
  private static func takeTransientTrigger(of attributes: AttributeDirectory) -> (Bool, found: String?) {
    var found: String?
    do throws(Errno) {
      if !attributes.has("activate") {
        // Throws if the LED has no triggers.
        let triggers = try attributes.text("trigger", limit: 1 << 16).split(separator: " ")
        guard triggers.contains("transient") else { return (false, nil) }
        try attributes.write("transient", to: "trigger")
        found = triggers.first { $0.hasPrefix("[") }.map { String($0.dropFirst().dropLast()) }
      }
      for name in ["activate", "duration"] { try attributes.checkWritable(name) }
      try attributes.write("1", to: "state")
      return (true, found)
    } catch {
      // The trigger has just been written, so this is expected to succeed.
      if let found { try? attributes.write(found, to: "trigger") }
      return (false, nil)
    }
  }

  func begin(_ pulse: EffectPattern.Pulse, of pattern: EffectPattern) throws(Errno) {
    isOn = true
    guard endsByItself else {
      let level = Int((pattern.strength * Double(maximum)).rounded())
      return try attributes.write(String(max(level, 1)), to: "brightness")
    }
    try attributes.write(String(pulse.on.milliseconds), to: "duration")
    try attributes.write("1", to: "activate")
  }

  func end() throws(Errno) {
    guard isOn else { return }
    isOn = false
    try attributes.write("0", to: endsByItself ? "activate" : "brightness")
  }

  /// Restores the original trigger.
  func close() throws(Errno) {
    try end()
    guard let trigger = originalTrigger else { return }
    originalTrigger = nil
    try attributes.write(trigger, to: "trigger")
  }
}
