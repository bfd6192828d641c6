package import StepperCore

/// Maps the inputs of a recording to those of a virtual device: relative axes to `dial`, buttons to `plus`, `minus` and
/// `push`, and an absolute axis to `fader`.
package struct VirtualInputMap {
  /// A movement of a virtual device.
  package enum Move: Hashable, Sendable {
    case turn(Int64)
    case press(VirtualInput)
    case release(VirtualInput)
    /// A position in the travel, from 0 to 1.
    case slide(Double)
  }

  private struct Source: Hashable, Comparable {
    /// The index of the first device with this name, because a device that is described again is the same.
    var device: Int
    var usage: EvdevUsage

    static func < (left: Source, right: Source) -> Bool {
      (left.device, left.usage) < (right.device, right.usage)
    }
  }

  private let devices: [RecordedDevice]
  /// For each device, the index of the first device with its name.
  private let firstPlaces: [Int]
  /// The inputs that have events in the recording.
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
    var named: [String: Int] = [:]
    for (place, device) in devices.enumerated() where named[device.name] == nil { named[device.name] = place }
    firstPlaces = devices.enumerated().map { place, device in named[device.name] ?? place }
    var used: Set<Source> = []
    for entry in recording.entries {
      switch entry.event {
      case .frame(let place, let events), .resynchronized(let place, let events, _):
        for event in events { used.insert(Source(device: firstPlaces[place], usage: event.usage)) }
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
      // The coarse axis reports the same movement in notches.
      let isFine = usage.coarse != usage
      return isFine && used.contains(Source(device: source.device, usage: usage.coarse)) ? nil : .dial
    }
    if usage.isAbsolute {
      let isKnown = zip(devices, firstPlaces).contains { device, first in
        first == source.device && device.axes.contains { $0.usage == usage }
      }
      return isKnown && !inputs.values.contains(.fader) ? .fader : nil
    }
    guard usage.isKey else { return nil }
    if Self.plusKeys.contains(usage.code) { return .plus }
    if Self.minusKeys.contains(usage.code) { return .minus }
    return inputs.values.contains(.push) ? nil : .push
  }

  /// One line for each input: what it is mapped to, or that it is not mapped.
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

  /// The movements of the virtual device for an event of the recording.
  package mutating func moves(of event: Recording.Event) -> [Move] {
    switch event {
    case .frame(let place, let events):
      return events.compactMap { move($0, of: place) }
    case .resynchronized(let place, let events, let keysDown):
      let lost = held.filter { $0.device == firstPlaces[place] && !keysDown.contains($0.usage) }.sorted()
      return lost.compactMap { release($0) } + events.compactMap { move($0, of: place) }
    case .removed(let place):
      return held.filter { $0.device == firstPlaces[place] }.sorted().compactMap { release($0) }
    case .end: return held.sorted().compactMap { release($0) }
    case .added, .lost: return []
    }
  }

  private mutating func release(_ source: Source) -> Move? {
    guard let input = inputs[source], held.remove(source) != nil else { return nil }
    return .release(input)
  }

  private mutating func move(_ event: EvdevEvent, of place: Int) -> Move? {
    let source = Source(device: firstPlaces[place], usage: event.usage)
    guard let input = inputs[source] else { return nil }
    let value = event.value
    switch input {
    case .dial:
      guard source.usage.coarse != source.usage else { return value == 0 ? nil : .turn(Int64(value)) }
      let counts = remainders[source, default: 0] + Int64(value)
      remainders[source] = counts % Self.notch
      return counts / Self.notch == 0 ? nil : .turn(counts / Self.notch)
    case .fader:
      // The axis from the description in force.
      guard let range = devices[place].axes.first(where: { $0.usage == source.usage })?.range,
        range.lowerBound < range.upperBound
      else { return nil }
      let span = Double(range.upperBound) - Double(range.lowerBound)
      return .slide(min(max((Double(value) - Double(range.lowerBound)) / span, 0), 1))
    case .plus, .minus, .push:
      if value == 1 { return held.insert(source).inserted ? .press(input) : nil }
      return value == 0 ? release(source) : nil
    }
  }
}
