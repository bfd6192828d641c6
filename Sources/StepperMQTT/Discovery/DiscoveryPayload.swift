package import StepperInterfaces

/// The message that announces a board to Home Assistant: one device with all its components.
///
/// Its keys are the short ones of Home Assistant, and what is its default there is left out, because brokers limit the length
/// of a message: see ``MQTTBridgeSettings/announcementLimit``.
struct DiscoveryPayload {
  let settings: MQTTBridgeSettings
  let topics: Topics

  /// A component by its key, with its platform alone: what is needed to remove it.
  typealias Removed = [(key: String, platform: String)]

  /// `removed` are announced once without anything but their platform, which removes them.
  func bytes(_ controls: [(ControlInterface.Description, DiscoveryPlan)], removed: Removed = []) -> [UInt8] {
    let titles = Self.titles(of: controls)
    return JSONWriter.object { json in
      json.member("dev") { json in
        json.member("ids", ["stepperd_\(settings.id)"])
        json.member("name", settings.name)
        json.member("mf", "stepperd")
        json.member("mdl", settings.model ?? "stepperd")
        json.member("sn", settings.serial)
        json.member("sw", settings.version)
        json.member("cu", settings.webPage)
      }
      json.member("o") { json in
        json.member("name", "stepperd-mqtt")
        json.member("sw", settings.version)
        json.member("url", settings.homepage)
      }
      json.member("avty_t", topics.status)
      json.member("qos", Int64(1))
      json.member("cmps") { json in
        for (description, plan) in controls {
          for component in plan.components { write(component, of: description, titles, to: &json) }
        }
        if Self.hasRefusals(controls) { writeRefusals(to: &json) }
        for (key, platform) in removed {
          json.member(key) { $0.member("p", platform) }
        }
      }
    }
  }

  private func write(
    _ component: DiscoveryComponent, of description: ControlInterface.Description, _ titles: [String: Int],
    to json: inout JSONWriter
  ) {
    let control = description.control
    let key = component.key(control)
    json.member(key) { json in
      json.member("p", component.platform)
      if case .trigger(let trigger) = component {
        json.member("atype", "trigger")
        json.member("type", trigger.type)
        let title = description.title ?? control
        json.member("stype", titles[title] ?? 1 > 1 ? "\(title) (\(control))" : title)
        json.member("t", topics.moment(control))
        json.member("pl", trigger.rawValue)
        return
      }
      let title = description.title ?? control
      json.member("name", Self.name(component, title))
      json.member("uniq_id", settings.uniqueID(key))
      // One that nobody may ever enable has the ID that Home Assistant makes of its name, for the length of the message.
      if isEnabled(component, description) {
        json.member("def_ent_id", "\(component.platform).\(Self.slug("\(settings.id)_\(key)"))")
      } else {
        json.member("en", false)
      }
      writeOptions(component, description, to: &json)
    }
  }

  /// How many controls with triggers have each title. Home Assistant tells triggers apart by their type and subtype alone, and
  /// drops the second of two that are equal.
  private static func titles(
    of controls: [(ControlInterface.Description, DiscoveryPlan)]
  ) -> [String: Int] {
    var result: [String: Int] = [:]
    for (description, plan) in controls where plan.components.contains(where: \.isTrigger) {
      result[description.title ?? description.control, default: 0] += 1
    }
    return result
  }

  /// Whether it is there for people who have not asked for it.
  private func isEnabled(
    _ component: DiscoveryComponent, _ description: ControlInterface.Description
  ) -> Bool {
    switch component {
    case .reset: false
    case .event: description.kind == .button
    default: true
    }
  }

  /// What people see behind the name of the board. A control has one entity of the bare title.
  private static func name(_ component: DiscoveryComponent, _ title: String) -> String {
    switch component {
    case .text: "\(title) setting"
    case .reset: "\(title) reset"
    case .event: "\(title) moment"
    default: title
    }
  }

  // MARK: Refusals

  /// Whether there is anything that the board could refuse.
  static func hasRefusals(_ controls: [(ControlInterface.Description, DiscoveryPlan)]) -> Bool {
    controls.contains { $0.1.components.contains(where: \.isCommand) }
  }

  /// Home Assistant shows the former value again, and this says why: the message of the last result that is an error, of any
  /// control. A state has at most 255 characters there.
  private func writeRefusals(to json: inout JSONWriter) {
    let component = DiscoveryComponent.refusal
    json.member(component.key("")) { json in
      json.member("p", component.platform)
      json.member("name", "Last refusal")
      json.member("uniq_id", settings.uniqueID(component.key("")))
      json.member("def_ent_id", "\(component.platform).\(Self.slug("\(settings.id)_last_refusal"))")
      json.member("stat_t", topics.result("+"))
      json.member(
        "val_tpl",
        "{{ value_json.message[:255] if value_json.error is defined else this.state }}")
      // The same one again is news.
      json.member("frc_upd", true)
      json.member("ent_cat", "diagnostic")
    }
  }

  private func writeOptions(
    _ component: DiscoveryComponent, _ description: ControlInterface.Description, to json: inout JSONWriter
  ) {
    let control = description.control
    switch component {
    case .number:
      writeTopics(control, component, to: &json)
      let (low, high, step) = (description.minimum ?? 0, description.maximum ?? 0, description.step ?? 1)
      json.member("min", low)
      json.member("max", high)
      if step != 1 { json.member("step", step) }
      json.member("unit_of_meas", description.unit)
      // Its own choice is a slider for up to 256 steps, and a box for more.
      let steps = (high - low) / step
      if steps > 256, steps <= 1_000 { json.member("mode", "slider") }
    case .select:
      writeTopics(control, component, to: &json)
      json.member("options", (description.choices ?? []).map(PlainPayload.text))
    case .toggle:
      writeTopics(control, component, to: &json)
      json.member("pl_on", "on")
      json.member("pl_off", "off")
    case .text:
      writeTopics(control, component, to: &json)
      json.member("val_tpl", "{{ '' if value == '\(PlainPayload.unset)' else value }}")
    case .sensor:
      writeTopics(control, component, to: &json)
      guard description.kind == .continuous else { break }
      json.member("unit_of_meas", description.unit)
      // For its statistics.
      json.member("stat_cla", "measurement")
    case .binarySensor:
      writeTopics(control, component, to: &json)
      json.member("pl_on", "on")
      json.member("pl_off", "off")
    case .reset: json.member("cmd_t", topics.command(control, .reset))
    case .event:
      json.member("stat_t", topics.moment(control))
      json.member("val_tpl", "{\"event_type\":\"{{value}}\"}")
      json.member("evt_typ", Moments.possible(description).map(\.rawValue))
    case .refusal, .trigger: break
    }
  }

  /// Of the value, and of commands where there are some. Then `~` is the topic of the value.
  ///
  /// With a topic of the value an entity is not optimistic: it shows what the control answers.
  private func writeTopics(
    _ control: String, _ component: DiscoveryComponent, to json: inout JSONWriter
  ) {
    guard component.isCommand else { return json.member("stat_t", topics.text(control)) }
    json.member("~", topics.text(control))
    json.member("stat_t", "~")
    json.member("cmd_t", "~/\(Topics.Verb.set.rawValue)")
  }

  /// As entity IDs are written: lower-case letters, digits and underscores.
  static func slug(_ text: String) -> String {
    String(
      String.UnicodeScalarView(
        text.lowercased().unicodeScalars.map { scalar in
          ("a"..."z").contains(scalar) || ("0"..."9").contains(scalar) ? scalar : "_"
        }))
  }
}

/// Which moments are passed on: those that states do not contain already.
enum Moments {
  static let passedOn: [ControlInterface.Moment] = [
    .limit, .minimum, .maximum, .wrap, .press, .release, .shortPress, .doublePress, .triplePress, .longPress,
    .reset, .end, .idle,
  ]

  /// Those of them that a control of this range can have.
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
  /// The bytes of a message that every broker takes, as far as is known: the limit of AWS IoT Core.
  package static let announcementLimit = 128 << 10

  /// The bytes of the announcement to Home Assistant of these controls.
  package func announcementBytes(_ controls: [ControlInterface.Description]) -> Int {
    let plans = controls.map { ($0, plan(of: $0, isAdvisory: advisoryControls.contains($0.control))) }
    return DiscoveryPayload(settings: self, topics: Topics(self)).bytes(plans).count
  }
}
