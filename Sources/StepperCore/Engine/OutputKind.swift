/// A kind of output through which a device gives feedback. The raw values are the words of the configuration.
///
/// The order of the cases is the order in which an effect falls back: haptics, then sound, then light.
package enum OutputKind: String, CaseIterable, Hashable, Sendable {
  /// `EV_FF` with `FF_RUMBLE`: two motors. The kernel also offers it for devices that have only `FF_PERIODIC`.
  case rumble
  /// `EV_FF` with `FF_PERIODIC`.
  case periodic
  /// `EV_FF` with `FF_CONSTANT`.
  case constant
  /// The manual trigger of the HID haptics page, through hidraw, as in the Surface Dial.
  case haptic
  /// The program that has attached the device plays the effect.
  case provider
  /// A vibrator in the LED class.
  case vibrator
  /// `EV_SND` with `SND_CLICK`. The kernel's own drivers that have it (`sunkbd`, `lkkbd`) use it to switch the key
  /// click on and off, so prefer another output there.
  case click
  /// `EV_SND` with `SND_TONE`, in Hertz: PC speaker, `pwm-beeper`.
  case tone
  /// `EV_SND` with `SND_BELL`, whose pitch the driver sets.
  case bell
  /// `EV_MSC` with `MSC_PULSELED`: the light of Griffin's PowerMate.
  case pulseLED = "pulse-led"
  /// `EV_LED`.
  case led
  /// A light in `/sys/class/leds`.
  case classLED = "class-led"

  /// Whether effects are uploaded to the device; these kinds share the device's memory.
  package var isForce: Bool { [.rumble, .periodic, .constant].contains(self) }
  /// Whether the output is written to through the event node.
  package var isOnDevice: Bool { ![.haptic, .provider, .vibrator, .classLED].contains(self) }
}
