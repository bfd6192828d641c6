package import StepperCore

/// The event that runs a hook.
package enum HookOccasion: Hashable, Sendable {
  /// A change of the value of a control, with any origin.
  case change
  case moment(Moment)
  /// The whole board became idle.
  case boardIdle
  /// The whole board is active again.
  case boardActive

  /// The text of the placeholder `{moment}`.
  package var word: String {
    switch self {
    case .change: "change"
    case .moment(let moment): moment.rawValue
    case .boardIdle: "idle"
    case .boardActive: "active"
    }
  }
}

/// A command that is run when something happens to a control or to the whole board.
package struct HookSettings: Hashable, Sendable {
  /// Its key in the configuration, such as `on-change`.
  package var name: String
  package var occasions: Set<HookOccasion> = [.change]
  /// The program, a path or a name that is looked up in `PATH`, and its arguments. No shell reads them.
  package var command: [String]
  /// The command starts only after this time without a further event.
  package var debounce: Duration?
  /// The minimum time between two starts; nil: none. Starting a command blocks the daemon.
  package var interval: Duration? = defaultInterval
  /// The time after which the command and every process it started are ended.
  package var timeout = defaultTimeout
  /// Whether a new event ends the current run instead of waiting for it.
  package var interrupts = false
  /// Whether the command also runs at the start and after a reload.
  package var runsAtStart = false

  /// Too short to be noticed while a knob is turned.
  package static let defaultInterval = Duration.milliseconds(50)
  package static let defaultTimeout = Duration.seconds(10)
}

/// Names of the placeholders that arguments may contain, such as `{text}`.
extension HookSettings {
  package static let knownPlaceholders = [
    "control", "moment", "value", "text", "previous", "previous-text", "origin", "limit", "minimum",
    "maximum",
    "unit", "title", "speech", "sequence", "device", "text-title",
  ]

  /// The names in braces in `argument`. They consist of lower-case letters and dashes.
  package static func placeholders(in argument: String) -> [String] {
    parts(of: argument).compactMap { $0.isPlaceholder ? String($0.text) : nil }
  }

  /// The command with every placeholder replaced by its value in `values`.
  package func command(with values: [String: String]) -> [String] {
    command.map { argument in
      Self.parts(of: argument).map { part in
        part.isPlaceholder ? values[String(part.text)] ?? "{\(part.text)}" : String(part.text)
      }.joined()
    }
  }

  private static func parts(of argument: String) -> [(text: Substring, isPlaceholder: Bool)] {
    var parts: [(Substring, Bool)] = []
    var rest = argument[...]
    while let open = rest.utf8.firstIndex(of: UInt8(ascii: "{")) {
      let inside = rest.utf8.index(after: open)
      let end = rest.utf8[inside...].firstIndex { !isPlaceholderByte($0) } ?? rest.endIndex
      guard end > inside, end < rest.endIndex, rest.utf8[end] == UInt8(ascii: "}") else {
        parts.append((rest[..<inside], false))
        rest = rest[inside...]
        continue
      }
      parts += [(rest[..<open], false), (rest[inside..<end], true)]
      rest = rest[rest.utf8.index(after: end)...]
    }
    return parts + [(rest, false)]
  }

  private static func isPlaceholderByte(_ byte: UInt8) -> Bool {
    "a"..."z" ~= byte || byte == UInt8(ascii: "-")
  }
}
