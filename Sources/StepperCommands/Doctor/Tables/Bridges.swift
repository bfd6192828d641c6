internal import StepperConfiguration

/// The running bridges, according to their status files.
extension Facts {
  /// The texts for the programs with several connections, each of which may be in trouble.
  private static let words:
    [BridgeProgram: (trouble: String, connected: String, because: String, guide: String?)] =
      [
        .link: (
          "link.trouble", "link.connected",
          "A control and its outside are not at the same value.", nil
        ),
        .serial: (
          "serial.trouble", "serial.connected",
          "The inputs of such a board move no control.", "guides/microcontroller.md, Trouble"
        ),
        .midi: (
          "midi.trouble", "midi.connected",
          "The inputs of such a controller move no control.", "guides/midi.md, Trouble"
        ),
      ]

  @FindingList var aboutBridges: [Finding] {
    for bridge in bridges {
      let name = bridge.program.word
      if let words = Self.words[bridge.program] {
        let seen = "\(bridge.program.rawValue): \(bridge.status)"
        first(name) {
          Finding(
            "midi.sequencer", .warning, when: bridge.has("midiSequencer", otherThan: 1),
            seen: "stepperd-midi has no sequencer: \(bridge.status)",
            because: "No MIDI controller moves a control.",
            fix: [
              .advice(
                "load the kernel's module now, and at each start: modprobe snd-seq, and /etc/modules-load.d")
            ])
          Finding(
            words.trouble, .warning, when: bridge.has("\(name)Connected", otherThan: 1),
            seen: seen, because: words.because,
            fix: (words.guide.map { [.advice("see \($0)")] } ?? []) + journal(of: bridge))
          Finding(words.connected, .ok, seen: seen)
        }
      }
    }
    for bridge in bridges.filter({ $0.program == .mqtt }) {
      let seen = "the bridge to MQTT is \(bridge.status)"
      let isClockWrong = bridge.has("mqttClockProblems", otherThan: 0)
      let isCertificateOld = bridge.has("mqttCertificateProblems", otherThan: 0)
      first("mqtt") {
        Finding(
          "mqtt.connecting", .note, when: bridge.status.hasPrefix("connecting"), seen: seen)
        Finding(
          "mqtt.takeover", .warning, when: bridge.has("mqttTakenOver", otherThan: 0),
          seen: seen,
          because:
            "A broker keeps one connection for each id, so two boards with this id disconnect each other.",
          fix: [.advice("give each board its own id: guides/fleet.md, One image for many boards")])
        Finding(
          "mqtt.offline", .warning,
          when: bridge.has("mqttOnline", otherThan: 1)
            || bridge.has("mqttProblems", otherThan: 0) && !isClockWrong && !isCertificateOld,
          seen: seen,
          because: "Other machines and Home Assistant miss values, or their commands have no effect.",
          fix: [asRoot("CREDENTIALS_DIRECTORY=/etc/credstore stepperd-mqtt check")])
        Finding(
          "mqtt.clock", .warning, when: isClockWrong, seen: seen,
          because: "The age of commands with a time stamp is computed wrongly, so they may be refused.",
          fix: [.command("timedatectl status")])
        Finding(
          "mqtt.certificate", .warning, when: isCertificateOld, seen: seen,
          because: "The broker refuses the board when its certificate has ended.",
          fix: [.advice("renew the certificate: guides/fleet.md, Renew a certificate")])
        Finding("mqtt.online", .ok, seen: seen)
      }
    }
  }

  /// The step that shows the log of a bridge. A bridge that a user started has no unit, except the one for the links of
  /// a session.
  private func journal(of bridge: BridgeReading) -> [Remedy] {
    let name = bridge.program.rawValue
    guard bridge.isUsers else { return journal(of: name) }
    return bridge.program == .link
      ? [.command("journalctl --user-unit \(name) -n 20")]
      : [.advice("see what \(name) prints where it runs")]
  }
}
