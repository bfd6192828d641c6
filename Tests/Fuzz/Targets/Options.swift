import StepperConfiguration
import StepperCore

extension FuzzTarget {
  /// Options of one control in any combination, written as a file, and what the control is then put through.
  static let options = FuzzTarget("options", upTo: 512, within: .milliseconds(3_000)) {
    input in
    var source = ByteSource(input)
    var lines = ["[device.panel]", "virtual = true", "[control.c]"]
    let profiles = Profile.builtIn.map(\.name)
    lines.append("profile = \"\(source.element(of: profiles) ?? "uikit")\"")
    lines += ["increment = \"panel:plus\"", "page-decrement = \"panel:minus\"", "rotate = \"panel:dial\""]
    if source.flag() { lines.append("absolute = \"panel:fader\"") }
    if source.flag() {
      lines.append(#"push = { input = "panel:push", short = "toggle", toggle = [3, 7], long = "page-mode" }"#)
    }
    var keys: Set<OptionKey> = []
    for _ in 0..<source.index(below: 16) {
      guard let key = source.element(of: OptionKey.allCases), keys.insert(key).inserted else { continue }
      lines.append("\(key.rawValue) = \(source.value(of: key))")
    }
    try check(Array((lines.joined(separator: "\n") + "\n").utf8), source)
  }
}

extension ByteSource {
  fileprivate mutating func value(of key: OptionKey) -> String {
    if let words = Self.words[key], let word = element(of: words) { return "\"\(word)\"" }
    switch key {
    case .unset, .autorepeat, .wraps, .continuous, .publishUnchanged, .numeric, .grouping:
      return flag() ? "true" : "false"
    case .digits, .precision, .significantDigits, .climbEvery, .climbAfter: return "\(index(below: 19))"
    case .repeat:
      return "{ delay = \"\(1 + Int(byte()) * 10)ms\", interval = \"\(1 + Int(byte()))ms\" }"
    case .currency: return "\"EUR\""
    case .feedback: return flag() ? "false" : "{ increment = \"light\", limit = \"none\" }"
    default: return number()
    }
  }

  /// A number in the ways it can be written, or a word that stands for one.
  private mutating func number() -> String {
    switch index(below: 8) {
    case 0:
      return element(of: ["\"none\"", "\"unset\"", "\"ten steps\"", "\"nearest 0\"", "\"step\""]) ?? "0"
    case 1: return "\(integer())"
    case 2: return "\(double())"
    case 3: return "1e\(Int(byte()) - 128)"
    case 4: return "\(FixedPoint(units: integer(), digits: index(below: 10)))"
    default: return "\(FixedPoint(units: Int64(byte()) - 64, digits: index(below: 3)))"
    }
  }

  private static let words: [OptionKey: [String]] = [
    .kind: names(ControlKind.self), .rounding: names(FixedPoint.Rounding.self),
    .firstStep: names(Feel.FirstStep.self), .singleStep: names(Feel.StepMoment.self),
    .toLimit: names(Feel.StepMoment.self), .secondPress: names(Feel.SecondPress.self),
    .lostRelease: names(Feel.LostRelease.self), .partialStep: names(Feel.PartialStep.self),
    .wrapWhen: names(Feel.WrapWhen.self), .wrapLanding: names(Feel.WrapLanding.self),
    .atLimit: names(Feel.AtLimit.self), .limitButtons: names(Feel.LimitButtons.self),
    .rangeConflict: names(Feel.RangeConflict.self), .rangeChange: names(Feel.RangeChange.self),
    .bounds: names(Feel.Bounds.self), .snapToTicks: names(Feel.Snapping.self),
    .commit: names(Feel.Commit.self), .turns: names(Feel.Turns.self), .curve: names(Taper.self),
    .pickup: names(Feel.Pickup.self), .updatePolicy: names(UpdatePolicy.self),
    .expressions: names(ExpressionGrammar.self), .divideByZero: names(DivisionByZero.self),
    .format: names(Presentation.Format.self), .speech: names(Presentation.Speech.self),
    .announce: names(Presentation.Announcement.self),
  ]

  private static func names<Word: RawRepresentable<String> & CaseIterable>(_: Word.Type) -> [String] {
    Word.allCases.map(\.rawValue)
  }
}
