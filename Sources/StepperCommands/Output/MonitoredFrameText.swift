internal import StepperClient
internal import StepperText

/// A frame as text: its events and their results.
struct MonitoredFrameText {
  /// `REL_DIAL +1`, `BTN_0 down`; empty for a frame without events of keys and axes.
  let events: String
  /// `→ volume 30 → 31`, or the reason if nothing changes.
  let outcome: String

  /// `isUnused`: no table of the configuration uses the device.
  init(_ frame: DeviceInterface.Frame, isUnused: Bool) {
    let shown = frame.events.filter { Self.kinds.contains(where: $0.code.hasPrefix) }
    let detents = Dictionary(
      frame.consequences.compactMap { entry in entry.detents.map { (entry.code, $0) } },
      uniquingKeysWith: { first, _ in first })
    var texts = shown.prefix(Self.mostEvents).map { Self.text(of: $0, detents: detents[$0.code]) }
    if shown.count > texts.count { texts.append("… and \(shown.count - texts.count) more") }
    if frame.resynchronized { texts.insert("events were lost; now:", at: 0) }
    events = texts.joined(separator: "  ")
    outcome = isUnused ? "no table uses it" : Self.outcome(of: frame, shown)
  }

  /// The maximum number of events shown; further events are only counted.
  private static let mostEvents = 8
  private static let kinds = ["KEY_", "BTN_", "REL_", "ABS_", "EV_KEY:", "EV_REL:", "EV_ABS:"]

  private static func text(of event: DeviceInterface.InputEvent, detents: Int64?) -> String {
    if event.code.has("REL") {
      let counts = "\(event.value > 0 ? "+" : "")\(event.value)"
      guard let detents, detents != event.value else { return "\(event.code) \(counts)" }
      return "\(event.code) \(counts) (\(detents > 0 ? "+" : "")\(detents.counted("detent")))"
    }
    if event.code.has("ABS") { return "\(event.code) \(event.value)" }
    return "\(event.code) \(event.value == 0 ? "up" : event.value == 1 ? "down" : "still down")"
  }

  /// The result for each control, ordered by the control's first entry.
  private static func outcome(
    of frame: DeviceInterface.Frame, _ shown: [DeviceInterface.InputEvent]
  ) -> String {
    var names: [String] = []
    for entry in frame.consequences where !names.contains(entry.control) { names.append(entry.control) }
    var texts: [String] = []
    for name in names {
      let entries = frame.consequences.filter { $0.control == name }
      let telling =
        entries.first { $0.outcome == .changed } ?? entries.first { $0.outcome != .noted } ?? entries[0]
      texts.append(text(of: telling, isAxis: telling.code.has("ABS")))
    }
    let unbound = shown.map(\.code).filter { code in !frame.consequences.contains { $0.code == code } }
    if let first = unbound.first { texts.append(texts.isEmpty ? "no binding" : "\(first): no binding") }
    return texts.joined(separator: "; ")
  }

  private static func text(of entry: DeviceInterface.Consequence, isAxis: Bool) -> String {
    let value = entry.before ?? ControlText.unset
    return switch entry.outcome {
    case .changed: "→ \(entry.control) \(value) → \(entry.after ?? ControlText.unset)"
    case .noted: "\(entry.control) stays at \(value)"
    case .partial:
      isAxis ? "\(entry.control): less than the fader's noise" : "\(entry.control): less than a detent"
    case .limit: "\(entry.control) is at its end, \(value)"
    case .disabled: "\(entry.control) is disabled"
    case .pickup: "\(entry.control): the fader has not reached \(value) yet"
    case .modifier: "\(entry.control): bound with other buttons held"
    case .layer: "\(entry.control): bound in another layer"
    case .held: "\(entry.control): another button is held"
    case .unset: "\(entry.control) is unset"
    }
  }
}
