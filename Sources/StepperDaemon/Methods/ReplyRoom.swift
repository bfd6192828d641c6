import StepperInterfaces

/// Limits the long parts of a reply to half of its 1 MiB; the other half is for the parts that cannot be omitted.
struct ReplyRoom {
  private var left: Int

  init(_ bytes: Int = 512 << 10) { left = bytes }

  /// Whether there is room for `size` bytes, which are then used.
  mutating func take(_ size: Int) -> Bool {
    guard size <= left else { return false }
    left -= size
    return true
  }

  /// Uses `size` bytes, even if there is no room for them.
  mutating func use(_ size: Int) { left = max(left - size, 0) }
}

extension ControlInterface.Description {
  /// The description for a reply that contains no other description.
  var fitted: Self {
    var room = ReplyRoom()
    return fitted(into: &room)
  }

  /// The description, without the names and titles of its choices, its localized titles and subtitles, and the titles
  /// of its group if they do not fit.
  func fitted(into room: inout ReplyRoom) -> Self {
    guard !room.take(namesSize) else { return self }
    var short = self
    (short.choices, short.choiceTitles, short.choiceTranslations) = (nil, nil, nil)
    (short.titles, short.subtitles) = (nil, nil)
    (short.groupTitle, short.groupTitles) = (nil, nil)
    return short
  }
}

extension DeviceInterface.Device {
  /// The device, without its lights if they do not fit, and with as many capabilities as fit.
  func fitted(into room: inout ReplyRoom) -> Self {
    var short = self
    if !room.take(lightsSize) { short.lights = [] }
    let fitting = capabilities.prefix { room.take($0.replySize) }
    guard fitting.count < capabilities.count else { return short }
    short.capabilities = Array(fitting)
    short.omittedCapabilities = Int64(capabilities.count - fitting.count)
    return short
  }
}

extension [DeviceInterface.Device] {
  /// All devices. The last ones have no lights and capabilities if those do not fit.
  var fitted: Self {
    var room = ReplyRoom()
    for device in self { room.use(device.fixedSize) }
    return map { $0.fitted(into: &room) }
  }
}

extension [ManagerInterface.Problem] {
  /// As many problems as fit, and a last one that states the number of omitted problems.
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

extension [ManagerInterface.Metric] {
  /// All metrics of the whole daemon, and as many metrics of single objects as fit.
  var fitted: Self {
    var room = ReplyRoom()
    return filter { $0.object == nil || room.take($0.replySize) }
  }
}

extension [String] {
  /// The first 64 texts, and a last one that states the number of omitted texts.
  var fitted: Self {
    let most = 64
    return count <= most ? self : prefix(most) + ["… and \(count - most) more"]
  }
}
