/// Whether the programs of hooks exist and may be executed by the daemon's user.
enum HookCheck {
  static func judge(_ facts: Facts) -> [Finding] {
    guard !facts.hooks.isEmpty else { return [] }
    let findings = facts.hooks.compactMap { finding($0, facts) }
    guard findings.isEmpty else { return findings }
    let programs = Set(facts.hooks.compactMap(\.program)).sorted().joined(separator: ", ")
    return [Finding("hook.programs", "hooks", .ok, "each program exists: \(programs)")]
  }

  private static func finding(_ hook: HookFacts, _ facts: Facts) -> Finding? {
    let subject = "hook \(hook.control) \(hook.key)"
    let name = hook.command.first ?? ""
    if let directory = hook.closedDirectory {
      return Finding(
        "hook.closed", subject, .wrong,
        "\(facts.daemonUser?.name ?? "the daemon") may not enter \(directory) on the way to \(hook.program ?? name)",
        because: "The command cannot be started.", remedies: move(hook, facts))
    }
    guard let program = hook.program else {
      return Finding(
        "hook.missing", subject, .wrong,
        name.contains("/")
          ? "\(name) does not exist" : "no directory of the daemon's PATH has a program \(name)",
        because: "The command fails each time.", remedies: install(name, facts))
    }
    guard let status = hook.status, let identity = facts.daemonIdentity,
      !status.permits([.execute], to: identity)
    else { return companion(hook, subject, facts) }
    return Finding(
      "hook.denied", subject, .wrong,
      "\(program) is not executable for \(facts.daemonUser?.name ?? "the daemon") (\(status.octalMode))",
      because: "The command cannot be started.",
      remedies: [facts.shell.asRoot("chmod a+rx \(Shell.quoted(program))")])
  }

  /// Programs that a shell of the hook starts.
  private static func companion(_ hook: HookFacts, _ subject: String, _ facts: Facts) -> Finding? {
    guard facts.root.isRunning else { return nil }
    for name in hook.programs.sorted() where Package.ofProgram[name] != nil {
      let exists = HookFacts.servicePath.contains { facts.root.exists("\($0)/\(name)") }
      guard !exists else { continue }
      return Finding(
        "hook.missing", subject, .wrong, "no directory of the daemon's PATH has a program \(name)",
        because: "The command fails each time.", remedies: install(name, facts))
    }
    return nil
  }

  private static func install(_ name: String, _ facts: Facts) -> [Remedy] {
    guard let package = Package.ofProgram[name.split(separator: "/").last.map(String.init) ?? name] else {
      return [
        .advice(
          "install \(name), or correct the command in \(facts.configuration.path ?? "the configuration")")
      ]
    }
    let managers = ["apt-get": "install --yes", "dnf": "install", "pacman": "-S", "apk": "add"]
    for (manager, verb) in managers.sorted(by: { $0.key < $1.key })
    where facts.root.exists("/usr/bin/\(manager)") || facts.root.exists("/sbin/\(manager)") {
      return [facts.shell.asRoot("\(manager) \(verb) \(package)")]
    }
    return [.advice("install the package \(package)")]
  }

  /// To where every user may execute it.
  static func move(_ hook: HookFacts, _ facts: Facts) -> [Remedy] {
    let name = hook.command.first ?? ""
    let file = hook.program ?? name
    guard let last = file.split(separator: "/").last else { return [] }
    let target = "/usr/local/bin/\(last)"
    let copy = facts.shell.asRoot("install -m 755 \(Shell.quoted(file)) \(Shell.quoted(target))")
    guard facts.configuration.path != nil, name.contains("/") else { return [copy] }
    let change = "s/\(Sed.pattern("\"\(name)\""))/\(Sed.replacement("\"\(target)\""))/"
    return [copy, facts.editing(change)] + facts.applying
  }
}

/// Packages of Debian by the programs that hooks often use.
enum Package {
  static let ofProgram = [
    "amixer": "alsa-utils", "aplay": "alsa-utils", "alsactl": "alsa-utils", "speaker-test": "alsa-utils",
    "wpctl": "wireplumber", "pactl": "pulseaudio-utils", "paplay": "pulseaudio-utils",
    "pw-play": "pipewire-bin",
    "spd-say": "speech-dispatcher", "espeak-ng": "espeak-ng", "espeak": "espeak", "mpc": "mpc",
    "playerctl": "playerctl", "curl": "curl", "wget": "wget", "jq": "jq",
    "mosquitto_pub": "mosquitto-clients",
    "notify-send": "libnotify-bin", "brightnessctl": "brightnessctl", "ddcutil": "ddcutil", "light": "light",
    "gpioset": "gpiod", "play": "sox", "mpg123": "mpg123", "ffplay": "ffmpeg", "xdotool": "xdotool",
    "socat": "socat",
  ]
}
