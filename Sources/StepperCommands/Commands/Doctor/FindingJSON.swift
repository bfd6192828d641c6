/// A finding for programs; the names of its members are documented in stepperctl(1).
struct FindingJSON: Encodable {
  private let finding: String
  private let subject: String
  private let verdict: String
  private let seen: String
  private let reason: String?
  private let remedies: [Step]

  private struct Step: Encodable {
    var kind: String
    var text: String
    var file: String?
  }

  init(_ finding: Finding) {
    self.finding = finding.name
    subject = finding.subject
    verdict = finding.verdict.rawValue
    seen = finding.seen
    reason = finding.reason
    remedies = finding.remedies.map { remedy in
      switch remedy {
      case .command(let text): Step(kind: "command", text: text)
      case .line(let text, let file): Step(kind: "line", text: text, file: file)
      case .advice(let text): Step(kind: "advice", text: text)
      }
    }
  }
}
