internal import HTTPTypes
internal import StepperClient
internal import StepperCore
internal import StepperInterfaces
internal import StepperLinux

/// What screen readers say of controls in other languages than that of the texts that the daemon sends with each state, on a
/// connection of its own. What was asked for one page is kept for the others.
actor Describer {
  /// The language of the texts that the daemon sends with each state.
  nonisolated let language: String

  /// Of how many languages something is kept; of more, the one that was asked for longest ago is forgotten.
  static let languageLimit = 16

  /// A control as it is now.
  struct Subject: Hashable {
    let control: String
    let sequence: Int64
    let revision: UInt64
  }

  private let client: StepperClient
  private var known: [String: [String: (subject: Subject, text: [UInt8])]] = [:]
  /// The languages of ``known``, the one that was asked for last at the end.
  private var recent: [String] = []
  /// Languages that nothing is kept of: each costs the daemon a call for each control.
  private var others = RateLimits<String>(RateLimit(every: .seconds(5), burst: 4))
  private var allOthers = RateLimit(every: .seconds(1), burst: languageLimit)

  init(address: String?, language: String) {
    self.language = language
    client = StepperClient(address: address, timeout: .seconds(1), isRestricted: true)
  }

  /// Lets `client` ask for `language`. Throws if that is one language too many.
  func admit(_ language: String, for client: String) throws(Problem) {
    guard language != self.language else { return }
    if let index = recent.firstIndex(of: language) {
      recent.remove(at: index)
    } else {
      guard allOthers.allows(at: .now), others.take(client, at: .now) else {
        throw Problem(.tooManyRequests, "too many languages; another one in some seconds", retryAfter: 5)
      }
      _ = allOthers.take(at: .now)
    }
    recent.append(language)
    if recent.count > Self.languageLimit { known[recent.removeFirst()] = nil }
  }

  /// The texts of `subjects`; nil: they are with the states. What cannot be had is left out.
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
