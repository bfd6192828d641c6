package import StepperCore

/// Which input of a virtual device stands for what a recording has: relative axes for `dial`, buttons for `plus`, `minus` and
/// `push`, an absolute axis for `fader`.
package struct VirtualInputMap {
  /// What moves a virtual device.
  package enum Move: Hashable, Sendable {
    case turn(Int64)
    case press(VirtualInput)
    case release(VirtualInput)
    /// 0 to 1 of the travel.
    case slide(Double)
  }

  private struct Source: Hashable, Comparable {
    var device: Int
    var usage: EvdevUsage

    static func < (left: Source, right: Source) -> Bool {
      (left.device, left.usage) < (right.device, right.usage)
    }
  }

  private let devices: [RecordedDevice]
  /// What the recording has events of.
  private let used: Set<Source>
  private var inputs: [Source: VirtualInput] = [:]
  /// Counts of a fine axis that are less than a detent.
  private var remainders: [Source: Int64] = [:]
  private var held: Set<Source> = []

  /// Counts of a notch (v120).
  private static let notch: Int64 = 120
  /// `KEY_VOLUMEUP`, `KEY_UP`, `KEY_RIGHT`, `KEY_PAGEUP`, `KEY_CHANNELUP`, `KEY_BRIGHTNESSUP`.
  private static let plusKeys: Set<UInt16> = [115, 103, 106, 104, 0x192, 225]
  /// `KEY_VOLUMEDOWN`, `KEY_DOWN`, `KEY_LEFT`, `KEY_PAGEDOWN`, `KEY_CHANNELDOWN`, `KEY_BRIGHTNESSDOWN`.
  private static let minusKeys: Set<UInt16> = [114, 108, 105, 109, 0x193, 224]

  package init(_ recording: Recording) {
    devices = recording.devices
    var used: Set<Source> = []
    for entry in recording.entries {
      switch entry.event {
      case .frame(let place, let events), .resynchronized(let place, let events, _):
        for event in events { used.insert(Source(device: place, usage: event.usage)) }
      case .added, .removed, .lost, .end: break
      }
    }
    self.used = used
    for source in used.sorted() { inputs[source] = input(for: source) }
  }

  package var isEmpty: Bool { inputs.isEmpty }

  private func input(for source: Source) -> VirtualInput? {
    let usage = source.usage
    if usage.isRelative {
      // The same movement is in the notches as well.
      let isFine = usage.coarse != usage
      return isFine && used.contains(Source(device: source.device, usage: usage.coarse)) ? nil : .dial
    }
    if usage.isAbsolute {
      let isKnown = devices[source.device].axes.contains { $0.usage == usage }
      return isKnown && !inputs.values.contains(.fader) ? .fader : nil
    }
    guard usage.isKey else { return nil }
    if Self.plusKeys.contains(usage.code) { return .plus }
    if Self.minusKeys.contains(usage.code) { return .minus }
    return inputs.values.contains(.push) ? nil : .push
  }

  /// What is mapped, and what is not, a line each.
  package func lines(device: String, codes: CodeNames) -> [String] {
    used.sorted().map { source in
      let name = "\(devices[source.device].name):\(codes.name(of: source.usage))"
      guard let input = inputs[source] else {
        let isFine = source.usage.coarse != source.usage
        return "\(name) is left out"
          + (isFine ? ": it is in the notches too" : ": \(device) has no input for it")
      }
      return "\(name) moves \(device):\(input.rawValue)"
    }
  }

  /// What an event of the recording is for the virtual device.
  package mutating func moves(of event: Recording.Event) -> [Move] {
    switch event {
    case .frame(let place, let events):
      return events.compactMap { move(Source(device: place, usage: $0.usage), $0.value) }
    case .resynchronized(let place, let events, let keysDown):
      let lost = held.filter { $0.device == place && !keysDown.contains($0.usage) }.sorted()
      return lost.compactMap { move($0, 0) }
        + events.compactMap { move(Source(device: place, usage: $0.usage), $0.value) }
    case .removed(let place): return held.filter { $0.device == place }.sorted().compactMap { move($0, 0) }
    case .end: return held.sorted().compactMap { move($0, 0) }
    case .added, .lost: return []
    }
  }

  private mutating func move(_ source: Source, _ value: Int32) -> Move? {
    guard let input = inputs[source] else { return nil }
    switch input {
    case .dial:
      guard source.usage.coarse != source.usage else { return value == 0 ? nil : .turn(Int64(value)) }
      let counts = remainders[source, default: 0] + Int64(value)
      remainders[source] = counts % Self.notch
      return counts / Self.notch == 0 ? nil : .turn(counts / Self.notch)
    case .fader:
      guard let range = devices[source.device].axes.first(where: { $0.usage == source.usage })?.range,
        range.lowerBound < range.upperBound
      else { return nil }
      let span = Double(range.upperBound) - Double(range.lowerBound)
      return .slide(min(max((Double(value) - Double(range.lowerBound)) / span, 0), 1))
    case .plus, .minus, .push:
      if value == 1 { return held.insert(source).inserted ? .press(input) : nil }
      return value == 0 && held.remove(source) != nil ? .release(input) : nil
    }
  }
}
