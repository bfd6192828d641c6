/// The keys of one kind of table. Stable from the first release on.
package protocol ConfigurationKey: RawRepresentable<String>, CaseIterable, Hashable, Sendable {}

/// The tables of a document.
enum RootKey: String, ConfigurationKey {
  case daemon, device, profile, control
  case link
  case mqtt
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
  case idleAfter = "idle-after"
  case onIdle = "on-idle"
  case onActive = "on-active"
}

/// `[device.NAME]`.
enum DeviceKey: String, ConfigurationKey {
  case match, virtual, led, vibrator, grab, invert
  case countsPerDetent = "counts-per-detent"
  case acceleration, axis, strength
}

/// `axis = { ABS_… = { … } }` of a device.
enum AxisKey: String, ConfigurationKey {
  case minimum, maximum, invert, hysteresis
  case deadZone = "dead-zone"
}

/// `match = { … }` of a device.
enum MatchKey: String, ConfigurationKey {
  case name, vendor, product, phys, uniq, path, property, has
}

/// `acceleration = { … }` of a device.
enum AccelerationKey: String, ConfigurationKey {
  case gain, slow, fast
}

/// `[control.NAME]`: the keys of ``OptionKey``, which profiles have too, and these.
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
}

/// `[profile.NAME]`: the keys of ``OptionKey`` and these.
enum ProfileKey: String, ConfigurationKey {
  case base, about
}

/// The options of profiles; each can be set for a control as well.
package enum OptionKey: String, ConfigurationKey {
  // The value
  case kind, minimum, maximum, step, page, initial
  case resetAfter = "reset-after"
  case unset, digits, precision
  case significantDigits = "significant-digits"
  case rounding
  // A button that is pressed
  case firstStep = "first-step"
  case autorepeat
  case `repeat`
  case singleStep = "single-step"
  case climbRate = "climb-rate"
  case climbEvery = "climb-every"
  case climbAfter = "climb-after"
  case toLimit = "to-limit"
  case secondPress = "second-press"
  case lostRelease = "lost-release"
  case multiPress = "multi-press"
  // The ends of the range
  case partialStep = "partial-step"
  case wraps
  case wrapWhen = "wrap-when"
  case wrapLanding = "wrap-landing"
  case atLimit = "at-limit"
  case limitButtons = "limit-buttons"
  case rangeConflict = "range-conflict"
  case rangeChange = "range-change"
  case bounds
  // Publishing
  case continuous
  case publishUnchanged = "publish-unchanged"
  case snapToTicks = "snap-to-ticks"
  case commit
  // Knobs and faders
  case turns, curve, pickup
  // Text
  case updatePolicy = "update-policy"
  case numeric, expressions
  case divideByZero = "divide-by-zero"
  case format, currency, grouping
  case speech, announce
  // Feedback
  case feedback
}

/// `on-change = { … }` of a control.
enum HookKey: String, ConfigurationKey {
  case command, debounce, interval, timeout, interrupt
  case atStart = "at-start"
}

/// `restore = { … }` of a control.
enum RestoreKey: String, ConfigurationKey {
  case atLeast = "at-least"
  case atMost = "at-most"
}

/// An element of `choices` with a title.
enum ChoiceKey: String, ConfigurationKey {
  case name, title
}

/// `push = { … }` of a control.
enum PushKey: String, ConfigurationKey {
  case input, short, double, triple, long, delay, toggle
  case multiPress = "multi-press"
  case whilePressed = "while"
  case when

  /// Those that name an action.
  static let actions: [PushKey] = [.short, .double, .triple, .long]
  /// Those that every binding has.
  static let ofBinding: Set<PushKey> = [.input, .whilePressed, .when]
}

/// The table form of an action: `{ set = 20 }`.
enum PushActionKey: String, ConfigurationKey {
  case set
}

/// The table form of an input: `{ input = "knob:REL_DIAL", multiplier = 10 }`.
enum BindingKey: String, ConfigurationKey {
  case input, multiplier, feedback, when
  case whilePressed = "while"
}

/// `repeat = { … }` of a control.
enum RepeatKey: String, ConfigurationKey {
  case delay, interval, stages
}

/// An element of `stages`.
enum StageKey: String, ConfigurationKey {
  case from, interval
}
