/// Whether the programs of hooks exist and may be executed by the daemon's user.
extension Diagnosis {
  @Sections static func hooks() -> [Section] {
    Section {
      Section(\.hooks, subject: \.subject) {
        Row(
          "hook.closed", .wrong,
          seen: { hook, facts in
            hook.closedDirectory.map {
              "\(facts.daemonName) may not enter \($0) on the way to \(hook.program ?? hook.name)"
            }
          }, because: "The command cannot be started.", remedies: move)
        Row(
          "hook.missing", .wrong, when: { hook, _ in hook.program == nil },
          seen: { hook, _ in
            hook.name.contains("/") ? "\(hook.name) does not exist" : notFound(hook.name)
          },
          because: "The command fails each time.",
          remedies: { hook, facts in install(hook.name, facts) })
        Row(
          "hook.denied", .wrong,
          seen: { hook, facts in
            guard let status = hook.status, let identity = facts.daemonIdentity,
              !status.permits([.execute], to: identity)
            else { return nil }
            return
              "\(hook.program ?? "") is not executable for \(facts.daemonName) (\(status.octalMode))"
          }, because: "The command cannot be started.",
          remedies: { hook, _ in [.root("chmod a+rx \(Shell.quoted(hook.program ?? ""))")] })
        // Programs that a shell of the hook starts.
        Row(
          "hook.missing", .wrong, seen: { hook, facts in missingCompanion(hook, facts).map(notFound) },
          because: "The command fails each time.",
          remedies: { hook, facts in missingCompanion(hook, facts).map { install($0, facts) } ?? [] })
      }
    } otherwise: {
      Section("hooks", { $0.hooks.isEmpty ? [] : [$0.hooks] }) {
        Row(
          "hook.programs", .ok,
          seen: { hooks, _ in
            "each program exists: \(Set(hooks.compactMap(\.program)).sorted().joined(separator: ", "))"
          })
      }
    }
  }

  private static func notFound(_ name: String) -> String {
    "no directory of the daemon's PATH has a program \(name)"
  }

  private static func missingCompanion(_ hook: HookFacts, _ facts: Facts) -> String? {
    guard facts.root.isRunning else { return nil }
    return hook.programs.sorted().first { name in
      packages[name] != nil && !HookFacts.servicePath.contains { facts.root.exists("\($0)/\(name)") }
    }
  }

  private static func install(_ name: String, _ facts: Facts) -> [RemedyStep] {
    guard let package = packages[HookFacts.programName(name)] else {
      let place = facts.configuration.path ?? "the configuration"
      return [.advice("install \(name), or correct the command in \(place)")]
    }
    let managers = [("apk", "add"), ("apt-get", "install --yes"), ("dnf", "install"), ("pacman", "-S")]
    for (manager, verb) in managers
    where facts.root.exists("/usr/bin/\(manager)") || facts.root.exists("/sbin/\(manager)") {
      return [.root("\(manager) \(verb) \(package)")]
    }
    return [.advice("install the package \(package)")]
  }

  /// Moves the program to where every user may execute it.
  static func move(_ hook: HookFacts, _ facts: Facts) -> [RemedyStep] {
    let file = hook.program ?? hook.name
    guard let last = file.split(separator: "/").last else { return [] }
    let target = "/usr/local/bin/\(last)"
    let copy = RemedyStep.root("install -m 755 \(Shell.quoted(file)) \(Shell.quoted(target))")
    guard facts.configuration.path != nil, hook.name.contains("/") else { return [copy] }
    let change = "s/\(Sed.pattern("\"\(hook.name)\""))/\(Sed.replacement("\"\(target)\""))/"
    return [copy] + facts.editing(change)
  }

  /// Packages of Debian by the programs that hooks often use.
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
