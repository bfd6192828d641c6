import StepperInterfaces

/// Keeps what is long in a reply within half of the 1 MiB that it may have: the rest is for what cannot be left out.
struct ReplyRoom {
  private var left: Int

  init(_ bytes: Int = 512 << 10) { left = bytes }

  /// Whether there is room for `size` bytes; they are taken then.
  mutating func take(_ size: Int) -> Bool {
    guard size <= left else { return false }
    left -= size
    return true
  }
}

extension ControlInterface.Description {
  /// Without the names of its choices and its titles by language, if there is no room for them.
  func fitted(into room: inout ReplyRoom) -> Self {
    guard !room.take(namesSize) else { return self }
    var short = self
    (short.choices, short.titles) = (nil, nil)
    return short
  }
}

extension DeviceInterface.Device {
  /// With as many capabilities as there is room for.
  func fitted(into room: inout ReplyRoom) -> Self {
    let fitting = capabilities.prefix { room.take($0.replySize) }
    guard fitting.count < capabilities.count else { return self }
    var short = self
    short.capabilities = Array(fitting)
    short.omittedCapabilities = Int64(capabilities.count - fitting.count)
    return short
  }
}

extension [ManagerInterface.Problem] {
  /// The first of them, as far as there is room, and a last one that says how many more there are.
  var fitted: Self {
    var room = ReplyRoom(256 << 10)
    let fitting = prefix { room.take($0.replySize) }
    let rest = dropFirst(fitting.count)
    guard let first = rest.first else { return self }
    let isError = rest.contains { $0.severity == .error }
    return fitting + [
      ManagerInterface.Problem(
        file: first.file, keyPath: "", severity: isError ? .error : .warning,
        message: "… and \(rest.count) more")
    ]
  }
}

extension [String] {
  /// The first 64, and a last one that says how many more there are.
  var fitted: Self {
    let most = 64
    return count <= most ? self : prefix(most) + ["… and \(count - most) more"]
  }
}
