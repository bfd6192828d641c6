import StepperCore
import StepperLinux

/// Finds devices by name and by number, so that the work for one device does not grow with the number of devices.
final class DeviceIndex {
  private var byName: [String: DeviceEntry] = [:]
  private var byNumber: [DeviceNumber: DeviceEntry] = [:]
  /// The number of open nodes.
  private(set) var openCount = 0
  /// The number of devices that are read, virtual ones included.
  private(set) var readCount = 0
  /// Whether any device can play an effect.
  private(set) var hasOutputs = false

  init(_ entries: [DeviceEntry]) {
    for entry in entries {
      byName[entry.name] = entry
      if let id = entry.id { byNumber[id] = entry }
      if entry.device != nil { openCount += 1 }
      if entry.isRead { readCount += 1 }
      if entry.outputs?.kinds.isEmpty == false { hasOutputs = true }
    }
  }

  subscript(name: String) -> DeviceEntry? { byName[name] }
  subscript(number: DeviceNumber) -> DeviceEntry? { byNumber[number] }
}
