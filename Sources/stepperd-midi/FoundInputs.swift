internal import StepperCore

/// What was found of ports, by their names, as it is kept over restarts.
struct FoundInputs {
  /// `PORT<TAB>INPUT`: what it is, and its code.
  private(set) var texts: [String: String]
  /// When they are to be written; nil: they are.
  private(set) var due: Instant?
  /// Of more ports than anybody has over the years nothing is kept.
  private static let most = 4_096
  private static let savingPause = Duration.seconds(1)
  private static let retryPause = Duration.seconds(60)

  init(_ texts: [String: String] = [:]) { self.texts = texts }

  /// The words of the inputs of a port.
  func words(of port: String) -> [String: String] {
    let prefix = Self.prefix(port)
    let own = texts.filter { $0.key.hasPrefix(prefix) }.map {
      (String($0.key.dropFirst(prefix.count)), $0.value)
    }
    return .init(uniqueKeysWithValues: own)
  }

  /// These are all inputs of a port: what it had besides is forgotten, so that its code is that of one input.
  mutating func note(_ words: [String: String], of port: String, at now: Instant) {
    let prefix = Self.prefix(port)
    texts = texts.filter { !$0.key.hasPrefix(prefix) }
    for (input, text) in words where texts.count < Self.most { texts[prefix + input] = text }
    due = due ?? now + Self.savingPause
  }

  /// Writes them if they are not written; what cannot be is tried again after a while.
  mutating func save(at now: Instant, _ write: ([String: String]) throws -> Void) rethrows {
    guard due != nil else { return }
    due = now + Self.retryPause
    try write(texts)
    due = nil
  }

  private static func prefix(_ port: String) -> String { "\(port)\t" }
}
