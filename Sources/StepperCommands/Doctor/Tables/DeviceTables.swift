internal import StepperCore
internal import StepperInterfaces
internal import StepperText

/// The `[device.NAME]` tables of the configuration and the bindings to them.
extension Facts {
  @FindingList var aboutTables: [Finding] {
    for table in assignment.tables {
      first("device \(table.name)") {
        table.isOfPrograms ? provided(table) : table.inputs.isEmpty ? unmatched(table) : matched(table)
      }
    }
    for device in daemon?.devices ?? [] where device.state == .unused {
      Finding(
        "device.unclaimed", .note, about: "device \(device.device)",
        seen: device.provider.map {
          "\(device.name.onOneLine()) is attached by \($0.onOneLine()), and no table matches it"
        }, because: "A device of a program is matched by \"provider\" alone.",
        fix: [
          .advice(
            "write into a [device.NAME] table: match = { provider = \"\(device.provider?.onOneLine() ?? "")\" }"
          ),
          .command("stepperctl learn"),
        ])
    }
    for missing in assignment.missingBindings {
      Finding(
        "binding.missing", .wrong, about: "device \(missing.table)",
        seen: "\(missing.table) has no \(missing.code); it has \(missing.present)",
        because: "The binding of the control \(missing.control) never has an effect.",
        fix: replacing(missing))
    }
  }

  @FirstRow private func matched(_ table: Assignment.Table) -> Finding? {
    Finding(
      "device.unbound", .warning, when: !table.isBound,
      seen: "\(table.titles) is read, and no control uses it", because: "Its movements have no effect.",
      fix: [
        .advice("write into a [control.NAME] table: \(table.exampleBinding)"), .command("stepperctl learn"),
      ])
    Finding("device.matched", .ok, seen: table.titles)
  }

  /// The finding about a table of devices that programs attach. Only the daemon knows such devices.
  @FirstRow private func provided(_ table: Assignment.Table) -> Finding? {
    let attached = (daemon?.devices ?? []).first { $0.provider != nil && $0.device == table.name }
    Finding(
      "device.unbound", .warning, when: !table.isBound,
      seen: attached.map { "\($0.name.onOneLine()) is attached, and no control uses it" },
      because: "Its movements have no effect.",
      fix: [
        .advice("write a binding to \"\(table.name):CODE\" into a [control.NAME] table"),
        .command("stepperctl learn"),
      ]
    )
    Finding(
      "device.matched", .ok,
      seen: attached.map { "\($0.name.onOneLine()), attached by \(($0.provider ?? "").onOneLine())" })
    Finding(
      "device.shadowed", .wrong,
      seen: daemon?.status?.problems.first {
        $0.hasPrefix("\(table.name): ") && $0.has(" matches, but [device.")
      },
      because: "Each device belongs to the first table that matches it.",
      fix: [.advice("move the table [device.\(table.name)] in \(configurationName) before that one")]
        + applying)
    Finding(
      "device.unattached", .warning, when: daemon?.status != nil,
      seen: "no program has attached a device that [device.\(table.name)] matches",
      because: "Until \(table.programs) runs and may attach devices, this table moves no control.",
      fix: [
        .command("stepperctl status"),
        .advice("start the program that provides \(table.programs); the status names who was refused"),
      ])
  }

  @FirstRow private func unmatched(_ table: Assignment.Table) -> Finding? {
    Finding(
      "device.shadowed", .wrong,
      seen: table.owner.map {
        "the device that matches [device.\(table.name)] is taken by [device.\($0)], which is before it"
      }, because: "Each device belongs to the first table that matches it.",
      // The later table has the narrower match. The earlier table would have to leave out its device, so the two change
      // places.
      fix: [
        .advice(
          "move the table [device.\(table.name)] in \(configurationName) before [device.\(table.owner ?? "")]"
        )
      ] + applying)
    Finding(
      "device.absent", configuration.path == nil ? .note : .warning, when: table.near == nil,
      seen: "no connected device matches [device.\(table.name)]",
      because: "Until it is connected, this table moves no control.")
    // The built-in configuration cannot be edited.
    Finding(
      "device.unmatched", .warning, when: configuration.path == nil,
      seen: table.near.map { "the built-in configuration does not match \($0.title), which is connected" },
      because: "No control uses it.", fix: [.command("stepperctl learn")])
    Finding(
      "device.unmatched", .wrong,
      seen: table.near.map {
        "no connected device matches [device.\(table.name)]; \($0.title) is connected and used by no table"
      }, because: "This table moves no control.", fix: replacingMatch(of: table))
  }

  private func replacingMatch(of table: Assignment.Table) -> [Remedy] {
    guard let path = configuration.path, let near = table.near else { return [] }
    let line = "match = \(Self.match(for: near.identity))"
    guard let number = configuration.matchLine(ofTable: table.name) else {
      return [.advice("write into [device.\(table.name)] of \(path): \(line)")] + applying
    }
    return editing("\(number)s/.*/\(Sed.replacement(line))/")
  }

  /// The shortest condition: vendor and product, or the name of a built-in device.
  private static func match(for identity: DeviceIdentity) -> String {
    // Stars and question marks in a name need no escaping, because as wildcards they match themselves too.
    let name = identity.name.unicodeScalars.map { scalar in
      switch scalar {
      case "\"", "\\": "\\\(scalar)"
      case _ where scalar.value < 0x20 || scalar.value == 0x7f: "?"
      default: String(scalar)
      }
    }.joined()
    guard identity.vendor != 0 else { return "{ name = \"\(name)\" }" }
    return
      "{ vendor = 0x\(identity.vendor.hexadecimal), product = 0x\(identity.product.hexadecimal), name = \"\(name)\" }"
  }

  private func replacing(_ missing: Assignment.MissingBinding) -> [Remedy] {
    guard let path = configuration.path else { return [] }
    let written = "\"\(missing.table):\(missing.code)\""
    guard let meant = missing.meant, configuration.text.has(written) else {
      return [
        .command("stepperctl monitor \(missing.table)"),
        .advice("move the part that is meant, and write its code into \(path) in place of \(missing.code)"),
      ]
    }
    return editing("s/\(Sed.pattern(written))/\"\(missing.table):\(meant)\"/")
  }
}

extension ConfigurationFacts {
  /// The number of the line that has the whole `match` of a device table; nil if it is not on a single line of its own.
  fileprivate func matchLine(ofTable table: String) -> Int? {
    // A line may end in CR LF, which is one `Character`.
    let lines = text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      String(String.UnicodeScalarView(line.filter { $0 != " " && $0 != "\t" && $0 != "\r" }))
    }
    let header = lines.firstIndex { $0 == "[device.\(table)]" || $0.hasPrefix("[device.\(table)]#") }
    guard let header else { return nil }
    for (index, line) in lines.enumerated().dropFirst(header + 1) {
      if line.hasPrefix("[") { return nil }
      // A comment after the match would be lost, and a list of matches may continue on the next lines.
      if line.hasPrefix("match={") { return line.hasSuffix("}") ? index + 1 : nil }
    }
    return nil
  }
}
