internal import HTTPTypes
internal import StepperClient
internal import StepperCore
internal import StepperInterfaces
internal import StepperLinux

/// What screen readers say of controls in languages other than that of the texts which the daemon sends with each state. It has a
/// connection of its own. Texts that one page has requested are kept for the others.
actor Describer {
  /// The language of the texts that the daemon sends with each state.
  nonisolated let language: String

  /// The most languages whose texts are kept. Beyond that, the least recently requested one is forgotten.
  static let languageLimit = 16

  /// A control in its current state.
  struct Subject: Hashable {
    let control: String
    let sequence: Int64
    let revision: UInt64
  }

  private let client: StepperClient
  private var known: [String: [String: (subject: Subject, text: [UInt8])]] = [:]
  /// The languages of ``known``, the most recently requested one last.
  private var recent: [String] = []
  /// The number of streams in each language. A language with streams is not forgotten.
  private var streamCounts: [String: Int] = [:]
  /// Limits requests for languages whose texts are not kept: each costs the daemon a call for each control.
  private var others = RateLimits<String>(RateLimit(every: .seconds(5), burst: 4))
  private var allOthers = RateLimit(every: .seconds(1), burst: languageLimit)

  /// The texts come from the daemon of `calls`.
  init(beside calls: StepperClient, language: String) {
    self.language = language
    client = StepperClient(beside: calls, timeout: .seconds(1))
  }

  /// Lets `client` request `language`. Throws if the client has requested too many languages.
  func admit(_ language: String, for client: String) throws(Problem) {
    guard language != self.language else { return }
    if let index = recent.firstIndex(of: language) {
      recent.remove(at: index)
    } else {
      guard allOthers.allows(at: .now), others.take(client, at: .now) else {
        throw Problem(
          .tooManyRequests, "too many languages were requested; try again in 5 seconds", retryAfter: 5)
      }
      _ = allOthers.take(at: .now)
    }
    recent.append(language)
    forgetOldest()
  }

  /// Keeps an admitted language while a stream uses it.
  func beginStream(in language: String) { streamCounts[language, default: 0] += 1 }

  func endStream(in language: String) {
    let count = streamCounts[language, default: 1] - 1
    streamCounts[language] = count > 0 ? count : nil
    forgetOldest()
  }

  private func forgetOldest() {
    while recent.count > Self.languageLimit,
      let oldest = recent.firstIndex(where: { streamCounts[$0] == nil })
    {
      known[recent.remove(at: oldest)] = nil
    }
  }

  /// The texts of `subjects`; nil: the states have them. Texts that cannot be obtained are left out.
  func texts(of subjects: [Subject], in language: String) async -> [Subject: [UInt8]]? {
    guard language != self.language else { return nil }
    guard !subjects.isEmpty else { return [:] }
    let present = known[language] ?? [:]
    let missing = subjects.filter { present[$0.control]?.subject != $0 }
    let found = await withTaskGroup(of: (Subject, [UInt8])?.self) { [client] group in
      for subject in missing {
        group.addTask {
          do throws(StepperClientError) {
            var accessibility = try await client.describe(subject.control, language: language).accessibility
            accessibility.control = subject.control
            return (subject, JSON.text(accessibility))
          } catch {
            return nil
          }
        }
      }
      var found: [(Subject, [UInt8])] = []
      for await one in group { if let one { found.append(one) } }
      return found
    }
    var texts: [Subject: [UInt8]] = [:]
    for subject in subjects {
      if let one = present[subject.control], one.subject == subject { texts[subject] = one.text }
    }
    for (subject, text) in found {
      texts[subject] = text
      if recent.contains(language) { known[language, default: [:]][subject.control] = (subject, text) }
    }
    return texts
  }
}
