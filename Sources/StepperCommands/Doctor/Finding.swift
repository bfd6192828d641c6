internal import StepperText

/// The result of checking one subject. A table of checks has a row for each possible finding: a condition on the facts,
/// the sentence, why it matters, and the remedy.
struct Finding: Hashable, Sendable {
  enum Verdict: String, CaseIterable, Hashable, Sendable {
    case ok
    /// Worth knowing; nothing has to be done.
    case note
    /// It works, but probably not as intended.
    case warning
    /// It does not work.
    case wrong
  }

  /// The name of the finding, which does not change between versions: `daemon.stopped`.
  let name: String
  /// The part of the system, for people: `daemon`, `device knob`.
  private(set) var subject: String
  let verdict: Verdict
  /// The observation, as a sentence.
  let seen: String
  /// Why the observation matters, in one sentence; nil if the subject is in order.
  let reason: String?
  /// The steps of the remedy, in order.
  let remedies: [Remedy]

  /// Nil if the condition does not hold or there is no sentence. Rows in ``Facts/first(_:_:)`` get their subject from
  /// it.
  init?(
    _ name: String, _ verdict: Verdict, about subject: String = "", when condition: Bool = true,
    seen: @autoclosure () -> String?, because reason: @autoclosure () -> String? = nil,
    fix remedies: @autoclosure () -> [Remedy] = []
  ) {
    guard condition, let seen = seen() else { return nil }
    self.name = name
    self.subject = subject.onOneLine(limit: Self.longestText)
    self.verdict = verdict
    self.seen = seen.onOneLine(limit: Self.longestText)
    self.reason = reason()
    self.remedies = remedies()
  }

  func about(_ subject: String) -> Finding {
    var finding = self
    finding.subject = subject.onOneLine(limit: Self.longestText)
    return finding
  }

  /// The length of the longest text, in bytes.
  private static let longestText = 2_048
}
