internal import StepperConfiguration
internal import StepperText

/// What the service's sandbox forbids to the commands of hooks.
extension Facts {
  @FindingList var aboutSandbox: [Finding] {
    if isSystem, service.isInstalled {
      for hook in hooks { sandbox(around: hook) }
      if let directory = configuration.configuration?.daemon.stateDirectory {
        let writable = ["/var/lib/stepperd", "/run/stepperd"] + service.words("ReadWritePaths")
        let isWritable = writable.contains { directory == $0 || directory.hasPrefix("\($0)/") }
        Finding(
          "sandbox.state", .wrong, about: "values", when: service["ProtectSystem"] == "strict" && !isWritable,
          seen: "ProtectSystem=strict makes the state-directory \(directory) read-only",
          because: "Values are not saved.",
          fix: dropIn("state-directory", "ReadWritePaths=\(directory)"))
      }
    }
  }

  @FindingList private func sandbox(around hook: HookFacts) -> [Finding] {
    forbidden(
      "sandbox.sound", to: hook,
      using: [
        "amixer", "aplay", "alsactl", "speaker-test", "espeak-ng", "espeak", "play", "mpg123", "ffplay",
      ], soundObstacle,
      // DeviceAllow= takes effect only for a device class that the kernel knows when the service starts, and a card may
      // be plugged in later.
      fix: dropIn(
        "hooks-sound", of: ["Wants=modprobe@snd.service", "After=modprobe@snd.service"],
        "DeviceAllow=char-alsa rw", "SupplementaryGroups=audio"))
    forbidden(
      "sandbox.network", to: hook,
      using: ["curl", "wget", "mosquitto_pub", "ssh", "nc", "ping", "http", "telnet", "mpc"],
      networkObstacle,
      fix: dropIn(
        "hooks-network", "RestrictAddressFamilies=AF_INET AF_INET6", "IPAddressDeny=",
        "IPAddressAllow=any"))
    forbidden(
      "sandbox.home", to: hook, when: hook.usesHome,
      ["yes", "tmpfs"].contains(service["ProtectHome"]) ? "ProtectHome= hides home directories" : nil,
      fix: hook.name.hasPrefix("/home/") || hook.name.hasPrefix("/root/")
        ? moving(hook) : dropIn("hooks-home", "ProtectHome=read-only"))
    forbidden(
      "sandbox.machine-code", to: hook,
      using: ["node", "nodejs", "java", "luajit", "deno", "bun", "pypy3"],
      service.isOn("MemoryDenyWriteExecute")
        ? "MemoryDenyWriteExecute= forbids programs that generate machine code" : nil,
      fix: dropIn("hooks-machine-code", "MemoryDenyWriteExecute=no"))
    // Programs that need a login session, which the user of the service does not have.
    forbidden(
      "sandbox.session", to: hook,
      using: ["wpctl", "pactl", "paplay", "pw-play", "playerctl", "notify-send", "spd-say", "xdotool"],
      service["Environment"]?.has("XDG_RUNTIME_DIR") != true
        ? "it speaks to programs of a login session, and the service has none" : nil,
      fix: [
        .advice(
          "use \(hook.programs.contains("spd-say") ? "espeak-ng" : "amixer") in the service, or run stepperd in the session in place of the service:"
        ),
        asRoot("systemctl disable --now stepperd.service stepperd.socket"), .command("stepperd"),
      ])
    forbidden(
      "sandbox.privilege", to: hook, using: ["sudo", "su", "doas", "pkexec"],
      service.isOn("NoNewPrivileges") || service["User"] != nil
        ? "NoNewPrivileges= forbids to become another user" : nil,
      fix: [
        .advice(
          "have the command only write a file, and let a systemd path unit with PathModified= start a service that does the rest as root"
        )
      ])
  }

  /// A finding about a hook that uses one of `programs`, or for which `isNeeded` is true, if the unit forbids what
  /// these need. `obstacle` is a sentence about the setting that forbids it; nil if none does.
  private func forbidden(
    _ name: String, to hook: HookFacts, using programs: Set<String> = [], when isNeeded: Bool = false,
    _ obstacle: String?, fix: @autoclosure () -> [Remedy]
  ) -> Finding? {
    Finding(
      name, .wrong, about: hook.subject, when: isNeeded || !hook.programs.isDisjoint(with: programs),
      seen: obstacle.map { "\(hook.command.prefix(3).joined(separator: " ")): \($0)" },
      because: "Commands run in the sandbox of stepperd.service.", fix: fix())
  }

  private var soundObstacle: String? {
    if service.isOn("PrivateDevices") { return "PrivateDevices= hides the sound card" }
    let allowed = service.lines("DeviceAllow")
    if ["closed", "strict"].contains(service["DevicePolicy"]) || !allowed.isEmpty,
      !allowed.contains(where: { $0.hasPrefix("char-alsa") || $0.hasPrefix("/dev/snd") })
    {
      return "DeviceAllow= does not permit the sound card"
    }
    guard let audio = accounts.group(named: "audio"), let identity = daemonIdentity,
      identity.user != 0, !identity.groups.contains(audio.number)
    else { return nil }
    return "the service is not in the group audio, which the sound card belongs to"
  }

  private var networkObstacle: String? {
    let families = service.words("RestrictAddressFamilies")
    if service.isOn("PrivateNetwork") { return "PrivateNetwork= hides the network" }
    if let first = families.first, !first.hasPrefix("~"), !families.contains("AF_INET") {
      return "RestrictAddressFamilies= does not permit AF_INET"
    }
    // systemd expands "any" to these two.
    let denied = service.words("IPAddressDeny")
    return denied.contains("0.0.0.0/0") && denied.contains("::/0") && service.words("IPAddressAllow").isEmpty
      ? "IPAddressDeny=any forbids the network" : nil
  }
}

extension HookFacts {
  fileprivate var usesHome: Bool {
    command.contains { word in ["/home/", "/root/", "~/"].contains { word.has($0) } }
  }
}
