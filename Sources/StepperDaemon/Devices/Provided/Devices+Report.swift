import StepperCore
import StepperInterfaces
import StepperText
import Varlink

extension Devices {
  /// What the program of a device has reported: frames, and the state of the device after a loss.
  struct Report {
    /// The state of the device after a loss, before ``frames``; nil: nothing was lost.
    var lost: (keysDown: Set<EvdevUsage>, positions: [EvdevEvent])?
    var frames: [(stamp: Instant?, events: EvdevEvents)] = []
  }
}

/// Reads and validates the reports of programs.
extension Devices.Report {
  /// Maximum number of events in a frame.
  static var mostEvents: Int { 64 }
  /// The memory for this many frames is kept for the next report.
  private static var mostKept: Int { 64 }

  /// Reads the next report, which replaces this one. After an error, no part of it may be used.
  mutating func read(_ parameters: ProviderInterface.Report.Parameters, of device: ProvidedDevice)
    throws(ProviderInterface.InvalidReport)
  {
    frames.removeAll(keepingCapacity: frames.capacity <= Self.mostKept)
    lost = nil
    for (index, frame) in (parameters.frames ?? []).enumerated() {
      guard frame.events.count <= Self.mostEvents else {
        throw .init(
          field: "frames[\(index)].events",
          message:
            "a frame has at most \(Self.mostEvents) events, found \(frame.events.count); send several frames")
      }
      var events = EvdevEvents()
      for (place, event) in frame.events.enumerated() {
        events.append(try Self.event(event, of: device, at: "frames[\(index)].events[\(place)]"))
      }
      let stamp = frame.time.map(Instant.microseconds)
      frames.append((stamp, events))
    }
    guard let lost = parameters.lost else { return }
    var keysDown: Set<EvdevUsage> = []
    for (index, name) in lost.keysDown.enumerated() {
      let (field, usage) = (
        "lost.keysDown[\(index)]", try Self.usage(name, of: device, at: "lost.keysDown[\(index)]")
      )
      guard usage.isKey else { throw .init(field: field, message: "\(name.onOneLine()) is not a key") }
      keysDown.insert(usage)
    }
    var positions: [EvdevEvent] = []
    for (index, event) in lost.positions.enumerated() {
      let field = "lost.positions[\(index)]"
      let position = try Self.event(event, of: device, at: field)
      guard position.usage.isAbsolute else {
        throw .init(field: "\(field).code", message: "\(event.code.onOneLine()) is not an absolute axis")
      }
      positions.append(position)
    }
    self.lost = (keysDown, positions)
  }

  private static func usage(_ name: String, of device: ProvidedDevice, at field: @autoclosure () -> String)
    throws(ProviderInterface.InvalidReport) -> EvdevUsage
  {
    if let usage = device.usage(named: name) { return usage }
    let quoted = ProvidedDevice.Declaration.quoted(name)
    throw .init(field: field(), message: "the device was attached without \(quoted); declare it in Attach")
  }

  private static func event(
    _ event: ProviderInterface.Event, of device: ProvidedDevice, at field: @autoclosure () -> String
  ) throws(ProviderInterface.InvalidReport) -> EvdevEvent {
    let usage = try usage(event.code, of: device, at: "\(field()).code")
    let allowed: ClosedRange<Int64> = usage.isKey ? 0...2 : Int64(Int32.min)...Int64(Int32.max)
    guard allowed.contains(event.value) else {
      let what = usage.isKey ? "0, 1 or 2" : "from \(allowed.lowerBound) to \(allowed.upperBound)"
      throw .init(field: "\(field()).value", message: "must be \(what), found \(event.value)")
    }
    return EvdevEvent(usage, Int32(event.value))
  }
}
