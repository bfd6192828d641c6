internal import CLinux
internal import StepperCore
internal import SystemPackage
internal import Varlink

/// A reference to a device in libudev.
@safe package struct UdevDevice: ~Copyable {
  private let device: OpaquePointer

  /// Takes over the reference that a libudev function returned; nil if that is NULL.
  init?(_ device: OpaquePointer?) {
    guard let device = unsafe device else { return nil }
    unsafe self.device = device
  }

  deinit { unsafe udev_device_unref(device) }

  /// For example `input`.
  var subsystem: String { unsafe String(udev_device_get_subsystem(device)) ?? "" }
  /// For example `event5`.
  package var systemName: String { unsafe String(udev_device_get_sysname(device)) ?? "" }
  /// For example `/dev/input/event5`. udev may not know it after the removal of the device.
  var node: String { unsafe String(udev_device_get_devnode(device)) ?? "/dev/input/\(systemName)" }
  /// The action of a monitor's event: `add`, `remove`, `change`, …; nil without an event.
  package var action: String? { unsafe String(udev_device_get_action(device)) }

  /// The identity of the device as far as it is known without opening the node.
  ///
  /// After the removal of a device only its node and the properties of udev are known.
  var identity: DeviceIdentity {
    var identity = DeviceIdentity(node: node)
    identity.properties = unsafe Dictionary(udev_device_get_properties_list_entry(device))
    identity.links = identity.properties["DEVLINKS", default: ""].split(separator: " ").map(String.init)
      .sorted()
    identity.name = attribute("name")
    identity.physicalPath = attribute("phys")
    identity.uniqueName = attribute("uniq")
    identity.bus = UInt16(attribute("id/bustype"), radix: 16) ?? 0
    identity.vendor = UInt16(attribute("id/vendor"), radix: 16) ?? 0
    identity.product = UInt16(attribute("id/product"), radix: 16) ?? 0
    for (kind, type) in [("key", EV_KEY), ("rel", EV_REL), ("abs", EV_ABS)] {
      for code in bits(inWords: attribute("capabilities/\(kind)")) {
        identity.usages.insert(EvdevUsage(type: UInt16(type), code: code))
      }
    }
    return identity
  }

  /// An attribute of the parent device `inputN`, which the driver describes; `eventN` is only one interface to it.
  private func attribute(_ name: String) -> String {
    let parent = unsafe udev_device_get_parent_with_subsystem_devtype(device, "input", nil)
    guard let parent = unsafe parent else { return "" }
    return unsafe String(udev_device_get_sysattr_value(parent, name)) ?? ""
  }
}

/// The set bits in a bitmap of sysfs: hexadecimal words of the size of a native long, highest first.
///
/// The corresponding C function is the kernel's `input_print_bitmap`.
package func bits(inWords text: String) -> [UInt16] {
  let words = text.split(separator: " ").reversed().map { UInt($0, radix: 16) ?? 0 }
  let width = UInt.bitWidth
  let set = (0..<words.count * width).filter { words[$0 / width] & 1 << ($0 % width) != 0 }
  return set.compactMap { UInt16(exactly: $0) }
}

extension String {
  fileprivate init?(_ text: UnsafePointer<CChar>?) {
    guard let text = unsafe text else { return nil }
    unsafe self = OutsideText.shown(text)
  }
}

extension [String: String] {
  /// The entries of a list of libudev; entries without values give empty strings.
  fileprivate init(_ list: OpaquePointer?) {
    self.init()
    var next = unsafe list
    while let entry = unsafe next {
      if let name = unsafe String(udev_list_entry_get_name(entry)) {
        self[name] = unsafe String(udev_list_entry_get_value(entry)) ?? ""
      }
      unsafe next = unsafe udev_list_entry_get_next(entry)
    }
  }
}
