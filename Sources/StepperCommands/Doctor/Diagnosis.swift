extension Facts {
  /// The findings of all tables, ordered from the daemon to the hardware, followed by further problems that the daemon
  /// reports. A part that is in order has a finding with the verdict `ok`. A part that does not apply has no finding.
  var findings: [Finding] {
    let findings =
      aboutDaemon + aboutService + aboutConfiguration + aboutTables + aboutDevices + aboutHardware
    let rest = aboutEvents + aboutValues + aboutHooks + aboutSandbox + aboutRivals + aboutBridges
    return findings + rest + problems(besides: findings + rest)
  }

  /// The finding of the first row whose condition holds; its subject is `subject`.
  func first(_ subject: String, @FirstRow _ row: () -> Finding?) -> Finding? { row()?.about(subject) }

  /// The findings of `list`; if it has none, those of `otherwise`.
  func all(@FindingList _ list: () -> [Finding], @FindingList otherwise: () -> [Finding]) -> [Finding] {
    let findings = list()
    return findings.isEmpty ? otherwise() : findings
  }
}

/// Returns the finding of the first row whose condition holds.
@resultBuilder
enum FirstRow {
  static func buildBlock(_ rows: Finding?...) -> Finding? { rows.lazy.compactMap(\.self).first }
}

/// Collects the findings of several rows and lists.
@resultBuilder
enum FindingList {
  static func buildExpression(_ row: Finding?) -> [Finding] { [row].compactMap(\.self) }
  static func buildExpression(_ findings: [Finding]) -> [Finding] { findings }
  static func buildBlock(_ lists: [Finding]...) -> [Finding] { lists.flatMap(\.self) }
  static func buildOptional(_ list: [Finding]?) -> [Finding] { list ?? [] }
  static func buildArray(_ lists: [[Finding]]) -> [Finding] { lists.flatMap(\.self) }
}
