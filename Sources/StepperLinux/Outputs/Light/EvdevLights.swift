internal import CLinux
internal import StepperCore
internal import SystemPackage

extension LightDriver {
  /// One LED of an input device.
  fileprivate static func led(_ usage: EvdevUsage, of device: EvdevDevice) -> Self {
    let value = unsafe libevdev_get_event_value(device.evdev, UInt32(usage.type), UInt32(usage.code))
    return Self(maximumLevel: 1, originalLevel: Int(value.signum())) { level throws(Errno) in
      try device.write(EvdevEvent(usage, Int32(level)))
    }
  }

  /// The light of Griffin's PowerMate, whose state cannot be read.
  ///
  /// The bits are those of `powermate_input_event` in `drivers/input/misc/powermate.c`: brightness in 0…7, speed of the
  /// pulse in 8…16 (255: normal), its table in 17 and 18, whether it pulses while the host sleeps in 19 and while it is
  /// awake in 20. All bits but the brightness have the initial values of the driver, `powermate_probe`.
  fileprivate static func pulseLED(of device: EvdevDevice) -> Self {
    Self(maximumLevel: 0xFF, defaultLevel: 0x80) { level throws(Errno) in
      try device.write(EvdevEvent(.pulseLED, Int32(level) | 255 << 8 | 0 << 17 | 1 << 19 | 0 << 20))
    }
  }
}

extension Light {
  /// The lights of an open device, by the names of their codes, in the order of ``OutputKind``.
  static func all(of device: EvdevDevice) -> [Light] {
    var lights: [Light] = []
    if device.has(.pulseLED) { lights.append(Light("MSC_PULSELED", .pulseLED, .pulseLED(of: device))) }
    for usage in (0...Int(LED_MAX)).map(EvdevUsage.led) where device.has(usage) {
      lights.append(Light(usage.name, .led, .led(usage, of: device)))
    }
    return lights
  }

  /// Whether effects may flash the light. Not keyboard indicators, which belong to the console or the desktop.
  var mayFlash: Bool {
    !["LED_NUML", "LED_CAPSL", "LED_SCROLLL", "LED_COMPOSE", "LED_KANA"].contains(name)
  }
}
