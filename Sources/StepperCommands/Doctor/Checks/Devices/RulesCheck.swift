/// Whether the rules of udev and the hardware database are installed and in force.
enum RulesCheck {
  static func judge(_ facts: Facts) -> [Finding] {
    guard facts.isSystem, facts.service.file != nil else { return [] }
    if let mask = facts.udev.mask { return [masked(mask, facts)] }
    guard let rules = facts.udev.rules else { return [missing(facts)] }
    guard facts.udev.isRunning else {
      return [
        Finding(
          "udev.stopped", "udev", .wrong, "udev is not running",
          because: "Devices are not given to stepperd, and new ones are not reported.",
          remedies: [facts.shell.asRoot("systemctl start systemd-udevd.service")] + apply(facts))
      ]
    }
    guard let database = facts.udev.database, facts.udev.databaseHasEntries,
      facts.udev.compiled >= facts.udev.changed
    else {
      let seen =
        facts.udev.database.map { database in
          facts.udev.databaseHasEntries
            ? "\(database) is older than the files that it is compiled of"
            : "\(database) has no entries of stepperd"
        } ?? "the hardware database is not compiled"
      // Times of files of a board without a clock in hardware may be in a wrong order.
      let isStale = facts.udev.database != nil && facts.udev.databaseHasEntries
      return [
        Finding(
          "udev.database", "udev", isStale ? .warning : .wrong, seen,
          because: "udev does not know which devices are for stepperd.",
          remedies: NodeCheck.compile(facts) + apply(facts))
      ]
    }
    return [Finding("udev.installed", "udev", .ok, "\(rules), and \(database) with its entries")]
  }

  private static func apply(_ facts: Facts) -> [Remedy] {
    [
      facts.shell.asRoot("udevadm control --reload"),
      facts.shell.asRoot("udevadm trigger --subsystem-match=input --subsystem-match=hidraw"),
      facts.shell.asRoot("udevadm settle"),
    ]
  }

  private static func masked(_ path: String, _ facts: Facts) -> Finding {
    Finding(
      "udev.masked", "udev", .wrong, "\(path) hides the rules of stepperd",
      because: "udev reads one file of a name only, and this one gives no device to stepperd.",
      remedies: [facts.shell.asRoot("rm \(Shell.quoted(path))")] + apply(facts))
  }

  private static func missing(_ facts: Facts) -> Finding {
    // Only Debian's package has this file.
    let hasPackage = facts.root.exists("/usr/share/doc/stepperd/copyright")
    return Finding(
      "udev.missing", "udev", .wrong, "70-stepperd.rules is not installed where udev looks",
      because: "The service may open no device.",
      remedies: (hasPackage
        ? [facts.shell.asRoot("apt-get install --reinstall stepperd")]
        : [
          .advice("in the source directory of stepperd:"),
          facts.shell.asRoot(
            "install -D -m 644 udev-rules/70-stepperd.rules /usr/lib/udev/rules.d/70-stepperd.rules"),
          facts.shell.asRoot(
            "install -D -m 644 udev-rules/70-stepperd.hwdb /usr/lib/udev/hwdb.d/70-stepperd.hwdb"),
          facts.shell.asRoot("systemd-hwdb update"),
        ]) + apply(facts))
  }
}
