internal import CEvdev
package import StepperCore

extension DeviceIdentity {
  /// Whether this is a whole keyboard, mouse, touchpad, touchscreen or tablet.
  ///
  /// udev's word for it (`ID_INPUT_…`, from its `input_id`) counts if udev has looked at the device at all;
  /// else the same questions are put to its capabilities. Neither a rotary encoder on `REL_X` nor
  /// gpio-keys are general purpose.
  package var looksGeneralPurpose: Bool {
    if properties["ID_INPUT"] != nil {
      return ["KEYBOARD", "MOUSE", "TOUCHPAD", "TOUCHSCREEN", "TABLET"].contains {
        properties["ID_INPUT_\($0)"] == "1"
      }
    }
    return isKeyboard || isMouse || isTouchDevice
  }

  private var isKeyboard: Bool {
    [KEY_Q...KEY_P, KEY_A...KEY_L, KEY_Z...KEY_M].joined().allSatisfy { usages.contains(.key(UInt16($0))) }
  }

  private var isMouse: Bool {
    usages.isSuperset(of: [.relative(UInt16(REL_X)), .relative(UInt16(REL_Y)), .key(UInt16(BTN_LEFT))])
  }

  private var isTouchDevice: Bool {
    !usages.isDisjoint(with: [
      .key(UInt16(BTN_TOOL_FINGER)), .key(UInt16(BTN_TOUCH)), .key(UInt16(BTN_TOOL_PEN)),
    ])
      && !usages.isDisjoint(with: [.absolute(UInt16(ABS_X)), .absolute(UInt16(ABS_MT_POSITION_X))])
  }
}
