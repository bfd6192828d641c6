internal import StepperClient
internal import StepperCore
import StepperText

/// The lines of `stepperctl monitor`.
struct MonitorView {
  private let isRaw: Bool
  private let isJSON: Bool
  private let includesKeyboards: Bool
  /// Whether no reply was shown yet.
  private(set) var isNew = true
  private var columns = RunningColumns()
  private var devices: [String: Known] = [:]

  /// What is known about a device.
  private struct Known {
    /// Why the device is not watched; empty if it is watched, nil if it was not announced.
    var problem: String?
    /// Whether no table uses it.
    var isUnused = false
    /// The time of the device's last frame, in microseconds.
    var last: Int64?
  }

  /// The maximum number of devices, because a daemon may invent any number. One more device makes the view forget all.
  private static let mostDevices = 4_096

  init(isRaw: Bool, isJSON: Bool, includesKeyboards: Bool) {
    self.isRaw = isRaw
    self.includesKeyboards = includesKeyboards
    self.isJSON = isJSON
  }

  mutating func show(_ reply: DeviceInterface.Monitor.Reply) throws {
    if isJSON {
      isNew = false
      return try writeJSON(reply)
    }
    for line in lines(of: reply) {
      switch line {
      case .output(let text): Output.line(text)
      case .message(let text): Output.error(text)
      }
    }
  }

  /// A line with the stream to which it is written.
  enum Line: Hashable {
    case output(String)
    /// For the standard error.
    case message(String)
  }

  /// The lines of a reply, which may have any numbers and texts.
  mutating func lines(of reply: DeviceInterface.Monitor.Reply) -> [Line] {
    defer { isNew = false }
    var lines: [Line] = []
    if isNew {
      let names = reply.devices.map { $0.device.onOneLine().displayWidth }
      columns = RunningColumns(widths: [names.max() ?? 0, "+999.9 ms".count])
    }
    lines += announce(reply.devices).map(Line.message)
    if isNew, reply.devices.allSatisfy({ $0.problem != nil }) {
      lines.append(.message("no device can be watched now; waiting until one is plugged in"))
    }
    if reply.dropped > 0 {
      lines.append(.output("… \(reply.dropped.counted("frame")) not shown"))
    }
    for frame in reply.frames { lines += (isRaw ? events(of: frame) : line(of: frame)).map(Line.output) }
    for name in reply.removed {
      devices[name] = nil
      lines.append(.message("\(name) is unplugged"))
    }
    return lines
  }

  /// Writes each entry as an object on its own line.
  private func writeJSON(_ reply: DeviceInterface.Monitor.Reply) throws {
    for device in reply.devices { try Output.json(["device": device]) }
    if reply.dropped > 0 { try Output.json(["dropped": reply.dropped]) }
    for frame in reply.frames { try Output.json(["frame": frame]) }
    for name in reply.removed { try Output.json(["removed": name]) }
  }

  // MARK: Devices

  /// Announces the watched devices, and the others with the reason why they are not watched, except those announced
  /// before.
  private mutating func announce(_ devices: [DeviceInterface.MonitoredDevice]) -> [String] {
    var lines: [String] = []
    var watched: [String] = []
    for device in devices {
      let former = know(device.device) { known in
        known.isUnused = known.isUnused || device.node.hasSuffix("/\(device.device)")
        known.problem = device.problem ?? ""
      }
      guard former.problem != device.problem ?? "" else { continue }
      let name = device.name.isEmpty ? device.device : "\(device.device) (\(device.name))"
      if device.problem == nil {
        watched.append(name)
      } else if device.generalPurpose, !includesKeyboards {
        lines.append(
          "not watched: \(name), a keyboard, a mouse or a similar device; --keyboards watches it too, and shows every key"
        )
      } else {
        lines.append("not watched: \(name): \(device.problem ?? "")")
      }
    }
    return lines + (watched.isEmpty ? [] : ["watching \(watched.joined(separator: ", "))"])
  }

  /// Changes what is known about a device; returns the former state.
  private mutating func know(_ name: String, _ change: (inout Known) -> Void) -> Known {
    let former = devices[name]
    if former == nil, devices.count >= Self.mostDevices { devices = [:] }
    var known = former ?? Known()
    change(&known)
    devices[name] = known
    return former ?? Known()
  }

  // MARK: Frames

  private mutating func line(of frame: DeviceInterface.Frame) -> [String] {
    let text = MonitoredFrameText(frame, isUnused: devices[frame.device]?.isUnused ?? false)
    guard !text.events.isEmpty else { return [] }
    let former = know(frame.device) { $0.last = frame.monotonicMicroseconds }.last
    let distance = former.map { Self.distance(from: $0, to: frame.monotonicMicroseconds) } ?? ""
    return [columns.line([frame.device, distance, text.events, text.outcome])]
  }

  /// `+38.2 ms`, `+1.50 s`, `+12 min`; `+0.0 ms` if time ran backwards.
  static func distance(from earlier: Int64, to later: Int64) -> String {
    let microseconds = later > earlier ? later.subtractingSaturating(earlier) : 0
    let tenths = microseconds / 100
    if tenths < 10_000 { return "+\(tenths / 10).\(tenths % 10) ms" }
    let hundredths = tenths / 100
    if hundredths < 6_000 { return "+\(hundredths / 100).\(hundredths / 10 % 10)\(hundredths % 10) s" }
    return "+\(hundredths / 6_000) min"
  }

  private mutating func events(of frame: DeviceInterface.Frame) -> [String] {
    let time = Self.seconds(frame.monotonicMicroseconds)
    let head = frame.resynchronized ? [columns.line([frame.device, time, "SYN_DROPPED"])] : []
    return head + frame.events.map { columns.line([frame.device, time, $0.code, "\($0.value)"]) }
  }

  /// `12.000345`, `-0.000001`.
  static func seconds(_ microseconds: Int64) -> String {
    let (seconds, rest) = microseconds.magnitude.quotientAndRemainder(dividingBy: 1_000_000)
    return "\(microseconds < 0 ? "-" : "")\(seconds).\(rest.digits(6))"
  }
}
