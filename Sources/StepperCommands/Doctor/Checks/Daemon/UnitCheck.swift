/// Whether the units are installed, enabled and as systemd has loaded them.
enum UnitCheck {
  static func judge(_ facts: Facts) -> [Finding] {
    guard facts.isSystem else { return [] }
    var findings = [facts.service, facts.socketUnit].compactMap { mask($0, facts) }
    guard facts.service.file != nil || facts.service.mask != nil else {
      return [
        Finding(
          "unit.missing", "service", .note, "stepperd.service is not installed",
          because: "Without it the daemon runs only while a user has started it.",
          remedies: [.advice("install the package, or run 'sudo make install' in the source directory")])
      ]
    }
    if facts.service.properties["NeedDaemonReload"] == "yes"
      || facts.socketUnit.properties["NeedDaemonReload"] == "yes"
    {
      findings.append(
        Finding(
          "unit.changed", "service", .wrong, "a unit file or a drop-in has changed since systemd read it",
          because: "The service runs with the former settings.",
          remedies: [
            facts.shell.asRoot("systemctl daemon-reload"),
            facts.shell.asRoot("systemctl restart stepperd.service"),
          ]))
    }
    if facts.service.file != nil, !facts.service.isEnabled {
      findings.append(
        Finding(
          "unit.disabled", "service", .wrong, "stepperd.service is not enabled",
          because: "It is not started at the next boot.",
          remedies: [facts.shell.asRoot("systemctl enable stepperd.socket stepperd.service")]))
    }
    if findings.isEmpty {
      let dropIns = facts.service.dropIns
      findings.append(
        Finding(
          "unit.installed", "service", .ok,
          "\(facts.service.file ?? "") is enabled"
            + (dropIns.isEmpty ? "" : ", with \(dropIns.joined(separator: ", "))")))
    }
    return findings
  }

  private static func mask(_ unit: UnitFacts, _ facts: Facts) -> Finding? {
    guard unit.mask != nil else { return nil }
    return Finding(
      "unit.masked", "service", .wrong, "\(unit.name) is masked",
      because: "systemd does not start it, neither at boot nor by a command.",
      remedies: [
        facts.shell.asRoot("systemctl unmask \(unit.name)"),
        facts.shell.asRoot("systemctl enable \(unit.name)"),
        facts.shell.asRoot("systemctl start stepperd.socket stepperd.service"),
      ])
  }
}
