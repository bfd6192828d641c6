/// A program that reads input devices for other purposes.
struct Rival: Hashable, Sendable {
  var title: String
  /// The kernel's names of its processes.
  var processes: [String]
  var units: [String]

  static let all = [
    Rival(title: "triggerhappy", processes: ["thd"], units: ["triggerhappy.service", "triggerhappy.socket"]),
    Rival(title: "lircd", processes: ["lircd"], units: ["lircd.service", "lircd.socket"]),
    Rival(title: "inputlirc", processes: ["inputlircd"], units: ["inputlirc.service"]),
    Rival(
      title: "eventlircd", processes: ["eventlircd"], units: ["eventlircd.service", "eventlircd.socket"]),
    Rival(title: "keyd", processes: ["keyd"], units: ["keyd.service"]),
    Rival(
      title: "input-remapper", processes: ["input-remapper-", "input-remapper"],
      units: ["input-remapper.service", "input-remapper-daemon.service"]),
    Rival(title: "evsieve", processes: ["evsieve"], units: ["evsieve.service"]),
    Rival(title: "kanata", processes: ["kanata"], units: ["kanata.service"]),
    Rival(title: "xremap", processes: ["xremap"], units: ["xremap.service"]),
  ]
}

/// The traces of such a program on the machine.
struct RivalFacts: Hashable, Sendable {
  var rival: Rival
  var running: [ProcessFacts] = []
  /// The rival's units that are started at boot.
  var enabled: [String] = []
  /// Codes that its configuration names, with the file of each.
  var codes: [String: String] = [:]

  static func all(
    _ root: SystemRoot, _ processes: [ProcessFacts], _ units: [String: UnitFacts]
  ) -> [RivalFacts] {
    Rival.all.compactMap { rival in
      var facts = RivalFacts(rival: rival)
      facts.running = processes.filter { rival.processes.contains($0.name) }
      facts.enabled = rival.units.filter { units[$0]?.isEnabled ?? false }
      if rival.title == "triggerhappy" { facts.codes = triggers(root) }
      return facts.running.isEmpty && facts.enabled.isEmpty ? nil : facts
    }
  }

  /// The codes in triggerhappy's lines `KEY_VOLUMEUP 1 COMMAND`, with modifiers `KEY_A+KEY_B`.
  private static func triggers(_ root: SystemRoot) -> [String: String] {
    let directory = "/etc/triggerhappy/triggers.d"
    var codes: [String: String] = [:]
    for file in root.names(directory) where file.hasSuffix(".conf") {
      for line in root.lines("\(directory)/\(file)") {
        let word = line.split(whereSeparator: { " \t".contains($0) }).first ?? ""
        for code in word.split(separator: "+") where !code.hasPrefix("#") {
          codes[String(code)] = "\(directory)/\(file)"
        }
      }
    }
    return codes
  }
}
