internal import CLinux
package import StepperCore
package import StepperText

extension EvdevUsage {
  /// The key or axis with this kernel name, such as `REL_DIAL` or `BTN_0`.
  ///
  /// `KEY_`, `BTN_`, `REL_` and `ABS_` names only; other event types are not inputs of a stepper. The corresponding C
  /// function is `libevdev_event_code_from_code_name`.
  package init?(name: String) {
    guard ["KEY_", "BTN_", "REL_", "ABS_"].contains(where: name.hasPrefix), !name.hasSuffix("_MAX") else {
      return nil
    }
    let type = unsafe libevdev_event_type_from_code_name(name)
    let code = unsafe libevdev_event_code_from_code_name(name)
    guard let type = UInt16(exactly: type), let code = UInt16(exactly: code) else { return nil }
    self.init(type: type, code: code)
  }

  /// The name, such as `REL_DIAL`; without one, the hexadecimal number, such as `0x2ff`.
  ///
  /// The corresponding C function is `libevdev_event_code_get_name`.
  package var name: String {
    guard let name = unsafe libevdev_event_code_get_name(UInt32(type), UInt32(code)) else {
      return hexadecimal(code)
    }
    // The text is a constant of the library.
    return unsafe String(cString: name)
  }

  /// The name of the type, such as `EV_REL`.
  ///
  /// The corresponding C function is `libevdev_event_type_get_name`.
  package var typeName: String {
    guard let name = unsafe libevdev_event_type_get_name(UInt32(type)) else { return hexadecimal(type) }
    // The text is a constant of the library.
    return unsafe String(cString: name)
  }

  /// All names that ``init(name:)`` accepts, for suggestions, in numerical order.
  ///
  /// Some codes have a second name, such as `BTN_A` for `BTN_SOUTH`, which is not included.
  package static let allNames: [String] = all.lazy.map(\.name).filter { EvdevUsage(name: $0) != nil }

  /// All possible keys and axes, with and without names.
  static let all: [EvdevUsage] = [EV_KEY, EV_REL, EV_ABS].flatMap { type in
    (0...libevdev_event_type_get_max(UInt32(type))).map { EvdevUsage(type: UInt16(type), code: UInt16($0)) }
  }
}

private func hexadecimal(_ number: UInt16) -> String { "0x" + String(number, radix: 16) }

extension CodeNames {
  /// The kernel's names, from libevdev.
  package static let kernel = CodeNames(
    name: \.name, usage: { EvdevUsage(name: $0) }, all: { EvdevUsage.allNames })
}
