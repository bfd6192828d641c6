internal import StepperConfiguration
internal import StepperCore
internal import StepperText

/// Tables that match nothing, or whose devices another table takes, or that no control uses.
enum TableCheck {
  static func judge(_ facts: Facts) -> [Finding] {
    guard let configuration = facts.configuration.configuration else { return [] }
    let assignment = Assignment(facts)
    let bound = Set(configuration.controls.flatMap { $0.settings.bindings.map(\.input.device) })
    return assignment.tables.flatMap { table -> [Finding] in
      let inputs = assignment.inputs(of: table.name)
      guard !inputs.isEmpty else { return [unmatched(table.name, table.matches, assignment, facts)] }
      let titles = inputs.map(\.title).joined(separator: ", ")
      guard bound.contains(table.name) else {
        return [unbound(table.name, titles, inputs[0])]
      }
      return [Finding("device.matched", "device \(table.name)", .ok, titles)]
    }
  }

  private static func unbound(_ table: String, _ titles: String, _ input: InputFacts) -> Finding {
    let names = input.inputNames
    let example =
      names.first { $0.hasPrefix("REL_") }.map { "rotate = \"\(table):\($0)\"" }
      ?? names.first { $0.hasPrefix("ABS_") }.map { "absolute = \"\(table):\($0)\"" }
      ?? "increment = \"\(table):\(names.first ?? "CODE")\""
    return Finding(
      "device.unbound", "device \(table)", .warning, "\(titles) is read, and no control uses it",
      because: "Its movements have no effect.",
      remedies: [.advice("write into a [control.NAME] table: \(example)"), .command("stepperctl learn")])
  }

  private static func unmatched(
    _ table: String, _ matches: [DeviceMatch], _ assignment: Assignment, _ facts: Facts
  ) -> Finding {
    let subject = "device \(table)"
    if let owner = assignment.owner(ofDevicesFor: table) {
      return Finding(
        "device.shadowed", subject, .wrong,
        "the device that matches [device.\(table)] is taken by [device.\(owner)], which is before it",
        because: "Each device belongs to the first table that matches it.",
        remedies: shadowed(table, owner, assignment, facts))
    }
    guard let near = nearest(to: matches, among: assignment.unused) else {
      return Finding(
        "device.absent", subject, facts.configuration.path == nil ? .note : .warning,
        "no connected device matches [device.\(table)]",
        because: "Its controls follow clients only until it is connected.")
    }
    guard facts.configuration.path != nil else { return own(near, subject) }
    let line = "match = \(match(for: near))"
    return Finding(
      "device.unmatched", subject, .wrong,
      "no connected device matches [device.\(table)]; \(near.title) is connected and used by no table",
      because: "Its controls follow clients only.", remedies: replaceMatch(of: table, by: line, facts))
  }

  /// The built-in configuration cannot be edited.
  private static func own(_ near: InputFacts, _ subject: String) -> Finding {
    Finding(
      "device.unmatched", subject, .warning,
      "the built-in configuration does not match \(near.title), which is connected",
      because: "No control uses it.", remedies: [.command("stepperctl learn")])
  }

  /// A narrower match for the later table's device needs the earlier table to leave it out, so the two change places.
  private static func shadowed(
    _ table: String, _ owner: String, _ assignment: Assignment, _ facts: Facts
  ) -> [Remedy] {
    let place = facts.configuration.path ?? "the configuration"
    return [.advice("move the table [device.\(table)] in \(place) before [device.\(owner)]")] + facts.applying
  }

  /// The device that is probably meant: the one that fulfils most conditions, or has a similar name; the only one if there is no
  /// other.
  private static func nearest(to matches: [DeviceMatch], among inputs: [InputFacts]) -> InputFacts? {
    let candidates = inputs.filter(\.mayBeStepper)
    for match in matches {
      if let pattern = match.name?.filter({ $0 != "*" }),
        let name = suggestion(for: pattern, among: candidates.map(\.identity.name))
      {
        return candidates.first { $0.identity.name == name }
      }
      if let near = candidates.first(where: { input in
        (match.vendor.map { $0 == input.identity.vendor } ?? false)
          || (match.name.map { $0.lowercased() == input.identity.name.lowercased() } ?? false)
      }) {
        return near
      }
    }
    return candidates.count == 1 ? candidates[0] : nil
  }

  /// The conditions that a person would choose: vendor and product, or the name of what is built in.
  private static func match(for input: InputFacts) -> String {
    let identity = input.identity
    let name = "name = \"\(tomlText(identity.name))\""
    guard identity.vendor != 0 else { return "{ \(name) }" }
    return
      "{ vendor = 0x\(hexadecimal(identity.vendor)), product = 0x\(hexadecimal(identity.product)), \(name) }"
  }

  private static func tomlText(_ text: String) -> String {
    // The stars and question marks of a name match themselves as well.
    text.unicodeScalars.map { scalar in
      switch scalar {
      case "\"", "\\": "\\\(scalar)"
      case _ where scalar.value < 0x20 || scalar.value == 0x7f: "?"
      default: String(scalar)
      }
    }.joined()
  }

  private static func hexadecimal(_ number: UInt16) -> String {
    let digits = String(number, radix: 16)
    return String(repeating: "0", count: 4 - digits.count) + digits
  }

  private static func replaceMatch(of table: String, by line: String, _ facts: Facts) -> [Remedy] {
    guard let path = facts.configuration.path else { return [] }
    guard let number = facts.configuration.matchLine(ofTable: table) else {
      return [.advice("write into [device.\(table)] of \(path): \(line)")] + facts.applying
    }
    return [facts.editing("\(number)s/.*/\(Sed.replacement(line))/")] + facts.applying
  }
}

extension ConfigurationFacts {
  /// The number of the line with the whole `match` of a device table; nil if it is written otherwise.
  fileprivate func matchLine(ofTable table: String) -> Int? {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      String(line.filter { $0 != " " && $0 != "\t" && $0 != "\r" })
    }
    guard
      let header = lines.firstIndex(where: { $0 == "[device.\(table)]" || $0.hasPrefix("[device.\(table)]#") }
      )
    else { return nil }
    for (index, line) in lines.enumerated().dropFirst(header + 1) {
      if line.hasPrefix("[") { return nil }
      // A comment behind it would be lost; a list of matches may go on in the next lines.
      if line.hasPrefix("match={") { return line.hasSuffix("}") ? index + 1 : nil }
    }
    return nil
  }
}
