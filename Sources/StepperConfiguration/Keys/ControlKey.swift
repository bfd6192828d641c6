import StepperCore

/// The keys of `[control.NAME]` beside those of ``OptionKey``, which profiles have as well.
enum ControlKey: String, ConfigurationKey {
  case profile, title, subtitle, group, unit, choices, enabled, restore
  case writableBy = "writable-by"
  case increment, decrement
  case pageIncrement = "page-increment"
  case pageDecrement = "page-decrement"
  case toMinimum = "to-minimum"
  case toMaximum = "to-maximum"
  case reset, rotate, absolute, push
  case outputs, light, speak
  case onChange = "on-change"
  case onLimit = "on-limit"
  case onWrap = "on-wrap"
  case onPress = "on-press"
  case onRelease = "on-release"
  case onShortPress = "on-short-press"
  case onDoublePress = "on-double-press"
  case onTriplePress = "on-triple-press"
  case onLongPress = "on-long-press"
  case onReset = "on-reset"
  case onEnd = "on-end"
  case onConnect = "on-connect"
  case onDisconnect = "on-disconnect"
  case onIdle = "on-idle"

  static var standard: ControlConfiguration { ControlConfiguration(settings: ControlSettings(name: "")) }

  var key: Key<ControlConfiguration> {
    switch self {
    case .title: Key { ($1.title, $1.titles) = $0.titles() }
    case .subtitle: Key { ($1.subtitle, $1.subtitles) = $0.titles() }
    case .group: Key { $1.group = $0.titledName()?.titled }
    case .unit: Key(\.unit, .text(upTo: ConfigurationLimit.unitBytes))
    case .enabled: Key(\.settings.isEnabled, .flag)
    case .writableBy: Key(\.writableBy, .word)
    // ``ControlReader`` reads these together with the devices, the profiles and the other controls.
    case .profile, .choices, .restore, .increment, .decrement, .pageIncrement, .pageDecrement, .toMinimum,
      .toMaximum, .reset, .rotate, .absolute, .push, .outputs, .light, .speak, .onChange, .onLimit, .onWrap,
      .onPress, .onRelease, .onShortPress, .onDoublePress, .onTriplePress, .onLongPress, .onReset, .onEnd,
      .onConnect, .onDisconnect, .onIdle:
      .other
    }
  }
}

/// `on-change = { … }` of a control.
enum HookKey: String, ConfigurationKey {
  case command, debounce, interval, timeout, interrupt
  case atStart = "at-start"

  static var standard: HookSettings { HookSettings(name: "", command: []) }

  var key: Key<HookSettings> {
    let times = Duration.milliseconds(1) ... .seconds(3_600)
    return switch self {
    case .command: .other
    case .debounce: Key(\.debounce, .duration(in: times))
    case .interval: Key(\.interval, .duration(in: times))
    case .timeout: Key(\.timeout, .duration(in: times))
    case .interrupt: Key(\.interrupts, .flag)
    case .atStart: Key(\.runsAtStart, .flag)
    }
  }
}

/// `restore = { … }` of a control.
enum RestoreKey: String, ConfigurationKey {
  case atLeast = "at-least"
  case atMost = "at-most"

  typealias Target = Void
}

/// The table form of a group, and of an element of `choices`.
enum TitledNameKey: String, ConfigurationKey {
  case name, title

  static var standard: TitledName { TitledName(name: "") }

  var key: Key<TitledName> {
    switch self {
    case .name: .other
    case .title: Key { ($1.title, $1.titles) = $0.titles() }
    }
  }
}

/// `push = { … }` of a control.
enum PushKey: String, ConfigurationKey {
  case input, short, double, triple, long, delay, toggle
  case multiPress = "multi-press"
  case whilePressed = "while"
  case when

  /// The keys whose value is an action.
  static let actions: [PushKey] = [.short, .double, .triple, .long]
  /// The keys that every binding has.
  static let ofBinding: Set<PushKey> = [.input, .whilePressed, .when]

  static var standard: PushActions { PushActions() }

  var key: Key<PushActions> {
    switch self {
    case .delay: Key(\.longPressDelay, .duration(in: .milliseconds(50) ... .seconds(60)))
    // The default is the interval of the control.
    case .multiPress: Key { $1.multiPressInterval = Kind.multiPress.read($0, "") ?? $1.multiPressInterval }
    case .input, .short, .double, .triple, .long, .toggle, .whilePressed, .when: .other
    }
  }
}

extension Kind<Duration> {
  /// The time from a release to the next press of a double press.
  static var multiPress: Self { duration(in: .milliseconds(50) ... .seconds(5)) }
}

/// The table form of an action: `{ set = 20 }`.
enum PushActionKey: String, ConfigurationKey {
  case set

  typealias Target = Void
}

/// The table form of an input: `{ input = "knob:REL_DIAL", multiplier = 10 }`.
enum BindingKey: String, ConfigurationKey {
  case input, multiplier, feedback, when
  case whilePressed = "while"

  static var standard: Binding { Binding(InputReference(device: "", usage: .dial), .rotate) }

  var key: Key<Binding> {
    switch self {
    case .multiplier: Key(\.multiplier, .integer(in: 1...1_000_000))
    case .feedback: Key { $1.feedback = $0.word() }
    case .input, .when, .whilePressed: .other
    }
  }
}
