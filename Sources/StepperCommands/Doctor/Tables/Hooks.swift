internal import StepperText

/// Whether the programs of hooks exist and may be executed by the daemon's user.
extension Facts {
  var aboutHooks: [Finding] {
    let programs = Set(hooks.compactMap(\.program)).sorted().joined(separator: ", ")
    return all {
      for hook in hooks { first(hook.subject) { obstacle(to: hook) } }
    } otherwise: {
      Finding(
        "hook.programs", .ok, about: "hooks", when: !hooks.isEmpty, seen: "each program exists: \(programs)")
    }
  }

  @FirstRow private func obstacle(to hook: HookFacts) -> Finding? {
    let user = daemonUser?.name ?? "the daemon"
    let mode = hook.status.flatMap { status in
      daemonIdentity.flatMap { status.permits([.execute], to: $0) ? nil : status.octalMode }
    }
    let companion = missingCompanion(of: hook)
    Finding(
      "hook.closed", .wrong,
      seen: hook.closedDirectory.map {
        "\(user) may not enter \($0) on the way to \(hook.program ?? hook.name)"
      }, because: "The command cannot be started.", fix: moving(hook))
    Finding(
      "hook.missing", .wrong, when: hook.program == nil,
      seen: hook.name.contains("/") ? "\(hook.name) does not exist" : Self.notFound(hook.name),
      because: "The command fails each time.", fix: installing(hook.name))
    Finding(
      "hook.denied", .wrong,
      seen: mode.map { "\(hook.program ?? "") is not executable for \(user) (\($0))" },
      because: "The command cannot be started.",
      fix: [asRoot("chmod a+rx \(Shell.quoted(hook.program ?? ""))")])
    // Programs that the hook's shell script starts.
    Finding(
      "hook.missing", .wrong, seen: companion.map(Self.notFound), because: "The command fails each time.",
      fix: companion.map(installing) ?? [])
  }

  private static func notFound(_ name: String) -> String {
    "no directory of the daemon's PATH has a program \(name)"
  }

  private func missingCompanion(of hook: HookFacts) -> String? {
    guard root.isRunning else { return nil }
    return hook.programs.sorted().first { name in
      Self.packages[name] != nil && !HookFacts.servicePath.contains { root.exists("\($0)/\(name)") }
    }
  }

  private func installing(_ name: String) -> [Remedy] {
    guard let package = Self.packages[HookFacts.programName(name)] else {
      return [.advice("install \(name), or correct the command in \(configurationName)")]
    }
    // Other distributions divide programs into packages with other names.
    return root.exists("/usr/bin/apt-get")
      ? [asRoot("apt-get install --yes \(package)")]
      : [.advice("install the package \(package) (its name in Debian)")]
  }

  /// Moves the program to a directory where every user may execute it.
  func moving(_ hook: HookFacts) -> [Remedy] {
    let file = hook.program ?? hook.name
    guard let last = file.split(separator: "/").last else { return [] }
    let target = "/usr/local/bin/\(last)"
    let copy = asRoot("install -m 755 \(Shell.quoted(file)) \(Shell.quoted(target))")
    guard configuration.path != nil, hook.name.contains("/") else { return [copy] }
    let change = "s/\(Sed.pattern("\"\(hook.name)\""))/\(Sed.replacement("\"\(target)\""))/"
    return [copy] + editing(change)
  }

  /// Debian's packages of programs that hooks often use.
  private static let packages = [
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
