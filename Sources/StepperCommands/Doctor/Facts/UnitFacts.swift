/// A unit of systemd: its files, and the state that the running systemd reports.
package struct UnitFacts: Hashable, Sendable {
  package var name: String
  /// Nil: not installed.
  package var file: String?
  package var dropIns: [String] = []
  package var settings = UnitSettings()
  /// The link to `/dev/null` that masks it.
  package var mask: String?
  /// Whether it is started at boot.
  package var isEnabled = false
  /// The properties that `systemctl show` prints; empty without a running systemd.
  package var properties: [String: String] = [:]

  package init(name: String) { self.name = name }

  /// Those that are asked for.
  static let properties = [
    "Id", "LoadState", "ActiveState", "SubState", "Result", "ExecMainStatus", "ExecMainCode", "NRestarts",
    "MainPID", "NeedDaemonReload",
  ]

  package var isActive: Bool { ["active", "reloading"].contains(properties["ActiveState"] ?? "") }
  package var isFailed: Bool { properties["ActiveState"] == "failed" }
  package var isStarting: Bool { properties["ActiveState"] == "activating" }
}

extension UnitFacts {
  /// Where units are, the first directory that has a file of a name counts.
  static let directories = [
    "/etc/systemd/system", "/run/systemd/system", "/usr/local/lib/systemd/system", "/usr/lib/systemd/system",
    "/lib/systemd/system",
  ]

  init(_ root: SystemRoot, _ name: String, properties: [String: [String: String]]) {
    self.init(name: name)
    self.properties = properties[name] ?? [:]
    for directory in Self.directories {
      let path = "\(directory)/\(name)"
      if root.link(path) == "/dev/null" {
        mask = path
        break
      }
      guard let text = root.text(path) else { continue }
      file = path
      settings.read(text)
      break
    }
    readDropIns(root)
    isEnabled = Self.directories.prefix(2).contains { directory in
      root.names(directory).filter { $0.hasSuffix(".wants") || $0.hasSuffix(".requires") }.contains {
        root.link("\(directory)/\($0)/\(name)") != nil
      }
    }
  }

  /// In the order of their names, whatever directory they are in; of two with one name the first directory's counts.
  private mutating func readDropIns(_ root: SystemRoot) {
    var files: [String: String] = [:]
    for directory in Self.directories.map({ "\($0)/\(name).d" }) {
      for file in root.names(directory) where file.hasSuffix(".conf") && files[file] == nil {
        files[file] = "\(directory)/\(file)"
      }
    }
    for (_, path) in files.sorted(by: { $0.key < $1.key }) {
      guard let text = root.text(path) else { continue }
      dropIns.append(path)
      settings.read(text)
    }
  }

  /// The properties of units by their names, from the running systemd.
  static func runningProperties(_ root: SystemRoot, of names: [String]) -> [String: [String: String]] {
    guard root.isRunning, root.exists("/run/systemd/system") else { return [:] }
    let command = ["systemctl", "show", "--no-pager", "--property=\(properties.joined(separator: ","))"]
    return parse(ProgramOutput.of(command + names) ?? "")
  }

  /// Whether connecting to the system's socket would start the service.
  package static func wouldStartService(_ root: SystemRoot) -> Bool {
    let units = runningProperties(root, of: ["stepperd.service", "stepperd.socket"])
    let isWaiting = ["active", "reloading", "activating"].contains(
      units["stepperd.socket"]?["ActiveState"] ?? "")
    return isWaiting && ["inactive", "failed"].contains(units["stepperd.service"]?["ActiveState"] ?? "")
  }

  /// Blocks of `KEY=VALUE` with an empty line between two units.
  static func parse(_ text: String) -> [String: [String: String]] {
    var units: [String: [String: String]] = [:]
    for block in text.split(separator: "\n\n") {
      var properties: [String: String] = [:]
      for line in block.split(separator: "\n") {
        guard let mark = line.firstIndex(of: "=") else { continue }
        properties[String(line[..<mark])] = String(line[line.index(after: mark)...])
      }
      if let name = properties["Id"] { units[name] = properties }
    }
    return units
  }
}
