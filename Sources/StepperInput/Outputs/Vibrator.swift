internal import StepperCore
package import SystemPackage

/// A vibrator in the LED class, `/sys/class/leds/vibrator` on many boards.
///
/// With the kernel's trigger `transient` it ends each pulse by itself, also if this program dies, and is always
/// as strong as it gets; without, its brightness is its strength, and it is switched off later.
package final class Vibrator: PulseOutput {
  package let name: String
  private let attributes: AttributeDirectory
  private let maximum: Int
  /// The trigger it had; nil if it was not changed.
  private var triggerFound: String?
  private var isOn = false
  let endsByItself: Bool

  /// Throws what reading it fails with, and `EACCES` if it may not be written.
  package init(directory: FilePath) throws(Errno) {
    let attributes = AttributeDirectory(directory)
    name = directory.lastComponent?.string ?? ""
    maximum = Int(Int32(try attributes.text("max_brightness")) ?? 0)
    guard maximum > 0 else { throw .invalidArgument }
    try attributes.checkWritable("brightness")
    self.attributes = attributes
    (endsByItself, triggerFound) = Self.takeTransientTrigger(of: attributes)
  }

  /// The kernel's `Documentation/leds/ledtrig-transient.rst`; the state to hold is 0 at first.
  ///
  /// The trigger's files come with it and are root's alone. Where they may not be written, the trigger that was
  /// found is given back.
  private static func takeTransientTrigger(of attributes: AttributeDirectory) -> (Bool, found: String?) {
    var found: String?
    do throws(Errno) {
      if !attributes.has("activate") {
        // Where there are no triggers, this throws.
        let triggers = try attributes.text("trigger", limit: 1 << 16).split(separator: " ")
        guard triggers.contains("transient") else { return (false, nil) }
        try attributes.write("transient", to: "trigger")
        found = triggers.first { $0.hasPrefix("[") }.map { String($0.dropFirst().dropLast()) }
      }
      for name in ["activate", "duration"] { try attributes.checkWritable(name) }
      try attributes.write("1", to: "state")
      return (true, found)
    } catch {
      // It was written just now, so it may be.
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
    try attributes.write(String(pulse.on.nanoseconds / 1_000_000), to: "duration")
    try attributes.write("1", to: "activate")
  }

  func end() throws(Errno) {
    guard isOn else { return }
    isOn = false
    try attributes.write("0", to: endsByItself ? "activate" : "brightness")
  }

  /// Gives the trigger back that it had.
  func close() throws(Errno) {
    try end()
    guard let trigger = triggerFound else { return }
    triggerFound = nil
    try attributes.write(trigger, to: "trigger")
  }
}
