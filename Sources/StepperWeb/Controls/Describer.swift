internal import StepperClient
internal import StepperInterfaces

/// What screen readers say of controls in other languages than the one that the daemon tells with each state, on a
/// connection of its own. What was asked for one page is kept for the others.
actor Describer {
  /// The language that the daemon tells with each state.
  nonisolated let language: String

  /// Of how many languages something is kept; of more, all is forgotten.
  private static let languageLimit = 16

  /// A control as it is now.
  struct Subject: Hashable {
    let control: String
    let sequence: Int64
    let revision: UInt64
  }

  private let client: StepperClient
  private var known: [String: [String: (subject: Subject, text: [UInt8])]] = [:]

  init(address: String?, language: String) {
    self.language = language
    client = StepperClient(address: address, timeout: .seconds(1))
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
    if known[language] == nil, known.count >= Self.languageLimit { known = [:] }
    for (subject, text) in found { known[language, default: [:]][subject.control] = (subject, text) }
    var texts: [Subject: [UInt8]] = [:]
    for subject in subjects {
      if let one = known[language]?[subject.control], one.subject == subject {
        texts[subject] = one.text
      }
    }
    return texts
  }
}
