import StepperCore
import StepperText

extension ConfigurationValue {
  /// Reads `feedback` of a control or a profile: a boolean, or a table of moments that overrides `rules`.
  func feedback(onTopOf rules: FeedbackRules) -> FeedbackRules? {
    if case .boolean(let isOn) = node { return isOn ? FeedbackRules() : .silent }
    guard let table = table("true, false or a table such as { limit = \"rigid\" }") else { return nil }
    var rules = rules
    for (key, value) in entries(of: table) {
      guard let moment = Moment(word: key) else {
        let moments = Moment.allCases.map(\.rawValue)
        value.report("there is no moment \(quoted(key)); known are \(moments.joined(separator: ", "))", .key)
        {
          suggestion(for: key, among: moments)
        }
        continue
      }
      if let effect = value.word(of: FeedbackEffect.self) { rules[moment] = effect }
    }
    return rules
  }
}
