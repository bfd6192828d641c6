package import StepperInterfaces
import Varlink

/// The message that announces a board to Home Assistant: one device with all its components.
///
/// It uses Home Assistant's short keys and omits values that are the default there, because brokers limit the length of a message: see
/// ``MQTTBridgeSettings/announcementLimit``.
struct DiscoveryPayload {
  let settings: MQTTBridgeSettings
  let topics: Topics

  /// Components by their keys, with nothing but their platforms: this is how they are removed.
  typealias Removed = [(key: String, platform: String)]

  /// `removed` components are announced once with nothing but their platform, which removes them.
  func bytes(_ controls: [(ControlInterface.Description, DiscoveryPlan)], removed: Removed = []) -> [UInt8] {
    let titles = Self.titles(of: controls)
    var components = controls.flatMap { description, plan in
      plan.components.map { component -> Member in
        (component.key(description.control), object(component, description, titles))
      }
    }
    if Self.hasRefusals(controls) { components.append((DiscoveryComponent.refusal.key(""), refusals)) }
    components += removed.map { key, platform -> Member in (key, ["p": platform] as JSONObject) }
    let device: JSONObject = [
      "ids": ["stepperd_\(settings.id)"], "name": settings.name, "mf": "stepperd",
      "mdl": settings.model ?? "stepperd", "sn": settings.serial, "sw": settings.version,
      "cu": settings.webPage,
    ]
    let origin: JSONObject = ["name": "stepperd-mqtt", "sw": settings.version, "url": settings.homepage]
    let announcement: JSONObject = [
      "dev": device, "o": origin, "avty_t": topics.status, "cmps": JSONObject(components),
    ]
    return announcement.payload
  }

  private typealias Member = (String, (any JSONWritable)?)

  /// The quality of service of commands and subscriptions. It is set in each component, because Home Assistant up to 2026.5.1 does not
  /// read it from the device.
  private static var quality: Member { ("qos", 1) }

  private func object(
    _ component: DiscoveryComponent, _ description: ControlInterface.Description, _ titles: [String: Int]
  ) -> JSONObject {
    let control = description.control
    let title = description.title ?? control
    if case .trigger(let trigger) = component {
      return [
        "p": component.platform, "atype": "trigger", "type": trigger.type,
        "stype": titles[title] ?? 1 > 1 ? "\(title) (\(control))" : title, "t": topics.moment(control),
        "pl": trigger.rawValue, "qos": 1,
      ]
    }
    let key = component.key(control)
    // A disabled component, which nobody may ever enable, gets the ID that Home Assistant derives from its name. That shortens the
    // message.
    let isEnabled = isEnabled(component, description)
    let entity: [Member] = [
      ("p", component.platform), ("name", Self.name(component, title)), ("uniq_id", settings.uniqueID(key)),
      ("def_ent_id", isEnabled ? "\(component.platform).\(Self.slug("\(settings.id)_\(key)"))" : nil),
      ("en", isEnabled ? nil : false),
    ]
    return JSONObject(entity + options(component, description) + [Self.quality])
  }

  /// The number of controls with triggers for each title. Home Assistant tells triggers apart by their type and subtype alone, and drops
  /// the second of two equal ones.
  private static func titles(
    of controls: [(ControlInterface.Description, DiscoveryPlan)]
  ) -> [String: Int] {
    var result: [String: Int] = [:]
    for (description, plan) in controls where plan.components.contains(where: \.isTrigger) {
      result[description.title ?? description.control, default: 0] += 1
    }
    return result
  }

  /// Whether the component is enabled without a request from the user.
  private func isEnabled(
    _ component: DiscoveryComponent, _ description: ControlInterface.Description
  ) -> Bool {
    switch component {
    case .reset: false
    case .event: description.kind == .button
    default: true
    }
  }

  /// The name that people see after the name of the board. Of each control, one entity has the bare title.
  private static func name(_ component: DiscoveryComponent, _ title: String) -> String {
    switch component {
    case .text: "\(title) setting"
    case .reset: "\(title) reset"
    case .event: "\(title) moment"
    default: title
    }
  }

  // MARK: Refusals

  /// Whether there are commands that the board could refuse.
  static func hasRefusals(_ controls: [(ControlInterface.Description, DiscoveryPlan)]) -> Bool {
    controls.contains { $0.1.components.contains(where: \.isCommand) }
  }

  /// After a refusal, Home Assistant shows the old value again, and this sensor says why. It has the message of the last result with an
  /// error, of any control. States in Home Assistant have at most 255 characters.
  private var refusals: JSONObject {
    let component = DiscoveryComponent.refusal
    return [
      "p": component.platform, "name": "Last refusal", "uniq_id": settings.uniqueID(component.key("")),
      "def_ent_id": "\(component.platform).\(Self.slug("\(settings.id)_last_refusal"))",
      "stat_t": topics.result("+"),
      // A result without an error leaves the state as it is. So a second refusal with the same message does not change it either. While
      // the board is unavailable, the earlier state is unknown.
      "val_tpl":
        "{{ value_json.message[:255] if value_json.error is defined else 'None' if this.state == 'unavailable' else this.state }}",
      "ent_cat": "diagnostic", "qos": 1,
    ]
  }

  private func options(
    _ component: DiscoveryComponent, _ description: ControlInterface.Description
  ) -> [Member] {
    let control = description.control
    let value = valueTopics(control, component)
    switch component {
    case .number:
      let (low, high, step) = (description.minimum ?? 0, description.maximum ?? 0, description.step ?? 1)
      // By default Home Assistant shows a slider for up to 256 steps, and a box for more.
      let steps = (high - low) / step
      return value + [
        ("min", PlainDecimal(low)), ("max", PlainDecimal(high)),
        ("step", step == 1 ? nil : PlainDecimal(step)),
        ("unit_of_meas", description.unit), ("mode", steps > 256 && steps <= 1_000 ? "slider" : nil),
      ]
    case .select: return value + [("options", (description.choices ?? []).map(PlainPayload.text))]
    case .toggle, .binarySensor: return value + [("pl_on", "on"), ("pl_off", "off")]
    case .text: return value + [("val_tpl", "{{ '' if value == '\(PlainPayload.unset)' else value }}")]
    case .sensor:
      guard description.kind == .continuous else { return value }
      // These members are for Home Assistant's statistics.
      return value + [("unit_of_meas", description.unit), ("stat_cla", "measurement")]
    case .reset: return [("cmd_t", topics.command(control, .reset))]
    case .event:
      return [
        ("stat_t", topics.moment(control)), ("val_tpl", "{\"event_type\":\"{{value}}\"}"),
        ("evt_typ", Moments.possible(description).map(\.rawValue)),
      ]
    case .refusal, .trigger: return []
    }
  }

  /// The topics of the value, and of commands if the component has any. In that case `~` stands for the topic of the value.
  ///
  /// With a topic for its value, an entity is not optimistic: it shows what the control reports.
  private func valueTopics(_ control: String, _ component: DiscoveryComponent) -> [Member] {
    guard component.isCommand else { return [("stat_t", topics.text(control))] }
    return [
      ("~", topics.text(control)), ("stat_t", "~"), ("cmd_t", "~/\(Topics.Verb.set.rawValue)"),
    ]
  }

  /// The form of entity IDs: lower-case letters, digits and underscores.
  static func slug(_ text: String) -> String {
    String(
      String.UnicodeScalarView(
        text.lowercased().unicodeScalars.map { scalar in
          ("a"..."z").contains(scalar) || ("0"..."9").contains(scalar) ? scalar : "_"
        }))
  }
}

/// The moments that are published: those that states do not already contain.
enum Moments {
  static let passedOn: [ControlInterface.Moment] =
    [.limit, .minimum, .maximum, .wrap] + presses + [.reset, .end, .idle]
  static let presses: [ControlInterface.Moment] = [
    .press, .release, .shortPress, .doublePress, .triplePress, .longPress,
  ]

  /// The published moments that a control with this range can have.
  static func possible(_ description: ControlInterface.Description) -> [ControlInterface.Moment] {
    passedOn.filter { moment in
      switch moment {
      case .wrap: description.wrap
      case .minimum: description.minimum != nil || description.kind != .continuous
      case .maximum: description.maximum != nil || description.kind != .continuous
      default: true
      }
    }
  }
}

extension MQTTBridgeSettings {
  /// The size in bytes of a message that, as far as is known, every broker accepts: the limit of AWS IoT Core.
  package static let announcementLimit = 128 << 10

  /// The size in bytes of the announcement of these controls to Home Assistant.
  package func announcementBytes(_ controls: [ControlInterface.Description]) -> Int {
    let plans = controls.map { ($0, plan(of: $0, isAdvisory: advisoryControls.contains($0.control))) }
    return DiscoveryPayload(settings: self, topics: Topics(self)).bytes(plans).count
  }
}
