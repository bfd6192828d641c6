/// A way in which a device gives feedback. The raw values are the words of the configuration.
///
/// The order of the cases is the order in which an effect falls back: haptics, then sound, then light.
package enum OutputKind: String, CaseIterable, Hashable, Sendable {
  /// `EV_FF` with `FF_RUMBLE`: two motors. The kernel also offers it where there is only `FF_PERIODIC`.
  case rumble
  /// `EV_FF` with `FF_PERIODIC`.
  case periodic
  /// `EV_FF` with `FF_CONSTANT`.
  case constant
  /// The manual trigger of the HID haptics page, as the Surface Dial has it, by hidraw.
  case haptic
  /// The program that has attached the device plays it.
  case provider
  /// A vibrator in the LED class.
  case vibrator
  /// `EV_SND` with `SND_CLICK`. The kernel's own drivers that have it (`sunkbd`, `lkkbd`) take it for the
  /// switch of the key click, so prefer another one there.
  case click
  /// `EV_SND` with `SND_TONE`, in Hertz: PC speaker, `pwm-beeper`.
  case tone
  /// `EV_SND` with `SND_BELL`, whose pitch is the driver's.
  case bell
  /// `EV_MSC` with `MSC_PULSELED`: the light of Griffin's PowerMate.
  case pulseLED = "pulse-led"
  /// `EV_LED`.
  case led
  /// A light in `/sys/class/leds`.
  case classLED = "class-led"

  /// Whether its effects are uploaded to the device, whose memory the kinds share.
  package var isForce: Bool { [.rumble, .periodic, .constant].contains(self) }
  /// Whether it is written to the event node.
  package var isOnDevice: Bool { ![.haptic, .provider, .vibrator, .classLED].contains(self) }
}
