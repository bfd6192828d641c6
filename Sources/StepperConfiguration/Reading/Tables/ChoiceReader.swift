import StepperCore

/// Reads `choices = ["fm", { name = "aux", title = "Line in" }]`.
enum ChoiceReader {
  /// The choices that can be read; the others are reported.
  static func choices(_ value: ConfigurationValue) -> [TitledName] {
    let most = ConfigurationLimit.choices
    guard case .array(let array) = value.node, array.elements.count <= most else {
      value.report("must be an array of 1 to \(most) names, found \(value.node.found)")
      return []
    }
    if array.elements.isEmpty {
      value.report(
        "needs at least one name, such as [\"radio\", \"aux\"]; a control without choices leaves it out")
    }
    var choices: [TitledName] = []
    var different: Set<String> = []
    for element in value.elements(of: array) {
      guard let (choice, name) = choice(element) else { continue }
      if !different.insert(choice.name).inserted {
        name.report("\(quoted(choice.name)) occurs more than once")
      }
      choices.append(choice)
    }
    return choices
  }

  static func titles(_ choices: [TitledName]) -> ChoiceTitles {
    guard choices.contains(where: { $0.title != nil }) else { return ChoiceTitles() }
    let isTranslated = choices.contains { !$0.titles.isEmpty }
    return ChoiceTitles(
      titles: choices.map { $0.title ?? $0.name }, translations: isTranslated ? choices.map(\.titles) : [])
  }

  /// A choice, and the value that holds its name.
  private static func choice(_ value: ConfigurationValue) -> (TitledName, name: ConfigurationValue)? {
    switch value.node {
    case .table, .string: return value.titledName(upTo: ConfigurationLimit.choiceBytes)
    default:
      return value.refuse(
        "must be a name, or a table { name = \"fm\", title = \"FM\" }, found \(value.node.found)")
    }
  }
}
