extension Facts {
  /// The findings of all tables, in the order from the daemon to the hardware, and then further problems that the daemon
  /// reports. A part in order has a finding with the verdict `ok`; one that does not apply has none.
  var findings: [Finding] {
    let findings =
      aboutDaemon + aboutService + aboutConfiguration + aboutTables + aboutDevices + aboutHardware
    let rest = aboutEvents + aboutValues + aboutHooks + aboutSandbox + aboutRivals + aboutBridges
    return findings + rest + problems(besides: findings + rest)
  }

  /// A row of a table: a condition on the facts, the sentence, why it matters, and the remedy.
  struct Row {
    fileprivate let name: String
    fileprivate let verdict: Finding.Verdict
    fileprivate let seen: String
    fileprivate let reason: String?
    fileprivate let remedies: [RemedyStep]

    /// Nil: the condition does not hold, or there is no sentence.
    init?(
      _ name: String, _ verdict: Finding.Verdict, when condition: Bool = true,
      seen: @autoclosure () -> String?, because reason: @autoclosure () -> String? = nil,
      fix remedies: @autoclosure () -> [RemedyStep] = []
    ) {
      guard condition, let seen = seen() else { return nil }
      (self.name, self.verdict, self.seen) = (name, verdict, seen)
      (self.reason, self.remedies) = (reason(), remedies())
    }
  }

  /// The first row whose condition holds, about `subject`.
  func first(_ subject: String, @FirstRow _ row: () -> Row?) -> [Finding] {
    guard let row = row() else { return [] }
    return [
      Finding(
        row.name, subject, row.verdict, row.seen, because: row.reason,
        remedies: row.remedies.map { $0.remedy(isRoot: caller.isRoot) })
    ]
  }

  /// The finding of one row about `subject`.
  func finding(
    _ subject: String, _ name: String, _ verdict: Finding.Verdict, when condition: Bool = true,
    seen: @autoclosure () -> String?, because reason: @autoclosure () -> String? = nil,
    fix remedies: @autoclosure () -> [RemedyStep] = []
  ) -> [Finding] {
    first(subject) { Row(name, verdict, when: condition, seen: seen(), because: reason(), fix: remedies()) }
  }

  /// The findings of `list`; if it has none, those of `otherwise`.
  func all(@FindingList _ list: () -> [Finding], @FindingList otherwise: () -> [Finding]) -> [Finding] {
    let findings = list()
    return findings.isEmpty ? otherwise() : findings
  }
}

/// Takes the first of several rows whose condition holds.
@resultBuilder
enum FirstRow {
  static func buildExpression(_ row: Facts.Row?) -> Facts.Row? { row }
  static func buildBlock(_ rows: Facts.Row?...) -> Facts.Row? { rows.lazy.compactMap(\.self).first }
}

/// Concatenates the findings of several rows.
@resultBuilder
enum FindingList {
  static func buildExpression(_ findings: [Finding]) -> [Finding] { findings }
  static func buildBlock(_ lists: [Finding]...) -> [Finding] { lists.flatMap(\.self) }
  static func buildOptional(_ list: [Finding]?) -> [Finding] { list ?? [] }
  static func buildArray(_ lists: [[Finding]]) -> [Finding] { lists.flatMap(\.self) }
}
