internal import StepperConfiguration

/// What the sandbox of the service forbids to the commands of hooks.
extension Diagnosis {
  @Sections static func sandbox() -> [Section] {
    need(
      "sandbox.sound",
      of: [
        "amixer", "aplay", "alsactl", "speaker-test", "espeak-ng", "espeak", "play", "mpg123", "ffplay",
      ], obstacle: { soundObstacle($0) },
      remedies: { _, _ in .dropIn("hooks-sound", "DeviceAllow=char-alsa rw", "SupplementaryGroups=audio") })

    need(
      "sandbox.network",
      of: ["curl", "wget", "mosquitto_pub", "ssh", "nc", "ping", "http", "telnet", "mpc"],
      obstacle: { networkObstacle($0.service) },
      remedies: { _, _ in
        .dropIn(
          "hooks-network", "RestrictAddressFamilies=AF_INET AF_INET6", "IPAddressDeny=",
          "IPAddressAllow=any")
      })

    need(
      "sandbox.home",
      when: { hook in
        hook.command.contains { word in
          ["/home/", "/root/", "~/"].contains { word.firstRange(of: $0) != nil }
        }
      },
      obstacle: {
        ["yes", "tmpfs"].contains($0.service["ProtectHome"]) ? "ProtectHome= hides home directories" : nil
      },
      remedies: { hook, facts in
        ["/home/", "/root/"].contains(where: hook.name.hasPrefix)
          ? move(hook, facts) : .dropIn("hooks-home", "ProtectHome=read-only")
      })

    need(
      "sandbox.machine-code", of: ["node", "nodejs", "java", "luajit", "deno", "bun", "pypy3"],
      obstacle: {
        $0.service.isOn("MemoryDenyWriteExecute")
          ? "MemoryDenyWriteExecute= forbids programs that generate machine code" : nil
      }, remedies: { _, _ in .dropIn("hooks-machine-code", "MemoryDenyWriteExecute=no") })
    // What belongs to the login session of a user, which the service's user does not have.
    need(
      "sandbox.session",
      of: ["wpctl", "pactl", "paplay", "pw-play", "playerctl", "notify-send", "spd-say", "xdotool"],
      obstacle: {
        $0.service["Environment"]?.firstRange(of: "XDG_RUNTIME_DIR") == nil
          ? "it speaks to programs of a login session, and the service has none" : nil
      },
      remedies: { hook, _ in
        let other = hook.programs.contains("spd-say") ? "espeak-ng" : "amixer"
        return [
          .advice("use \(other) in the service, or run stepperd in the session in place of the service:"),
          .root("systemctl disable --now stepperd.service stepperd.socket"), .command("stepperd"),
        ]
      })

    need(
      "sandbox.privilege", of: ["sudo", "su", "doas", "pkexec"],
      obstacle: {
        $0.service.isOn("NoNewPrivileges") || $0.service["User"] != nil
          ? "NoNewPrivileges= forbids to become another user" : nil
      },
      remedies: { _, _ in
        [
          .advice(
            "have the command only write a file, and let a systemd path unit with PathModified= start a service that does the rest as root"
          )
        ]
      })
    // A state directory elsewhere is read-only with ProtectSystem=strict.
    Section("values", { $0.readOnlyStateDirectories }) {
      Row(
        "sandbox.state", .wrong,
        seen: { directory, _ in "ProtectSystem=strict makes the state-directory \(directory) read-only" },
        because: "Values are not saved.",
        remedies: { directory, _ in .dropIn("state-directory", "ReadWritePaths=\(directory)") })
    }
  }

  /// Something that commands need and a unit may forbid: commands that use one of `programs`.
  private static func need(
    _ name: String, of programs: Set<String>, obstacle: @escaping (Facts) -> String?,
    remedies: @escaping (HookFacts, Facts) -> [RemedyStep]
  ) -> Section {
    need(name, when: { !$0.programs.isDisjoint(with: programs) }, obstacle: obstacle, remedies: remedies)
  }

  /// `obstacle` says what forbids it; nil: nothing.
  private static func need(
    _ name: String, when isNeeded: @escaping (HookFacts) -> Bool, obstacle: @escaping (Facts) -> String?,
    remedies: @escaping (HookFacts, Facts) -> [RemedyStep]
  ) -> Section {
    Section({ $0.isSystem && $0.service.isInstalled ? $0.hooks : [] }, subject: \.subject) {
      Row(
        name, .wrong, when: { hook, _ in isNeeded(hook) },
        seen: { hook, facts in
          obstacle(facts).map { "\(hook.command.prefix(3).joined(separator: " ")): \($0)" }
        },
        because: "Commands run in the sandbox of stepperd.service.", remedies: remedies)
    }
  }

  private static func soundObstacle(_ facts: Facts) -> String? {
    let service = facts.service
    if service.isOn("PrivateDevices") { return "PrivateDevices= hides the sound card" }
    let allowed = service.lines("DeviceAllow")
    if ["closed", "strict"].contains(service["DevicePolicy"]) || !allowed.isEmpty,
      !allowed.contains(where: { $0.hasPrefix("char-alsa") || $0.hasPrefix("/dev/snd") })
    {
      return "DeviceAllow= does not permit the sound card"
    }
    guard let audio = facts.accounts.group(named: "audio"), let identity = facts.daemonIdentity,
      identity.user != 0, !identity.groups.contains(audio.number)
    else { return nil }
    return "the service is not in the group audio, which the sound card belongs to"
  }

  private static func networkObstacle(_ service: UnitFacts) -> String? {
    let families = service.words("RestrictAddressFamilies")
    if service.isOn("PrivateNetwork") { return "PrivateNetwork= hides the network" }
    if let first = families.first, !first.hasPrefix("~"), !families.contains("AF_INET") {
      return "RestrictAddressFamilies= does not permit AF_INET"
    }
    // "any" is both of these.
    let denied = service.words("IPAddressDeny")
    return denied.contains("0.0.0.0/0") && denied.contains("::/0") && service.words("IPAddressAllow").isEmpty
      ? "IPAddressDeny=any forbids the network" : nil
  }
}

extension Facts {
  fileprivate var readOnlyStateDirectories: [String] {
    guard isSystem, service.isInstalled, service["ProtectSystem"] == "strict",
      let directory = configuration.configuration?.daemon.stateDirectory
    else { return [] }
    let writable = ["/var/lib/stepperd", "/run/stepperd"] + service.words("ReadWritePaths")
    return writable.contains { directory == $0 || directory.hasPrefix("\($0)/") } ? [] : [directory]
  }
}
