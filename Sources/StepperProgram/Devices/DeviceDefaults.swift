/// What the devices of all programs have in common.
package enum DeviceDefaults {
  /// How long the daemon keeps keys down without a report from the program.
  package static let leaseMilliseconds: Int64 = 3_000

  // The codes that inputs without a code of their own get, in this order.
  package static let knobCodes = ["DIAL", "MISC", "X", "Y", "Z", "RX", "RY", "RZ", "WHEEL", "HWHEEL"].map {
    "REL_\($0)"
  }
  package static let faderCodes = [
    "X", "Y", "Z", "RX", "RY", "RZ", "THROTTLE", "RUDDER", "WHEEL", "GAS", "BRAKE", "HAT0X", "HAT0Y", "HAT1X",
    "HAT1Y", "HAT2X", "HAT2Y", "HAT3X", "HAT3Y", "PRESSURE", "DISTANCE", "TILT_X", "TILT_Y", "TOOL_WIDTH",
    "VOLUME", "MISC",
  ].map { "ABS_\($0)" }
  package static let buttonCodes =
    (0...9).map { "BTN_\($0)" } + (1...40).map { "BTN_TRIGGER_HAPPY\($0)" }
    + (1...30).map { "KEY_MACRO\($0)" }
    + (1...24).map { "KEY_F\($0)" } + (0...9).map { "KEY_NUMERIC_\($0)" }
}
