internal import StepperInterfaces

/// How a device stands: the keys that are down, and where its absolute axes are. What turns has no place.
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

  /// Whether nothing is to be said of a device that was attached a moment ago.
  var isUnmoved: Bool { keysDown.isEmpty && positions.isEmpty }

  func isRelative(_ code: String) -> Bool { relative.contains(code) }
  func isAbsolute(_ code: String) -> Bool { absolute.contains(code) }
  func isKey(_ code: String) -> Bool { keys.contains(code) }

  /// It has turned by `value` counts, is at `value`, or its key goes down (1) or up (0).
  mutating func add(_ code: String, _ value: Int64) {
    if isAbsolute(code) {
      positions[code] = value
    } else if isKey(code) {
      if value == 0 { keysDown.remove(code) } else { keysDown.insert(code) }
    }
  }

  /// It stands as `lost` says, if there is one, and then does what `frames` say.
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

  var lost: ProviderInterface.Lost {
    .init(
      keysDown: keysDown.sorted(),
      positions: positions.sorted { $0.key < $1.key }.map { .init(code: $0.key, value: $0.value) })
  }
}
