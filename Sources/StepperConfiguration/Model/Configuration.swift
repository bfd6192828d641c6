package import StepperCore

/// A validated configuration.
package struct Configuration: Hashable, Sendable {
  package var daemon = DaemonSettings()
  /// In the order of the file.
  package var devices: [DeviceConfiguration] = []
  /// In the order of the file, without the built-in ones.
  package var profiles: [Profile] = []
  /// In the order of the file.
  package var controls: [ControlConfiguration] = []
  /// In the order of the file; for stepperd-link.
  package var links: [LinkConfiguration] = []

  /// An empty configuration.
  package init() {}
}

/// `[daemon]`. nil stands for the default, which depends on whether this is the daemon of the system or of a user.
package struct DaemonSettings: Hashable, Sendable {
  package var socketPath: String?
  /// The group of the socket, whose members may connect.
  package var socketGroup: String?
  /// The group of administrators. Root, and the user of a user's daemon, are administrators as well.
  package var adminGroup: String?
  /// The users and groups that may attach devices, besides administrators.
  package var providers: [Account] = []
  /// A file with further controls that is read together with this one: see ``IncludedConfiguration``.
  package var includedFile: String?
  package var stateDirectory: String?
  package var logLevel = LogLevel.info
  /// Values are saved this long after the last change …
  package var saveAfter = Duration.seconds(2)
  /// … but at most this often, to spare flash memory.
  package var saveInterval = Duration.seconds(30)
  /// The whole board becomes idle after this time without a touch of an input or a change by a client; nil: never.
  package var idleAfter: Duration?
  /// The hooks of the whole board.
  package var hooks: [HookSettings] = []

  /// A user or a group, by its name or its number.
  package struct Account: Hashable, Sendable {
    package enum Kind: String, CaseIterable, Sendable { case user, group }

    package var kind: Kind
    package var name: String

    package init(_ kind: Kind, _ name: String) { (self.kind, self.name) = (kind, name) }
  }

  package enum LogLevel: String, CaseIterable, Hashable, Sendable {
    case debug, info, notice, warning, error
  }
}

/// `[device.NAME]`.
package struct DeviceConfiguration: Hashable, Sendable {
  package var settings: DeviceSettings
  package var source: Source
  /// Whether the daemon grabs the device, so that no other program receives its events.
  package var grabs = false
  /// The strength of the device's effects, 0…1.
  package var strength = 1.0
  /// The detents per turn that a knob with HID haptics generates; nil leaves the knob's setting unchanged.
  package var detentsPerTurn: Int64?

  package enum Source: Hashable, Sendable {
    /// Moved by programs over the socket.
    case virtual
    /// Every real device that matches one of these.
    case matching([DeviceMatch])
    /// A light of the LED class, by its name in `/sys/class/leds`.
    case light(String)
    /// A vibrator of the LED class.
    case vibrator(String)
  }
}

/// `[control.NAME]`.
package struct ControlConfiguration: Hashable, Sendable {
  package var settings: ControlSettings
  /// The name of its profile.
  package var profile = Profile.standardName
  /// The built-in profile that the control's profile is or is derived from.
  package var family = Profile.standardName
  package var title: String?
  /// The title by language tag, where it is translated.
  package var titles: [String: String] = [:]
  /// A second line below the title.
  package var subtitle: String?
  /// The subtitle by language tag, where it is translated.
  package var subtitles: [String: String] = [:]
  /// The group in which programs show the control.
  package var group: TitledName?
  package var choiceTitles = ChoiceTitles()
  package var unit: String?
  package var presentation = Presentation()
  /// The outputs that play its effects, the preferred one first; empty: those of the device that is moved.
  package var outputs: [OutputReference] = []
  /// The lights whose brightness follows its value.
  package var lights: [OutputReference] = []
  package var hooks: [HookSettings] = []
  package var writableBy = Access.everyone
  /// Whether the value is restored after a restart.
  package var restores = true
  /// The range of the values that are restored.
  package var restoreBounds = RestoreBounds()

  /// The clients that may change it.
  package enum Access: String, CaseIterable, Hashable, Sendable {
    case everyone
    case admin
    case nobody
  }

  package init(settings: ControlSettings) { self.settings = settings }
}

extension ControlConfiguration {
  /// Whether one of the hooks speaks the control's changes.
  package var isSpoken: Bool { hooks.contains { $0.name == ControlKey.speak.rawValue } }

  /// What people see for `value`: the title of a choice, else the text. `settings` are the adjusted ones.
  package func title(of value: FixedPoint, in settings: ControlSettings) -> String {
    let place = Int(clamping: value.rescaled(to: 0).units)
    return choiceTitles.titles.indices.contains(place) ? choiceTitles.titles[place] : settings.text(of: value)
  }
}

/// The name of a choice, or of a group of controls that programs show together.
package struct TitledName: Hashable, Sendable {
  package var name: String
  /// What people are shown; nil: the name.
  package var title: String?
  /// The title by language tag, where it is translated.
  package var titles: [String: String] = [:]
}

/// How people are shown the choices of a control, in their order.
package struct ChoiceTitles: Hashable, Sendable {
  /// The title of each choice, or its name; empty if no choice has a title.
  package var titles: [String] = []
  /// The titles by language tag; empty if none is translated.
  package var translations: [[String: String]] = []
}

/// The range of values that a control may have after a start. A saved value outside it is replaced by the nearest end.
/// nil: the end of the control's own range.
package struct RestoreBounds: Hashable, Sendable {
  package var atLeast: FixedPoint?
  package var atMost: FixedPoint?

  package func clamp(_ value: FixedPoint) -> FixedPoint {
    let belowMost = atMost.map { min($0, value) } ?? value
    return atLeast.map { max($0, belowMost) } ?? belowMost
  }
}
