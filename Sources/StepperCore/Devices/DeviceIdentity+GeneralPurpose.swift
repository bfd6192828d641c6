extension DeviceIdentity {
  /// Whether this is a whole keyboard, mouse, touchpad, touchscreen or tablet, which a rule that names no particular
  /// device must never match.
  ///
  /// If udev has examined the device, its classification counts (`ID_INPUT_…`, from its `input_id`); otherwise the
  /// same criteria are applied to the capabilities. Neither a rotary encoder on `REL_X` nor gpio-keys are general
  /// purpose.
  package var isGeneralPurpose: Bool {
    if properties["ID_INPUT"] != nil {
      return ["KEYBOARD", "MOUSE", "TOUCHPAD", "TOUCHSCREEN", "TABLET"].contains {
        properties["ID_INPUT_\($0)"] == "1"
      }
    }
    return isKeyboard || isMouse || isTouchDevice
  }

  /// `KEY_Q` to `KEY_P`, `KEY_A` to `KEY_L` and `KEY_Z` to `KEY_M`.
  private var isKeyboard: Bool {
    [UInt16(16)...25, 30...38, 44...50].joined().allSatisfy { usages.contains(.key($0)) }
  }

  /// `REL_X`, `REL_Y` and `BTN_LEFT`.
  private var isMouse: Bool {
    usages.isSuperset(of: [.relative(0x00), .relative(0x01), .key(0x110)])
  }

  /// `BTN_TOOL_FINGER`, `BTN_TOUCH` or `BTN_TOOL_PEN`, and `ABS_X` or `ABS_MT_POSITION_X`.
  private var isTouchDevice: Bool {
    !usages.isDisjoint(with: [.key(0x145), .key(0x14a), .key(0x140)])
      && !usages.isDisjoint(with: [.absolute(0x00), .absolute(0x35)])
  }
}
