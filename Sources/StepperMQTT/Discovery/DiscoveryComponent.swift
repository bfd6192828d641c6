package import StepperInterfaces

/// What Home Assistant has of a control: one of its entities or triggers.
enum DiscoveryComponent: Hashable, Sendable {
  case number, sensor, text, select, toggle, binarySensor, reset, event
  /// Why the last command was refused that was; of the board, and of no control.
  case refusal
  /// A device trigger of a button.
  case trigger(Trigger)

  enum Trigger: String {
    case shortPress, longPress, doublePress

    /// In Home Assistant's words.
    var type: String {
      switch self {
      case .shortPress: "button_short_press"
      case .longPress: "button_long_press"
      case .doublePress: "button_double_press"
      }
    }
  }

  /// The value of `p`.
  var platform: String {
    switch self {
    case .number: "number"
    case .sensor, .refusal: "sensor"
    case .text: "text"
    case .select: "select"
    case .toggle: "switch"
    case .binarySensor: "binary_sensor"
    case .reset: "button"
    case .event: "event"
    case .trigger: "device_automation"
    }
  }

  /// The trigger of a press; nil: the moment is not a press.
  init?(trigger moment: ControlInterface.Moment) {
    guard let trigger = Trigger(rawValue: moment.rawValue) else { return nil }
    self = .trigger(trigger)
  }

  /// What its key has behind the name of the control. Names of controls have no colon, so that keys are unique.
  private var suffix: String {
    switch self {
    case .number, .sensor, .select, .toggle, .binarySensor: ""
    case .text: ":text"
    case .reset: ":reset"
    case .event: ":event"
    case .refusal: ":refusal"
    case .trigger(let trigger): ":\(trigger.rawValue)"
    }
  }

  func key(_ control: String) -> String { control + suffix }

  var isTrigger: Bool { if case .trigger = self { true } else { false } }

  /// Whether something can be commanded with it.
  var isCommand: Bool {
    switch self {
    case .number, .text, .select, .toggle, .reset: true
    case .sensor, .binarySensor, .event, .refusal, .trigger: false
    }
  }

  /// As what Home Assistant has it; triggers have no unique ID.
  func identity(_ control: String, _ settings: MQTTBridgeSettings) -> ComponentIdentity {
    if case .trigger = self { return ComponentIdentity(platform: platform, uniqueID: nil) }
    return ComponentIdentity(platform: platform, uniqueID: settings.uniqueID(key(control)))
  }
}

/// What Home Assistant cannot change of a component: with another one it is removed and made again.
struct ComponentIdentity: Hashable, Sendable {
  let platform: String
  let uniqueID: String?
}

/// How a control appears in Home Assistant.
package struct DiscoveryPlan: Hashable, Sendable {
  var components: [DiscoveryComponent]
  /// Why it is not the entity that one would expect; nil: it is.
  package var fallback: String?

  /// The least step that Home Assistant's number takes.
  static let leastStep = 0.001

  /// `isAdvisory`: the bounds of the control are advisory. `presses`: the kinds of presses that the daemon publishes of it,
  /// if it is a button.
  package init(
    _ description: ControlInterface.Description, isAdvisory: Bool,
    presses: [ControlInterface.Moment] = [.shortPress]
  ) {
    components = []
    switch description.kind {
    case .continuous: planNumber(description, isAdvisory)
    case .choice: planChoice(description)
    case .toggle: components = [description.writable ? .toggle : .binarySensor]
    case .button: components = [.binarySensor] + presses.compactMap { .init(trigger: $0) }
    }
    if description.kind != .button, description.writable, description.default != nil {
      components.append(.reset)
    }
    components.append(.event)
  }

  private mutating func planNumber(_ description: ControlInterface.Description, _ isAdvisory: Bool) {
    guard description.writable else {
      components = [.sensor]
      return
    }
    fallback = Self.obstacle(description, isAdvisory)
    components = fallback == nil ? [.number] : [.sensor, .text]
  }

  private mutating func planChoice(_ description: ControlInterface.Description) {
    let isKnown = description.choices?.isEmpty == false
    if !isKnown { fallback = "its choices are too long for one message of the daemon" }
    switch (isKnown, description.writable) {
    case (_, false): components = [.sensor]
    case (true, true): components = [.select]
    case (false, true): components = [.sensor, .text]
    }
  }

  /// Why a control is no `number`; nil: it is one.
  private static func obstacle(
    _ description: ControlInterface.Description, _ isAdvisory: Bool
  ) -> String? {
    if isAdvisory { return "its bounds are advisory, and a number there refuses values outside of them" }
    guard let minimum = description.minimum, let maximum = description.maximum else {
      return "its range has an open end, which a number there cannot have"
    }
    if minimum >= maximum { return "its range has one value only" }
    guard (description.step ?? 1) >= leastStep else {
      return "its step is finer than 0.001, the finest of a number there"
    }
    return nil
  }
}

extension DiscoveryPlan {
  /// `number`, or `sensor and text`: what shows and moves the value.
  package var summary: String {
    components.filter {
      switch $0 {
      case .reset, .event, .refusal, .trigger: false
      default: true
      }
    }.map(\.platform).joined(separator: " and ")
  }
}
