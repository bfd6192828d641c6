import StepperCore
package import SystemPackage

/// A light in the LED class, `/sys/class/leds/NAME`.
///
/// The LED class also contains the lights of input devices (`input5::mute`). While a program holds the grab, write to
/// the device instead.
package final class LightOutput {
  /// The name of the light's directory, such as `platform::micmute`.
  package let name: String
  let light: Light

  /// Throws the error of reading the attributes, and `EACCES` if the light is not writable.
  package init(directory: FilePath) throws(Errno) {
    name = directory.lastComponent?.string ?? ""
    light = Light(name, .classLED, try .classLED(AttributeDirectory(directory)))
  }
}

extension LightDriver {
  /// The rules are those of the kernel's `Documentation/ABI/testing/sysfs-class-led`. A light with a trigger blinks
  /// until it is set to 0, which removes the trigger.
  fileprivate static func classLED(_ attributes: AttributeDirectory) throws(Errno) -> Self {
    guard let maximum = Int32(try attributes.text("max_brightness")), maximum > 0 else {
      throw .invalidArgument
    }
    try attributes.checkWritable("brightness")
    let original = Int(try attributes.text("brightness"))
    return Self(maximumLevel: Int(maximum), originalLevel: original) { level throws(Errno) in
      try attributes.write(String(level), to: "brightness")
    }
  }
}
