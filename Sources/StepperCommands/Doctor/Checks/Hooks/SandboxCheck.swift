internal import StepperConfiguration

/// What the sandbox of the service forbids to the commands of hooks.
enum SandboxCheck {
  static func judge(_ facts: Facts) -> [Finding] {
    guard facts.isSystem, facts.service.file != nil else { return [] }
    return facts.hooks.flatMap { hook in needs.compactMap { $0.finding(hook, facts) } } + state(facts)
  }

  private static let needs = [sound, network, home, machineCode, session, privilege]

  /// Something that commands need and a unit may forbid.
  private struct Need: Sendable {
    var name: String
    /// Whether the command needs it.
    var isNeeded: @Sendable (HookFacts) -> Bool
    /// What forbids it; nil: nothing.
    var obstacle: @Sendable (Facts) -> String?
    var remedies: @Sendable (HookFacts, Facts) -> [Remedy]

    func finding(_ hook: HookFacts, _ facts: Facts) -> Finding? {
      guard isNeeded(hook), let obstacle = obstacle(facts) else { return nil }
      return Finding(
        "sandbox.\(name)", "hook \(hook.control) \(hook.key)", .wrong,
        "\(hook.command.prefix(3).joined(separator: " ")): \(obstacle)",
        because: "Commands run in the sandbox of stepperd.service.", remedies: remedies(hook, facts))
    }
  }

  /// A drop-in with settings, and the commands that put it into force.
  private static func dropIn(_ name: String, _ settings: [String], _ facts: Facts) -> [Remedy] {
    let directory = "/etc/systemd/system/stepperd.service.d"
    return [
      facts.shell.asRoot("mkdir -p \(directory)"),
      facts.shell.write(["[Service]"] + settings, to: "\(directory)/\(name).conf"),
      facts.shell.asRoot("systemctl daemon-reload"), facts.shell.asRoot("systemctl restart stepperd.service"),
    ]
  }

  private static let sound = Need(
    name: "sound",
    isNeeded: {
      !$0.programs.isDisjoint(with: [
        "amixer", "aplay", "alsactl", "speaker-test", "espeak-ng", "espeak", "play", "mpg123", "ffplay",
      ])
    },
    obstacle: { facts in
      let settings = facts.service.settings
      let isClosed = ["closed", "strict"].contains(settings["Service.DevicePolicy"] ?? "auto")
      let allowed = settings.lines("Service.DeviceAllow")
      if settings.isOn("Service.PrivateDevices") { return "PrivateDevices= hides the sound card" }
      if isClosed || !allowed.isEmpty,
        !allowed.contains(where: { $0.hasPrefix("char-alsa") || $0.hasPrefix("/dev/snd") })
      {
        return "DeviceAllow= does not permit the sound card"
      }
      guard let audio = facts.accounts.group(named: "audio"), let identity = facts.daemonIdentity else {
        return nil
      }
      return identity.user == 0 || identity.groups.contains(audio.number)
        ? nil : "the service is not in the group audio, which the sound card belongs to"
    },
    remedies: { _, facts in
      dropIn("hooks-sound", ["DeviceAllow=char-alsa rw", "SupplementaryGroups=audio"], facts)
    })

  private static let network = Need(
    name: "network",
    isNeeded: {
      !$0.programs.isDisjoint(with: [
        "curl", "wget", "mosquitto_pub", "ssh", "nc", "ping", "http", "telnet", "mpc",
      ])
    },
    obstacle: { facts in
      let settings = facts.service.settings
      let families = settings.words("Service.RestrictAddressFamilies")
      if settings.isOn("Service.PrivateNetwork") { return "PrivateNetwork= hides the network" }
      if !families.isEmpty, families.first?.hasPrefix("~") == false, !families.contains("AF_INET") {
        return "RestrictAddressFamilies= does not permit AF_INET"
      }
      return settings.words("Service.IPAddressDeny").contains("any")
        && settings.words("Service.IPAddressAllow").isEmpty ? "IPAddressDeny=any forbids the network" : nil
    },
    remedies: { _, facts in
      dropIn(
        "hooks-network",
        ["RestrictAddressFamilies=AF_INET AF_INET6", "IPAddressDeny=", "IPAddressAllow=any"], facts)
    })

  private static let home = Need(
    name: "home",
    isNeeded: { hook in
      hook.command.contains { word in ["/home/", "/root/", "~/"].contains { word.firstRange(of: $0) != nil } }
    },
    obstacle: { facts in
      let value = facts.service.settings["Service.ProtectHome"] ?? "no"
      return ["yes", "true", "on", "1", "tmpfs"].contains(value) ? "ProtectHome= hides home directories" : nil
    },
    remedies: { hook, facts in
      let name = hook.command.first ?? ""
      return ["/home/", "/root/"].contains(where: name.hasPrefix)
        ? HookCheck.move(hook, facts) : dropIn("hooks-home", ["ProtectHome=read-only"], facts)
    })

  private static let machineCode = Need(
    name: "machine-code",
    isNeeded: {
      !$0.programs.isDisjoint(with: ["node", "nodejs", "java", "luajit", "deno", "bun", "pypy3"])
    },
    obstacle: { facts in
      facts.service.settings.isOn("Service.MemoryDenyWriteExecute")
        ? "MemoryDenyWriteExecute= forbids programs that generate machine code" : nil
    },
    remedies: { _, facts in dropIn("hooks-machine-code", ["MemoryDenyWriteExecute=no"], facts) })

  /// What belongs to the login session of a user, which the service's user does not have.
  private static let session = Need(
    name: "session",
    isNeeded: {
      !$0.programs.isDisjoint(with: [
        "wpctl", "pactl", "paplay", "pw-play", "playerctl", "notify-send", "spd-say", "xdotool",
      ])
    },
    obstacle: { facts in
      facts.service.settings["Service.Environment"]?.firstRange(of: "XDG_RUNTIME_DIR") == nil
        ? "it speaks to programs of a login session, and the service has none" : nil
    },
    remedies: { hook, facts in
      let other = hook.programs.contains("spd-say") ? "espeak-ng" : "amixer"
      return [
        .advice("use \(other) in the service, or run stepperd in the session in place of the service:"),
        facts.shell.asRoot("systemctl disable --now stepperd.service stepperd.socket"), .command("stepperd"),
      ]
    })

  private static let privilege = Need(
    name: "privilege",
    isNeeded: { !$0.programs.isDisjoint(with: ["sudo", "su", "doas", "pkexec"]) },
    obstacle: { facts in
      facts.service.settings.isOn("Service.NoNewPrivileges") || facts.service.settings["Service.User"] != nil
        ? "NoNewPrivileges= forbids to become another user" : nil
    },
    remedies: { _, _ in
      [
        .advice(
          "have the command only write a file, and let a systemd path unit with PathModified= start a service that does the rest as root"
        )
      ]
    })

  /// A state directory elsewhere is read-only with ProtectSystem=strict.
  private static func state(_ facts: Facts) -> [Finding] {
    guard let directory = facts.configuration.configuration?.daemon.stateDirectory,
      facts.service.settings["Service.ProtectSystem"] == "strict",
      !(["/var/lib/stepperd", "/run/stepperd"] + facts.service.settings.words("Service.ReadWritePaths"))
        .contains(where: { directory == $0 || directory.hasPrefix("\($0)/") })
    else { return [] }
    return [
      Finding(
        "sandbox.state", "values", .wrong,
        "ProtectSystem=strict makes the state-directory \(directory) read-only",
        because: "Values are not saved.",
        remedies: dropIn("state-directory", ["ReadWritePaths=\(directory)"], facts))
    ]
  }
}
