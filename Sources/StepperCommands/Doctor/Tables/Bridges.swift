internal import StepperConfiguration

/// The bridges that run, by what they say of themselves.
extension Facts {
  /// Of the programs with several connections, each of which may be in trouble.
  private static let words:
    [BridgeProgram: (trouble: String, connected: String, because: String, guide: String?)] =
      [
        .link: (
          "link.trouble", "link.connected",
          "A control and its outside are not at the same value.", nil
        ),
        .serial: (
          "serial.trouble", "serial.connected",
          "What is turned on such a board moves nothing.", "guides/microcontroller.md, Trouble"
        ),
        .midi: (
          "midi.trouble", "midi.connected",
          "What is moved on such a controller moves nothing.", "guides/midi.md, Trouble"
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
            because: "No MIDI controller moves anything.",
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
          because: "A broker has one connection for an id: neither of the two is online for long.",
          fix: [.advice("give each board an id of its own: guides/fleet.md, One image for many boards")])
        Finding(
          "mqtt.offline", .warning,
          when: bridge.has("mqttOnline", otherThan: 1)
            || bridge.has("mqttProblems", otherThan: 0) && !isClockWrong && !isCertificateOld,
          seen: seen,
          because: "Other machines and Home Assistant do not see or do all that they should.",
          fix: [asRoot("CREDENTIALS_DIRECTORY=/etc/credstore stepperd-mqtt check")])
        Finding(
          "mqtt.clock", .warning, when: isClockWrong, seen: seen,
          because: "Commands that say when they were given are refused or done by a wrong age.",
          fix: [.command("timedatectl status")])
        Finding(
          "mqtt.certificate", .warning, when: isCertificateOld, seen: seen,
          because: "The broker refuses the board when its certificate has ended.",
          fix: [.advice("renew the certificate: guides/fleet.md, Renew a certificate")])
        Finding("mqtt.online", .ok, seen: seen)
      }
    }
  }

  /// What it has logged; one that somebody started has no unit, but that of a session's links.
  private func journal(of bridge: BridgeReading) -> [Remedy] {
    let name = bridge.program.rawValue
    guard bridge.isUsers else { return journal(of: name) }
    return bridge.program == .link
      ? [.command("journalctl --user-unit \(name) -n 20")]
      : [.advice("see what \(name) prints where it runs")]
  }
}
