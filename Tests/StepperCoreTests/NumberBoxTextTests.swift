import Glibc
import StepperCore
import StepperText
import Testing

/// What WinUI's NumberBox makes of a text: `numberbox_expressions.json` and `numberbox_coercion.json`.
@Suite struct NumberBoxTextTests {
  @Test(arguments: try ExpressionRow.all())
  func `an expression is computed as NumberBox does`(_ row: ExpressionRow) throws {
    let reading = TextRules.numberBox.read(row.text, digits: 0)
    switch row.result {
    case .null: #expect(reading.isRefused)
    case .string("NaN"): #expect(reading == .unset)
    default: #expect(try reading == .number(#require(row.result.decimal)))
    }
  }

  @Test func `every row is there`() throws {
    #expect(try ExpressionRow.all().count == 19 + 28)
  }

  @Test func `upstream's texts are read`() throws {
    let cases = try vector("numberbox_coercion")["text"]["cases"].elements
    // 7,45 with a French formatter: what a client's user types in his language, the client translates.
    let plain = cases.filter { $0["formatter"] == .null }
    #expect((cases.count, plain.count) == (5, 4))
    var rules = TextRules()
    rules.updatePolicy = .overwrite
    for row in plain {
      let typed = try #require(row["typed"].string)
      let shown = try #require(row["text"].string.flatMap { FixedPoint($0) })
      #expect(rules.read(typed, digits: 0) == .number(shown))
      #expect(TextRules.numberBox.read(typed, digits: 0) == .number(shown))
    }
  }

  /// The rows of `value_changed` that enter a text, in 0…100.
  @Test func `upstream's changes of value follow from the texts`() throws {
    let rows = try vector("numberbox_coercion")["value_changed"]["sequence"].elements
    let typed = try rows.filter { try #require($0["do"].string).hasPrefix("type ") }
    #expect(typed.count == 4)
    for row in typed {
      let word = try #require(row["do"].string).dropFirst("type ".count)
      let reading = TextRules.numberBox.read(word == "empty" ? "" : String(word), digits: 0)
      #expect(reading.value(in: 0...100, from: 42, .overwrite) == row["new"].decimal)
    }
  }

  @Test(arguments: ["5 + 3", "1,5", "+5", "1e3", "0x10", "abc", "-", ".", "٤٢", "- 5", "inf", "nan"])
  func `without expressions only a plain number is read`(_ text: String) {
    var rules = TextRules()
    rules.updatePolicy = .overwrite
    #expect(rules.refusal(of: text) != nil)
  }

  @Test(arguments: ["", "  ", "\t\r\n\u{b}\u{c}"])
  func `an empty text is not a value, where there may be none`(_ text: String) {
    for policy in UpdatePolicy.allCases {
      for grammar in ExpressionGrammar.allCases {
        var rules = TextRules()
        (rules.updatePolicy, rules.expressions, rules.canBeUnset) = (policy, grammar, true)
        #expect(rules.read(text, digits: 0) == .unset)
      }
    }
    for policy in [UpdatePolicy.strict, .overwrite] {
      var rules = TextRules()
      rules.updatePolicy = policy
      #expect(rules.read(text, digits: 0) == .refused(.empty))
    }
  }

  @Test func `a division by zero is not a value, or refused`() {
    var rules = TextRules.numberBox
    // C takes NaN^0 for 1; NumberBox stops before it.
    for text in ["1/0", "1/0+1", "(1/0)^0", "0/0", "(0-8)^(1/3)", "10^400-10^400"] {
      rules.canBeUnset = true
      rules.divisionByZero = .unset
      #expect(rules.read(text, digits: 0) == .unset)
      rules.divisionByZero = .refuse
      #expect(rules.read(text, digits: 0) == .refused(.noResult))
      (rules.divisionByZero, rules.canBeUnset) = (.unset, false)
      #expect(rules.read(text, digits: 0) == .refused(.noResult))
    }
  }

  @Test(arguments: [
    ("10^400", TextReading.beyond(.increment)), ("0-10^400", .beyond(.decrement)),
    ("0^-1", .beyond(.increment)), ("10^30", .beyond(.increment)),
    ("1/3", .number(FixedPoint(units: 333_333_333, digits: 9))),
    ("1/10^400", .number(0)), ("9007199254740993", .number(9_007_199_254_740_993)),
    ("1 ^ 2 ^ 3 * 4", .number(4)), ("8/2/2", .number(2)), ("2-3-4*5", .number(-21)),
  ])
  func `a result may be of any size`(_ text: String, _ reading: TextReading) {
    #expect(TextRules.numberBox.read(text, digits: 0) == reading)
  }

  @Test(arguments: [
    ("9 - * 7", #"expected a number or "(" at character 5, found "*""#),
    ("5 + (3", #"expected an operator or ")" at character 7, found the end"#),
    ("(2 + 3)(1 + 5)", #"expected an operator at character 8, found "(""#),
    ("5\t+ 3", #"expected an operator at character 2, found "\t""#),
    (" 2)", #"expected an operator at character 3, found ")""#),
    ("1+2=", #"expected an operator at character 4, found "=""#),
    ("1/0+", #"expected a number or "(" at character 5, found the end"#),
    ("1e-3", #"expected an operator at character 2, found "e""#),
    ("é*2", #"expected a number or "(" at character 1, found "é""#),
    ("()", #"expected a number or "(" at character 2, found ")""#),
  ])
  func `what is no expression is refused with the place`(_ text: String, _ message: String) {
    #expect(TextRules.numberBox.refusal(of: text) == message)
  }
}

extension TextRules {
  /// A NumberBox that accepts expressions.
  static var numberBox: TextRules {
    var rules = TextRules()
    (rules.updatePolicy, rules.expressions, rules.canBeUnset) = (.overwrite, .numberbox, true)
    return rules
  }
}

/// A row of `numberbox_expressions.json`.
struct ExpressionRow: CustomTestStringConvertible, Sendable {
  let text: String
  let result: JSON

  var testDescription: String { text.debugDescription }

  static func all() throws -> [ExpressionRow] {
    let file = try vector("numberbox_expressions")
    return try (file["upstream"].elements + file["derived"].elements).map { row in
      ExpressionRow(text: try #require(row["text"].string), result: row["result"])
    }
  }
}
