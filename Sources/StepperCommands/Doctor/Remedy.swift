internal import StepperText

/// One step of a remedy.
enum Remedy: Hashable, Sendable {
  /// A command for a shell, complete as it is.
  case command(String)
  /// A line to write at the end of a file.
  case line(String, file: String)
  /// A step that is not a command.
  case advice(String)
}

/// Steps that need root privileges: with `sudo`, unless the caller is root.
extension Facts {
  func asRoot(_ command: String) -> Remedy { .command(sudo + command) }

  /// Replaces a file by lines.
  func write(_ lines: [String], to file: String) -> Remedy { print(lines, "tee", file) }

  /// Appends lines to a file.
  func append(_ lines: [String], to file: String) -> Remedy { print(lines, "tee -a", file) }

  private var sudo: String { caller.isRoot ? "" : "sudo " }

  private func print(_ lines: [String], _ receiver: String, _ file: String) -> Remedy {
    let words = lines.map(Shell.quoted).joined(separator: " ")
    // `%s` keeps backslashes and percent signs of the lines as they are.
    return .command("printf '%s\\n' \(words) | \(sudo)\(receiver) \(Shell.quoted(file)) >/dev/null")
  }
}

/// Steps that several remedies share.
extension Facts {
  var startUnits: [Remedy] { [asRoot("systemctl start stepperd.socket stepperd.service")] }
  var remakeSocket: [Remedy] { [asRoot("systemctl stop stepperd.service stepperd.socket")] + startUnits }
  var restartService: [Remedy] { [asRoot("systemctl restart stepperd.service")] }
  var reloadUnits: [Remedy] { [asRoot("systemctl daemon-reload")] + restartService }
  var compileHardwareDatabase: [Remedy] { [asRoot("systemd-hwdb update")] }
  var applyRules: [Remedy] { applyRules("--subsystem-match=input --subsystem-match=hidraw") }
  var showJournal: [Remedy] { journal(of: "stepperd.service") }

  func journal(of unit: String) -> [Remedy] { [.command("journalctl -u \(unit) -n 20")] }

  /// Makes udev read its rules and apply them to the devices that match.
  func applyRules(_ match: String) -> [Remedy] {
    [asRoot("udevadm control --reload"), asRoot("udevadm trigger \(match)"), asRoot("udevadm settle")]
  }

  func applyingRules(to input: InputFacts) -> [Remedy] {
    applyRules("--action=change --subsystem-match=input --sysname-match=\(input.systemName)")
  }

  /// Writes a drop-in with settings for the service, and puts it into force.
  func dropIn(_ name: String, of unit: [String] = [], _ settings: String...) -> [Remedy] {
    let directory = "/etc/systemd/system/stepperd.service.d"
    let lines = (unit.isEmpty ? [] : ["[Unit]"] + unit) + ["[Service]"] + settings
    return [asRoot("mkdir -p \(directory)"), write(lines, to: "\(directory)/\(name).conf")] + reloadUnits
  }

  /// Restarts the daemon, whether it is the service or a user's.
  var restartingDaemon: [Remedy] {
    isSystem ? restartService : [.advice("end the daemon and start stepperd again")]
  }

  /// Restarts the service, if the service is what is examined.
  var restarting: [Remedy] { isSystem ? restartService : [] }

  /// Whether the caller may write the configuration without `sudo`.
  var configurationIsOwn: Bool { caller.isRoot || !isSystem }

  /// Changes the configuration by a command of sed(1), and puts it into force.
  func editing(_ change: String) -> [Remedy] {
    let command = "sed -i \(Shell.quoted(change)) \(Shell.quoted(configuration.path ?? ""))"
    return [configurationIsOwn ? .command(command) : asRoot(command)] + applying
  }

  /// Makes the daemon use a changed configuration.
  var applying: [Remedy] {
    if !answering.isEmpty {
      return isSystem ? [asRoot("systemctl reload stepperd.service")] : [.command("stepperctl reload")]
    }
    return isSystem && service.isInstalled ? restartService : []
  }
}

/// Text in a command of sed(1).
enum Sed {
  static func pattern(_ text: String) -> String { escaped(text, #"\/.*[]^$"#) }
  static func replacement(_ text: String) -> String { escaped(text, #"\/&"#) }

  private static func escaped(_ text: String, _ special: String) -> String {
    text.unicodeScalars.map { special.unicodeScalars.contains($0) ? "\\\($0)" : String($0) }.joined()
  }
}
