internal import StepperConfiguration
internal import StepperCore
internal import StepperText

/// The `[device.NAME]` tables of the configuration and the bindings to them.
extension Diagnosis {
  @Sections static func tables() -> [Section] {
    Section({ Assignment($0).tables }, subject: { "device \($0.name)" }) {
      Row(
        "device.unbound", .warning, when: { table, _ in !table.inputs.isEmpty && !table.isBound },
        seen: { table, _ in "\(table.titles) is read, and no control uses it" },
        because: "Its movements have no effect.",
        remedies: { table, _ in
          [
            .advice("write into a [control.NAME] table: \(table.exampleBinding)"),
            .command("stepperctl learn"),
          ]
        })
      Row(
        "device.matched", .ok, when: { table, _ in !table.inputs.isEmpty },
        seen: { table, _ in table.titles })
      Row(
        "device.shadowed", .wrong,
        seen: { table, _ in
          table.owner.map {
            "the device that matches [device.\(table.name)] is taken by [device.\($0)], which is before it"
          }
        }, because: "Each device belongs to the first table that matches it.",
        // A narrower match for the later table's device needs the earlier table to leave it out, so the two change places.
        remedies: { table, facts in
          let place = facts.configuration.path ?? "the configuration"
          let move =
            "move the table [device.\(table.name)] in \(place) before [device.\(table.owner ?? "")]"
          return [.advice(move)] + facts.applying
        })
      Row(
        "device.absent", .note,
        when: { table, facts in table.near == nil && facts.configuration.path == nil },
        seen: absent, because: "Its controls follow clients only until it is connected.")
      Row(
        "device.absent", .warning, when: { table, _ in table.near == nil }, seen: absent,
        because: "Its controls follow clients only until it is connected.")
      // The built-in configuration cannot be edited.
      Row(
        "device.unmatched", .warning, when: { _, facts in facts.configuration.path == nil },
        seen: { table, _ in
          table.near.map { "the built-in configuration does not match \($0.title), which is connected" }
        }, because: "No control uses it.", remedies: { _, _ in [.command("stepperctl learn")] })
      Row(
        "device.unmatched", .wrong,
        seen: { table, _ in
          table.near.map {
            "no connected device matches [device.\(table.name)]; \($0.title) is connected and used by no table"
          }
        }, because: "Its controls follow clients only.", remedies: replaceMatch)
    }

    Section({ Assignment($0).missingBindings }, subject: { "device \($0.table)" }) {
      Row(
        "binding.missing", .wrong,
        seen: { missing, _ in "\(missing.table) has no \(missing.code); it has \(missing.present)" },
        because: .of { missing, _ in "The binding of the control \(missing.control) never has an effect."
        },
        remedies: replaceBinding)
    }
  }

  private static func absent(_ table: Assignment.Table, _: Facts) -> String? {
    "no connected device matches [device.\(table.name)]"
  }

  private static func replaceMatch(_ table: Assignment.Table, _ facts: Facts) -> [RemedyStep] {
    guard let path = facts.configuration.path, let near = table.near else { return [] }
    let line = "match = \(match(for: near.identity))"
    guard let number = facts.configuration.matchLine(ofTable: table.name) else {
      return [.advice("write into [device.\(table.name)] of \(path): \(line)")] + facts.applying
    }
    return facts.editing("\(number)s/.*/\(Sed.replacement(line))/")
  }

  /// The conditions that a person would choose: vendor and product, or the name of what is built in.
  private static func match(for identity: DeviceIdentity) -> String {
    func hexadecimal(_ number: UInt16) -> String {
      let digits = String(number, radix: 16)
      return "0x" + String(repeating: "0", count: 4 - digits.count) + digits
    }
    // The stars and question marks of a name match themselves as well.
    let name = identity.name.unicodeScalars.map { scalar in
      switch scalar {
      case "\"", "\\": "\\\(scalar)"
      case _ where scalar.value < 0x20 || scalar.value == 0x7f: "?"
      default: String(scalar)
      }
    }.joined()
    guard identity.vendor != 0 else { return "{ name = \"\(name)\" }" }
    return
      "{ vendor = \(hexadecimal(identity.vendor)), product = \(hexadecimal(identity.product)), name = \"\(name)\" }"
  }

  private static func replaceBinding(_ missing: Assignment.MissingBinding, _ facts: Facts) -> [RemedyStep] {
    guard let path = facts.configuration.path else { return [] }
    let written = "\"\(missing.table):\(missing.code)\""
    guard let meant = missing.meant, facts.configuration.text.firstRange(of: written) != nil else {
      return [
        .command("stepperctl monitor \(missing.table)"),
        .advice("move the part that is meant, and write its code into \(path) in place of \(missing.code)"),
      ]
    }
    return facts.editing("s/\(Sed.pattern(written))/\"\(missing.table):\(meant)\"/")
  }
}

extension ConfigurationFacts {
  /// The number of the line with the whole `match` of a device table; nil if it is written otherwise.
  fileprivate func matchLine(ofTable table: String) -> Int? {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      String(line.filter { $0 != " " && $0 != "\t" && $0 != "\r" })
    }
    let header = lines.firstIndex { $0 == "[device.\(table)]" || $0.hasPrefix("[device.\(table)]#") }
    guard let header else { return nil }
    for (index, line) in lines.enumerated().dropFirst(header + 1) {
      if line.hasPrefix("[") { return nil }
      // A comment behind it would be lost; a list of matches may go on in the next lines.
      if line.hasPrefix("match={") { return line.hasSuffix("}") ? index + 1 : nil }
    }
    return nil
  }
}
