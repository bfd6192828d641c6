package import StepperInterfaces

/// A component of a control in Home Assistant: one of its entities or triggers.
enum DiscoveryComponent: Hashable, Sendable {
  case number, sensor, text, select, toggle, binarySensor, reset, event
  /// Why the last refused command was refused; it belongs to the board and not to a control.
  case refusal
  /// A device trigger of a button.
  case trigger(Trigger)

  enum Trigger: String {
    case shortPress, longPress, doublePress

    /// The type in Home Assistant's words.
    var type: String {
      switch self {
      case .shortPress: "button_short_press"
      case .longPress: "button_long_press"
      case .doublePress: "button_double_press"
      }
    }
  }

  private var facts: (platform: String, suffix: String, isCommand: Bool) {
    switch self {
    case .number: ("number", "", true)
    case .sensor: ("sensor", "", false)
    case .text: ("text", ":text", true)
    case .select: ("select", "", true)
    case .toggle: ("switch", "", true)
    case .binarySensor: ("binary_sensor", "", false)
    case .reset: ("button", ":reset", true)
    case .event: ("event", ":event", false)
    case .refusal: ("sensor", ":refusal", false)
    case .trigger(let trigger): ("device_automation", ":\(trigger.rawValue)", false)
    }
  }

  /// The value of `p`.
  var platform: String { facts.platform }

  /// The trigger of a press; nil: the moment is not a press.
  init?(trigger moment: ControlInterface.Moment) {
    guard let trigger = Trigger(rawValue: moment.rawValue) else { return nil }
    self = .trigger(trigger)
  }

  /// The component's key. Names of controls contain no colon, so that keys are unique.
  func key(_ control: String) -> String { control + facts.suffix }

  var isTrigger: Bool { if case .trigger = self { true } else { false } }

  /// Whether the component can send commands.
  var isCommand: Bool { facts.isCommand }

  /// The component's identity in Home Assistant. Triggers have no unique ID.
  func identity(_ control: String, _ settings: MQTTBridgeSettings) -> ComponentIdentity {
    if case .trigger = self { return ComponentIdentity(platform: platform, uniqueID: nil) }
    return ComponentIdentity(platform: platform, uniqueID: settings.uniqueID(key(control)))
  }
}

/// What Home Assistant cannot change in a component: if it differs, the component is removed and created again.
struct ComponentIdentity: Hashable, Sendable {
  let platform: String
  let uniqueID: String?
}

/// How a control is presented in Home Assistant.
package struct DiscoveryPlan: Hashable, Sendable {
  var components: [DiscoveryComponent]
  /// Why the control is not presented as the expected entity; nil: it is.
  package var fallback: String?

  /// The smallest step that Home Assistant's number accepts.
  static let leastStep = 0.001

  /// `isAdvisory`: whether the bounds of the control are advisory. `presses`: the kinds of presses that the daemon publishes for it, if
  /// it is a button.
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

  /// Why a control cannot be a `number`; nil: it can.
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
  /// The components that show and change the value: `number`, or `sensor and text`.
  package var summary: String {
    components.filter {
      switch $0 {
      case .reset, .event, .refusal, .trigger: false
      default: true
      }
    }.map(\.platform).joined(separator: " and ")
  }
}
