internal import StepperCore

/// The inputs discovered on ports, by the names of the ports. They are kept across restarts.
struct FoundInputs {
  /// The kind and the code of each input, by `PORT<TAB>INPUT`.
  private(set) var texts: [String: String]
  /// When the texts are to be written; nil: they have been written.
  private(set) var due: Instant?
  /// Texts beyond this number, which nobody's ports reach over the years, are not kept.
  private static let most = 4_096
  private static let savingPause = Duration.seconds(1)
  private static let retryPause = Duration.seconds(60)

  init(_ texts: [String: String] = [:]) { self.texts = texts }

  /// The words of a port's inputs.
  func words(of port: String) -> [String: String] {
    let prefix = Self.prefix(port)
    let own = texts.filter { $0.key.hasPrefix(prefix) }.map {
      (String($0.key.dropFirst(prefix.count)), $0.value)
    }
    return .init(uniqueKeysWithValues: own)
  }

  /// Sets all inputs of a port. Earlier ones are forgotten, so that each code belongs to one input.
  mutating func note(_ words: [String: String], of port: String, at now: Instant) {
    let prefix = Self.prefix(port)
    texts = texts.filter { !$0.key.hasPrefix(prefix) }
    for (input, text) in words where texts.count < Self.most { texts[prefix + input] = text }
    due = due ?? now + Self.savingPause
  }

  /// Writes the texts if they have changed. A write that fails is repeated after a while.
  mutating func save(at now: Instant, _ write: ([String: String]) throws -> Void) rethrows {
    guard due != nil else { return }
    due = now + Self.retryPause
    try write(texts)
    due = nil
  }

  private static func prefix(_ port: String) -> String { "\(port)\t" }
}
