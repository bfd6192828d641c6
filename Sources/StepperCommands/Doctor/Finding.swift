internal import StepperText

/// The result of a check of one subject.
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
  var name: String
  /// The part of the system, for people: `daemon`, `device knob`.
  var subject: String
  var verdict: Verdict
  /// The observation, as a sentence.
  var seen: String
  /// Why it matters, in one sentence; nil for what is in order.
  var reason: String?
  /// The steps that fix it, in their order.
  var remedies: [Remedy]

  init(
    _ name: String, _ subject: String, _ verdict: Verdict, _ seen: String, because reason: String? = nil,
    remedies: [Remedy] = []
  ) {
    self.name = name
    self.subject = subject.onOneLine(limit: Self.longestText)
    self.verdict = verdict
    self.seen = seen.onOneLine(limit: Self.longestText)
    self.reason = reason
    self.remedies = remedies
  }

  /// In bytes.
  private static let longestText = 2_048
}

/// One step of a remedy.
enum Remedy: Hashable, Sendable {
  /// A command for a shell, complete as it is.
  case command(String)
  /// A line to write at the end of a file.
  case line(String, file: String)
  /// A step that is not a command.
  case advice(String)
}
