internal import StepperInterfaces

/// The current state of a device's inputs: the keys that are down, and the positions of its absolute axes. Relative
/// axes have no position.
struct DeviceStanding: Sendable {
  private(set) var keysDown: Set<String> = []
  private(set) var positions: [String: Int64] = [:]
  private let keys: Set<String>
  private let relative: Set<String>
  private let absolute: Set<String>

  init(_ declaration: ProviderInterface.Attach.Parameters) {
    keys = Set(declaration.keys ?? [])
    relative = Set((declaration.relative ?? []).map(\.code))
    absolute = Set((declaration.absolute ?? []).map(\.code))
  }

  func isRelative(_ code: String) -> Bool { relative.contains(code) }
  func isAbsolute(_ code: String) -> Bool { absolute.contains(code) }
  func isKey(_ code: String) -> Bool { keys.contains(code) }

  /// The axis has turned by `value` counts or is at `value`, or the key goes down (1) or up (0).
  mutating func add(_ code: String, _ value: Int64) {
    if isAbsolute(code) {
      positions[code] = value
    } else if isKey(code) {
      if value == 0 { keysDown.remove(code) } else { keysDown.insert(code) }
    }
  }

  /// Takes over the state of `lost`, if there is one, and then applies `frames`.
  mutating func add(_ frames: [ProviderInterface.Frame], after lost: ProviderInterface.Lost?) {
    if let lost {
      keysDown = keys.intersection(lost.keysDown)
      for position in lost.positions where isAbsolute(position.code) {
        positions[position.code] = position.value
      }
    }
    for frame in frames { for event in frame.events { add(event.code, event.value) } }
  }

  mutating func releaseKeys() { keysDown = [] }

  /// Takes over the state of `other` for the inputs that `isShared` selects.
  mutating func take(_ other: DeviceStanding, where isShared: (String) -> Bool) {
    for key in other.keysDown where isShared(key) { add(key, 1) }
    for (code, value) in other.positions where isShared(code) { add(code, value) }
  }

  /// The declaration with the present positions of the axes.
  func placing(_ declaration: ProviderInterface.Attach.Parameters) -> ProviderInterface.Attach.Parameters {
    var placed = declaration
    for (index, axis) in (declaration.absolute ?? []).enumerated() {
      guard let value = positions[axis.code] else { continue }
      placed.absolute?[index].value = min(max(value, axis.minimum), axis.maximum)
    }
    return placed
  }

  var lost: ProviderInterface.Lost {
    .init(
      keysDown: keysDown.sorted(),
      positions: positions.sorted { $0.key < $1.key }.map { .init(code: $0.key, value: $0.value) })
  }
}
