internal import StepperText

/// The bridges to MQTT that run, by what they say of themselves.
extension Facts {
  @FindingList var aboutBridges: [Finding] {
    for line in bridges {
      first("mqtt") {
        Row(
          "mqtt.connecting", .note, when: line.hasPrefix("connecting"), seen: "the bridge to MQTT is \(line)")
        Row(
          "mqtt.offline", .warning, when: !line.hasPrefix("online") || line.has("does not pass on"),
          seen: "the bridge to MQTT is \(line)",
          because: "Other machines and Home Assistant do not see all of the board.",
          fix: [.command("stepperd-mqtt check")])
        Row("mqtt.online", .ok, seen: "the bridge to MQTT is \(line)")
      }
    }
  }
}
