internal import StepperConfiguration
internal import StepperText

/// The bridges that run, by what they say of themselves.
extension Facts {
  @FindingList var aboutBridges: [Finding] {
    for bridge in bridges.filter({ $0.program == .link }) {
      let line = bridge.status
      first("link") {
        Row(
          "link.trouble", .warning, when: bridge.has("linkConnected", otherThan: 1),
          seen: "of the links are \(line)",
          because: "A control and its outside are not at the same value.",
          fix: [
            .advice("see what stepperd-link logs: journalctl -u stepperd-link, or --user-unit for a session")
          ])
        Row("link.connected", .ok, seen: "of the links are \(line)")
      }
    }
    for bridge in bridges.filter({ $0.program == .mqtt }) {
      let line = bridge.status
      let isClockWrong = bridge.has("mqttClockProblems", otherThan: 0)
      let isCertificateOld = bridge.has("mqttCertificateProblems", otherThan: 0)
      first("mqtt") {
        Row(
          "mqtt.connecting", .note, when: line.hasPrefix("connecting"), seen: "the bridge to MQTT is \(line)")
        Row(
          "mqtt.takeover", .warning, when: bridge.has("mqttTakenOver", otherThan: 0),
          seen: "the bridge to MQTT is \(line)",
          because: "A broker has one connection for an id: neither of the two is online for long.",
          fix: [.advice("give each board an id of its own: guides/fleet.md, One image for many boards")])
        Row(
          "mqtt.offline", .warning,
          when: bridge.has("mqttOnline", otherThan: 1)
            || bridge.has("mqttProblems", otherThan: 0) && !isClockWrong && !isCertificateOld,
          seen: "the bridge to MQTT is \(line)",
          because: "Other machines and Home Assistant do not see or do all that they should.",
          fix: [.command("stepperd-mqtt check")])
        Row(
          "mqtt.clock", .warning, when: isClockWrong, seen: "the bridge to MQTT is \(line)",
          because: "Commands that say when they were given are refused or done by a wrong age.",
          fix: [.command("timedatectl status")])
        Row(
          "mqtt.certificate", .warning, when: isCertificateOld, seen: "the bridge to MQTT is \(line)",
          because: "The broker refuses the board when its certificate has ended.",
          fix: [.advice("renew the certificate: guides/fleet.md, Renew a certificate")])
        Row("mqtt.online", .ok, seen: "the bridge to MQTT is \(line)")
      }
    }
  }
}
