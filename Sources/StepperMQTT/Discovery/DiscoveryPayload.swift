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
        json.member("mdl", "stepperd")
        json.member("sw", settings.version)
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
      json.member(
        "name", component == .reset ? "\(title) reset" : component == .event ? "\(title) moment" : title)
      json.member("uniq_id", settings.uniqueID(key))
      json.member("default_entity_id", "\(component.platform).\(Self.slug("\(settings.id)_\(key)"))")
      switch component {
      case .event, .reset: break
      default: json.member("stat_t", topics.text(control))
      }
      writeOptions(component, description, to: &json)
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
      json.member("unit_of_meas", description.kind == .continuous ? description.unit : nil)
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
    case .trigger: break
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
