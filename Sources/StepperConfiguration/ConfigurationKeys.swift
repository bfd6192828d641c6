/// The keys of one kind of table. Stable from the first release on.
protocol ConfigurationKey: RawRepresentable<String>, CaseIterable, Hashable, Sendable {
  /// Keys of later releases: they are refused as such, not as misspelt.
  static var reserved: [String] { get }
}

extension ConfigurationKey {
  static var reserved: [String] { [] }
}

/// The tables of a document.
enum RootKey: String, ConfigurationKey {
  case daemon, device, control

  static let reserved = ["profile"]
}

/// `[daemon]`.
enum DaemonKey: String, ConfigurationKey {
  case socket
  case socketGroup = "socket-group"
  case adminGroup = "admin-group"
  case stateDirectory = "state-directory"
  case logLevel = "log-level"
  case saveAfter = "save-after"
  case saveInterval = "save-interval"
}

/// `[device.NAME]`.
enum DeviceKey: String, ConfigurationKey {
  case match, virtual, grab, invert
  case countsPerDetent = "counts-per-detent"
  case acceleration
}

/// `match = { … }` of a device.
enum MatchKey: String, ConfigurationKey {
  case name, vendor, product, phys, uniq, path, property, has
}

/// `acceleration = { … }` of a device.
enum AccelerationKey: String, ConfigurationKey {
  case gain, slow, fast
}

/// `[control.NAME]`.
enum ControlKey: String, ConfigurationKey {
  case title, unit, minimum, maximum, step, page, initial, digits, wraps, autorepeat, continuous
  case `repeat`, enabled, restore
  case writableBy = "writable-by"
  case increment, decrement
  case pageIncrement = "page-increment"
  case pageDecrement = "page-decrement"
  case rotate, absolute, push

  static let reserved = [
    "kind", "profile", "snap-to-ticks", "climb-rate", "choices", "expressions", "feedback", "on-change",
    "on-limit",
  ]
}

/// `push = { … }` of a control.
enum PushKey: String, ConfigurationKey {
  case input, short, long, delay, toggle
}

/// `repeat = { … }` of a control.
enum RepeatKey: String, ConfigurationKey {
  case delay, interval, stages
}

/// An element of `stages`.
enum StageKey: String, ConfigurationKey {
  case from, interval
}
