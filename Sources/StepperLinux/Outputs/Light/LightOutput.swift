import StepperCore
package import SystemPackage

/// A light in the LED class, `/sys/class/leds/NAME`.
///
/// The LED class also contains the lights of input devices (`input5::mute`). While a program holds the grab, write to
/// the device instead.
package final class LightOutput {
  /// The name of its directory, such as `platform::micmute`.
  package let name: String
  let light: Light

  /// Throws the error of reading its attributes, and `EACCES` if it is not writable.
  package init(directory: FilePath) throws(Errno) {
    name = directory.lastComponent?.string ?? ""
    light = Light(name, .classLED, try ClassLED(AttributeDirectory(directory)))
  }
}

/// The rules are those of the kernel's `Documentation/ABI/testing/sysfs-class-led`. A light with a trigger blinks
/// until it is set to 0, which removes the trigger.
private struct ClassLED: LightDriver {
  let attributes: AttributeDirectory
  let maximumLevel: Int
  let originalLevel: Int?

  init(_ attributes: AttributeDirectory) throws(Errno) {
    guard let maximum = Int32(try attributes.text("max_brightness")), maximum > 0 else {
      throw .invalidArgument
    }
    try attributes.checkWritable("brightness")
    self.attributes = attributes
    maximumLevel = Int(maximum)
    originalLevel = Int(try attributes.text("brightness"))
  }

  var defaultLevel: Int { 0 }

  func write(level: Int) throws(Errno) { try attributes.write(String(level), to: "brightness") }
}
