import StepperInterfaces

/// The message that announces a board to Home Assistant: one device with all its components.
struct DiscoveryPayload {
  let settings: MQTTBridgeSettings
  let topics: Topics

  /// A component by its key, with its platform alone: what is needed to remove it.
  typealias Removed = [(key: String, platform: String)]

  /// `removed` are announced once without anything but their platform, which removes them.
  func bytes(_ controls: [(ControlInterface.Description, DiscoveryPlan)], removed: Removed = []) -> [UInt8] {
    JSONWriter.object { json in
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
          for component in plan.components { write(component, of: description, to: &json) }
        }
        if Self.hasRefusals(controls) { writeRefusals(to: &json) }
        for (key, platform) in removed {
          json.member(key) { $0.member("p", platform) }
        }
      }
    }
  }

  private func write(
    _ component: DiscoveryComponent, of description: ControlInterface.Description, to json: inout JSONWriter
  ) {
    let control = description.control
    let key = component.key(control)
    json.member(key) { json in
      json.member("p", component.platform)
      if case .trigger(let trigger) = component {
        json.member("automation_type", "trigger")
        json.member("type", trigger.type)
        json.member("subtype", description.title ?? control)
        json.member("topic", topics.moment(control))
        json.member("payload", trigger.rawValue)
        return
      }
      let title = description.title ?? control
      json.member("name", Self.name(component, title))
      json.member("uniq_id", settings.uniqueID(key))
      json.member("default_entity_id", "\(component.platform).\(Self.slug("\(settings.id)_\(key)"))")
      switch component {
      case .event, .reset: break
      default: json.member("stat_t", topics.text(control))
      }
      writeOptions(component, description, to: &json)
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
      json.member("default_entity_id", "\(component.platform).\(Self.slug("\(settings.id)_last_refusal"))")
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
      writeCommands(control, to: &json)
      let (low, high, step) = (description.minimum ?? 0, description.maximum ?? 0, description.step ?? 1)
      json.member("min", low)
      json.member("max", high)
      json.member("step", step)
      json.member("unit_of_meas", description.unit)
      json.member("mode", (high - low) / step <= 1_000 ? "slider" : "box")
    case .select:
      writeCommands(control, to: &json)
      json.member("options", (description.choices ?? []).map(PlainPayload.text))
    case .toggle:
      writeCommands(control, to: &json)
      json.member("pl_on", "on")
      json.member("pl_off", "off")
    case .text:
      writeCommands(control, to: &json)
      json.member("val_tpl", "{{ '' if value == '\(PlainPayload.unset)' else value }}")
    case .sensor:
      guard description.kind == .continuous else { break }
      json.member("unit_of_meas", description.unit)
      // For its statistics.
      json.member("stat_cla", "measurement")
    case .binarySensor:
      json.member("pl_on", "on")
      json.member("pl_off", "off")
    case .reset:
      json.member("cmd_t", topics.command(control, .reset))
      json.member("pl_prs", "PRESS")
      json.member("en", false)
    case .event:
      json.member("stat_t", topics.moment(control))
      json.member("val_tpl", "{\"event_type\": \"{{ value }}\"}")
      json.member("event_types", Moments.passedOn.map(\.rawValue))
      json.member("en", description.kind == .button)
    case .refusal, .trigger: break
    }
  }

  /// Not optimistic: the state is what the control answers. Else cached values come back as commands after a restart.
  private func writeCommands(_ control: String, to json: inout JSONWriter) {
    json.member("cmd_t", topics.command(control, .set))
    json.member("opt", false)
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
}
