import Glibc
import StepperCore
import StepperText
import TestSupport
import Testing

/// What is our own: the strict policy, the conventional grammar, and that no text does harm.
@Suite struct TextRulesTests {
  @Test(arguments: [
    ("12", "12"), (" -0.5\r\n", "-0.5"), ("+3.25", "3.25"), ("1e-3", "0.001"), ("25E-1", "2.5"), ("-0", "0"),
    ("0.1234567895", "0.12345679"), ("-0.0000000005", "-0.000000001"), ("0.00000000049", "0"),
    ("9223372036854775807", "9223372036854775807"), ("1234567890123.123456789", "1234567890123.123457"),
    ("9223372036854775806.5", "9223372036854775807"), ("1e-40", "0"), ("0.0000000001e10", "1"),
    ("0.99999999999", "1"), ("000000000000000000000007", "7"),
  ])
  func `strict reads a decimal`(_ text: String, _ value: String) throws {
    #expect(try TextRules().read(text, digits: 0) == .number(#require(FixedPoint(value))))
  }

  @Test(arguments: [
    ("1e400", Direction.increment), ("-1e400", .decrement), ("9223372036854775808", .increment),
    ("9223372036854775807.5", .increment), ("-99999999999999999999", .decrement),
    ("1e99999999999999999999", .increment), (String(repeating: "9", count: 1024), .increment),
  ])
  func `strict reads what is too large as beyond`(_ text: String, _ direction: Direction) {
    #expect(TextRules().read(text, digits: 0) == .beyond(direction))
  }

  @Test(arguments: [
    ("", "expected a number, found nothing"), ("abc", #"expected a number at character 1, found "a""#),
    ("12 %", #"expected the end of the number at character 3, found " ""#),
    ("1e", #"expected the end of the number at character 2, found "e""#),
    ("-", "expected a number at character 1, found \"-\""),
    ("1,5", #"expected the end of the number at character 2, found ",""#),
    ("🇩🇪", #"expected a number at character 1, found "🇩🇪""#),
    ("5\u{1}", #"expected the end of the number at character 2, found "\u{01}""#),
    (String(repeating: "1", count: 1025), "the text is longer than 1024 bytes"),
  ])
  func `strict refuses the rest and says why`(_ text: String, _ message: String) {
    #expect(TextRules().refusal(of: text) == message)
  }

  @Test(arguments: [
    ("-2^2", "-4"), ("2^3^2", "512"), ("2^-1", "0.5"), ("2^-1^2", "0.5"), ("-(3+5)", "-8"), ("+9", "9"),
    ("--2", "2"),
    ("-+-2", "2"), ("2--3", "5"), ("2 - - 3", "5"), ("1e-3", "0.001"), ("1E3*2", "2000"), ("1e-3*1e3", "1"),
    ("5\t+\n3", "8"), ("2*-3^2", "-18"), ("2^-3*4", "0.5"), ("-2*-2", "4"), ("(-2)^2", "4"), ("9-3*2", "3"),
    ("100-10-1", "89"), ("8/2/2", "2"), ("-2-3", "-5"), ("0.1+0.2", "0.3"), ("2+3*4^2/8-1", "7"),
    ("-(-(-1))", "-1"),
    ("-9007199254740993", "-9007199254740993"), ("2e", nil), ("2(3)", nil), ("(2)(3)", nil), ("(2", nil),
    ("2)", nil), ("2*", nil), ("*2", nil), ("^2", nil), ("()", nil), ("2 3", nil), ("2**3", nil), ("-", nil),
    ("1,5", nil),
  ])
  func `conventional expressions follow the usual mathematics`(_ text: String, _ value: String?) throws {
    let reading = TextRules.conventional.read(text, digits: 0)
    if let value {
      #expect(try reading == .number(#require(FixedPoint(value))))
    } else {
      #expect(reading.isRefused)
    }
  }

  @Test(arguments: ["1/0", "1/(2-2)", "0^-1", "(0-8)^(1/3)", "5/-0"])
  func `conventional divisions by zero follow the setting`(_ text: String) {
    var rules = TextRules.conventional
    #expect(rules.read(text, digits: 0) == .unset)
    rules.divisionByZero = .refuse
    #expect(rules.read(text, digits: 0) == .refused(.noResult))
  }

  @Test func `parentheses nest to a depth of 64`() {
    func nested(_ depth: Int) -> String {
      String(repeating: "(", count: depth) + "7" + String(repeating: ")", count: depth)
    }
    for rules in [TextRules.numberBox, .conventional] {
      #expect(rules.read(nested(64), digits: 0) == .number(7))
      #expect(rules.refusal(of: nested(65)) == "more than 64 open parentheses at character 65")
      #expect(rules.read("\(nested(64))+\(nested(64))", digits: 0) == .number(14))
    }
    #expect(
      TextRules.conventional.read(String(repeating: "-", count: 1023) + "1", digits: 0)
        == .number(-1))
  }

  @Test(arguments: [
    ("3.75", 2, TextReading.number(FixedPoint(units: 375, digits: 2))), ("-12", 0, .number(-12)),
    ("5.", 1, .number(5)), ("99999999999999999999", 0, .beyond(.increment)),
  ])
  func `what a numeric entry lets in is read by the policy`(
    _ text: String, _ digits: Int, _ reading: TextReading
  ) {
    var rules = TextRules()
    rules.isNumeric = true
    #expect(rules.read(text, digits: digits) == reading)
  }

  /// As long as a text may be, and as much work as one can be made.
  @Test(arguments: [
    String(repeating: "-", count: 1023) + "1", String(repeating: "+-", count: 511) + "1",
    String(repeating: "(", count: 1024),
    String(repeating: "(", count: 64) + String(repeating: "-", count: 960),
    String(repeating: "2^", count: 511) + "2", String(repeating: "9*", count: 511) + "9",
    String(repeating: "1/", count: 511) + "0", String(repeating: "9**", count: 340),
    String(repeating: ")", count: 1024),
    String(repeating: " ", count: 1023) + "x", "1" + String(repeating: " ", count: 1022) + "x",
    String(repeating: "1 ", count: 512), "1e" + String(repeating: "9", count: 1022),
    String(repeating: "1e9", count: 341),
    "0." + String(repeating: "0", count: 1021) + "1", "0x" + String(repeating: "f", count: 1022),
    "nan(" + String(repeating: "a", count: 1020), String(repeating: "inf", count: 341),
    "e" + String(repeating: "\u{301}", count: 511), "1" + String(repeating: "\u{301}", count: 511),
    String(repeating: "\u{665}", count: 512), String(repeating: "😀", count: 256),
    String(repeating: "\r\n", count: 512),
    "1" + String(repeating: "\u{202e}", count: 341), String(repeating: "\u{0}", count: 1024),
  ])
  func `the worst texts are read in no time under any rules`(_ text: String) {
    #expect(text.utf8.count <= TextRules.maximumLength)
    let start = processorTime()
    for policy in UpdatePolicy.allCases {
      for grammar in ExpressionGrammar.allCases {
        for isNumeric in [false, true] {
          var rules = TextRules()
          (rules.updatePolicy, rules.expressions, rules.isNumeric) = (policy, grammar, isNumeric)
          if case .refused(let refusal) = rules.read(text, digits: 2) {
            #expect(refusal.description.utf8.count < 200)
          }
        }
      }
    }
    // 24 readings in a debugging build; counting what was read at each sign took 110 ms in a release build, once.
    #expect(processorTime() - start < .seconds(2))
  }

  @Test func `every setting has its name in the configuration`() {
    #expect(UpdatePolicy.allCases.map(\.rawValue) == ["strict", "always", "if-valid", "overwrite"])
    #expect(ExpressionGrammar.allCases.map(\.rawValue) == ["none", "numberbox", "conventional"])
    #expect(DivisionByZero.allCases.map(\.rawValue) == ["unset", "refuse"])
  }
}

/// What no table can cover: any text under any rules.
@Suite struct TextRulesProperties {
  static let seeds = Seed.fresh(40)

  @Test(arguments: seeds)
  func `no text does harm, and each reads the same again`(seed: Seed) {
    var generator = SeededGenerator(seed)
    for _ in 0..<300 {
      let text = Self.text(using: &generator)
      let rules = Self.rules(using: &generator)
      let digits = Int.random(in: -1...10, using: &generator)
      let reading = rules.read(text, digits: digits)
      #expect(reading == rules.read(text, digits: digits))
      if case .refused(let refusal) = reading { #expect(!refusal.description.isEmpty) }
      if reading == .unset { #expect(rules.canBeUnset) }
    }
  }

  /// The one text that means each number is its description.
  @Test(arguments: seeds)
  func `a number's own text is read as that number by all`(seed: Seed) {
    var generator = SeededGenerator(seed)
    for _ in 0..<300 {
      let units =
        Int64.random(in: -Int64.max...Int64.max, using: &generator)
        >> Int64.random(in: 0...62, using: &generator)
      let number = FixedPoint(units: units, digits: Int.random(in: 0...9, using: &generator))
      var rules = Self.rules(using: &generator)
      rules.isNumeric = Bool.random(using: &generator)
      #expect(rules.read(number.description, digits: number.digits) == .number(number))
    }
  }

  private static func rules(using generator: inout SeededGenerator) -> TextRules {
    var rules = TextRules()
    rules.updatePolicy = UpdatePolicy.allCases.randomElement(using: &generator) ?? .strict
    rules.expressions = ExpressionGrammar.allCases.randomElement(using: &generator) ?? .none
    rules.divisionByZero = DivisionByZero.allCases.randomElement(using: &generator) ?? .unset
    rules.isNumeric = Int.random(in: 0..<5, using: &generator) == 0
    rules.canBeUnset = Bool.random(using: &generator)
    return rules
  }

  /// Any bytes, or words that numbers and expressions are made of.
  private static func text(using generator: inout SeededGenerator) -> String {
    let words = [
      "1", "0", "9", "-", "+", "*", "/", "^", "(", ")", ".", ",", "e", "e-9", "0x", "p", "inf", "nan", "nan(",
      " ",
      "\t", "\r\n", "٤", "٢", "\u{301}", "\0", "99999999999999999999", "e999999999999", "((((((((((((((((",
    ]
    let longest = Int.random(in: 0..<10, using: &generator) == 0 ? 1100 : 24
    let length = Int.random(in: 0...longest, using: &generator)
    if Bool.random(using: &generator) {
      return (0..<length).map { _ in words.randomElement(using: &generator) ?? "" }.joined()
    }
    let bytes = (0..<length).map { _ in UInt8.random(in: 0...255, using: &generator) }
    return String(decoding: bytes, as: UTF8.self)
  }
}

extension TextRules {
  /// The usual mathematics, in a control that can be unset.
  static var conventional: TextRules {
    var rules = TextRules()
    (rules.expressions, rules.canBeUnset) = (.conventional, true)
    return rules
  }
}
