/// A step of a remedy, for root as well as for other users.
enum RemedyStep {
  case command(String)
  /// A command that needs the rights of root.
  case root(String)
  /// Replaces a file by lines, with the rights of root.
  case write([String], to: String)
  /// Writes lines behind those of a file, with the rights of root.
  case append([String], to: String)
  /// A line to write at the end of a file.
  case line(String, file: String)
  case advice(String)

  /// The step as it is printed: root needs no `sudo`.
  func remedy(isRoot: Bool) -> Remedy {
    let sudo = isRoot ? "" : "sudo "
    // `%s` keeps backslashes and percent signs of the lines as they are.
    func print(_ lines: [String], _ receiver: String, _ file: String) -> Remedy {
      let words = lines.map(Shell.quoted).joined(separator: " ")
      return .command("printf '%s\\n' \(words) | \(sudo)\(receiver) \(Shell.quoted(file)) >/dev/null")
    }
    return switch self {
    case .command(let command): .command(command)
    case .root(let command): .command(sudo + command)
    case .write(let lines, let file): print(lines, "tee", file)
    case .append(let lines, let file): print(lines, "tee -a", file)
    case .line(let line, let file): .line(line, file: file)
    case .advice(let advice): .advice(advice)
    }
  }
}

/// Text in a command of a shell.
enum Shell {
  /// `text` as one word.
  static func quoted(_ text: String) -> String {
    let plain = "/._-+=:@,%0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
    if !text.isEmpty, text.utf8.allSatisfy(plain.utf8.contains) { return text }
    return "'\(text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: #"'\''"#))'"
  }
}

/// Text in a command of sed(1).
enum Sed {
  static func pattern(_ text: String) -> String { escaped(text, #"\/.*[]^$"#) }
  static func replacement(_ text: String) -> String { escaped(text, #"\/&"#) }

  private static func escaped(_ text: String, _ special: String) -> String {
    text.map { special.contains($0) ? "\\\($0)" : String($0) }.joined()
  }
}

/// Steps that several remedies have.
extension [RemedyStep] {
  static let startUnits: [RemedyStep] = [.root("systemctl start stepperd.socket stepperd.service")]
  static let remakeSocket = [.root("systemctl stop stepperd.service stepperd.socket")] + startUnits
  static let restartService: [RemedyStep] = [.root("systemctl restart stepperd.service")]
  static let reloadUnits = [.root("systemctl daemon-reload")] + restartService
  static let compileHardwareDatabase: [RemedyStep] = [.root("systemd-hwdb update")]
  static let applyRules = applyRules("--subsystem-match=input --subsystem-match=hidraw")
  static let showJournal: [RemedyStep] = [.command("journalctl -u stepperd.service -n 20")]

  /// Makes udev read its rules and apply them to the devices that match.
  static func applyRules(_ match: String) -> [RemedyStep] {
    [.root("udevadm control --reload"), .root("udevadm trigger \(match)"), .root("udevadm settle")]
  }

  /// A drop-in of the service with settings, put into force.
  static func dropIn(_ name: String, _ settings: String...) -> [RemedyStep] {
    let directory = "/etc/systemd/system/stepperd.service.d"
    return [
      .root("mkdir -p \(directory)"), .write(["[Service]"] + settings, to: "\(directory)/\(name).conf"),
    ] + reloadUnits
  }
}

extension Facts {
  /// Restarts the daemon, of the service or of a user.
  var restartingDaemon: [RemedyStep] {
    isSystem ? .restartService : [.advice("end the daemon and start stepperd again")]
  }

  /// Restarts the service, if it is examined.
  var restarting: [RemedyStep] { isSystem ? .restartService : [] }

  /// Whether the caller may write the configuration without further rights.
  var configurationIsOwn: Bool { caller.isRoot || !isSystem }

  /// A change of the configuration by a command of sed(1), put into force.
  func editing(_ change: String) -> [RemedyStep] {
    let command = "sed -i \(Shell.quoted(change)) \(Shell.quoted(configuration.path ?? ""))"
    return [configurationIsOwn ? .command(command) : .root(command)] + applying
  }

  /// Makes the daemon use a changed configuration.
  var applying: [RemedyStep] {
    if !answering.isEmpty {
      return isSystem ? [.root("systemctl reload stepperd.service")] : [.command("stepperctl reload")]
    }
    return isSystem && service.isInstalled ? .restartService : []
  }
}
