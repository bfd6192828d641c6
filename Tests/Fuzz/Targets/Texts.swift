import Glibc
import StepperCore
import StepperText

extension FuzzTarget {
  /// A header of three bytes says by which rules; the rest is the text that somebody enters.
  static let text = FuzzTarget("text", upTo: 1_100, within: .milliseconds(200)) { input in
    var source = ByteSource(input)
    var rules = TextRules()
    rules.updatePolicy = source.word(UpdatePolicy.self, or: .strict)
    rules.expressions = source.word(ExpressionGrammar.self, or: .none)
    let flags = source.byte()
    rules.canBeUnset = flags & 1 != 0
    rules.isNumeric = flags & 2 != 0
    rules.divisionByZero = flags & 4 != 0 ? .refuse : .unset
    let digits = Int(flags >> 3) % 10
    let text = source.remainingText()
    let reading = rules.read(text, digits: digits)
    try require(reading == rules.read(text, digits: digits), "it is read in two ways")
    switch reading {
    case .number(let number):
      try checkPrinting(number)
      try checkAgainstLibrary(number, text, rules)
    case .unset: try require(rules.canBeUnset, "it cannot be unset, but is")
    case .refused(let refusal):
      let words = "\(refusal)"
      try require(words.utf8.count < 1_000, "\(words.utf8.count) bytes say why a text is refused")
      try require(
        rules.updatePolicy != .always || rules.isNumeric || rules.expressions != .none
          || text.utf8.count > TextRules.maximumLength, "a policy that takes everything refuses")
    case .unchanged, .beyond: break
    }
  }

  /// What is printed reads back as what it was, under every policy.
  static func checkPrinting(_ number: FixedPoint) throws {
    let text = number.description
    try require((0...FixedPoint.maximumDigits).contains(number.digits), "\(number.digits) decimal places")
    try require(FixedPoint(text) == number, "\(text) reads back as \(String(describing: FixedPoint(text)))")
    for policy in UpdatePolicy.allCases {
      for grammar in ExpressionGrammar.allCases {
        var rules = TextRules()
        (rules.updatePolicy, rules.expressions) = (policy, grammar)
        let reading = rules.read(text, digits: number.digits)
        try require(reading == .number(number), "\(text) reads back as \(reading) by \(policy), \(grammar)")
      }
    }
  }

  /// A plain number is what C's library takes it for, as far as a double can tell.
  private static func checkAgainstLibrary(_ number: FixedPoint, _ text: String, _ rules: TextRules) throws {
    guard rules.expressions == .none, let double = Double(text) else { return }
    let error = abs(number.doubleValue - double)
    try require(
      error <= 0.5e-9 + abs(double) * 1e-15, "\(text.debugDescription) is read as \(number)")
  }
}
