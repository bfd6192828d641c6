internal import Glibc

/// Findings for people: a line for each, with its remedies below as lines that can be copied.
enum FindingText {
  static func write(_ findings: [Finding]) {
    let width = findings.map(\.subject.displayWidth).max() ?? 0
    for finding in findings { write(finding, subjectWidth: min(width, 24)) }
    Output.line("")
    Output.line(summary(findings))
  }

  private static func write(_ finding: Finding, subjectWidth: Int) {
    let mark = isTerminal ? mark(finding.verdict) : finding.verdict.rawValue.padded(to: 8)
    Output.line("\(mark) \(finding.subject.padded(to: subjectWidth))  \(finding.seen)")
    guard finding.verdict != .ok else { return }
    if let reason = finding.reason { Output.line("    \(reason)") }
    for remedy in finding.remedies {
      switch remedy {
      case .command(let command): Output.line("      \(command)")
      case .line(let line, let file):
        Output.line("    at the end of \(file):")
        Output.line("      \(line)")
      case .advice(let advice): Output.line("    \(advice)")
      }
    }
  }

  private static let isTerminal = isatty(STDOUT_FILENO) == 1

  private static func mark(_ verdict: Finding.Verdict) -> String {
    switch verdict {
    case .ok: "✓"
    case .note: "·"
    case .warning: "!"
    case .wrong: "✗"
    }
  }

  private static func summary(_ findings: [Finding]) -> String {
    func count(_ verdict: Finding.Verdict) -> Int { findings.count { $0.verdict == verdict } }
    let wrong = count(.wrong)
    let head =
      wrong == 0 ? "nothing is wrong" : "\(wrong.counted("thing")) \(wrong == 1 ? "is" : "are") wrong"
    let warnings = count(.warning)
    return warnings == 0 ? head : "\(head), \(warnings.counted("warning"))"
  }
}
