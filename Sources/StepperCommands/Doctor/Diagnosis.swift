extension Facts {
  /// The findings of all tables, in the order from the daemon to the hardware, and then further problems that the daemon
  /// reports. A part in order has a finding with the verdict `ok`; one that does not apply has none.
  var findings: [Finding] {
    let findings =
      aboutDaemon + aboutService + aboutConfiguration + aboutTables + aboutDevices + aboutHardware
    let rest = aboutEvents + aboutValues + aboutHooks + aboutSandbox + aboutRivals + aboutBridges
    return findings + rest + problems(besides: findings + rest)
  }

  /// The first row whose condition holds, about `subject`.
  func first(_ subject: String, @FirstRow _ row: () -> Finding?) -> Finding? { row()?.about(subject) }

  /// The findings of `list`; if it has none, those of `otherwise`.
  func all(@FindingList _ list: () -> [Finding], @FindingList otherwise: () -> [Finding]) -> [Finding] {
    let findings = list()
    return findings.isEmpty ? otherwise() : findings
  }
}

/// Takes the first of several rows whose condition holds.
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
