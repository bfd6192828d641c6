import Glibc
import StepperCore
import StepperText
import TestSupport
import Testing

/// What GtkSpinButton makes of a text, measured with GTK 4.18.6: `gtk4_text.json`.
@Suite struct SpinButtonTextTests {
  @Test(arguments: try SpinButtonRow.all("commit"))
  func `a text is committed as GtkSpinButton does`(_ row: SpinButtonRow) throws {
    let policies = ["always": UpdatePolicy.always, "if_valid": .ifValid]
    let policy = try #require(row.json["policy"].string.flatMap { policies[$0] })
    #expect(try row.commit(policy, isNumeric: false) == #require(row.json["value"].decimal))
  }

  /// A client sends a text whole, which is pasting. The rows' `typed_` members are what comes of typing it one
  /// character after the other; that does not exist on a socket.
  @Test(arguments: try SpinButtonRow.all("numeric_filter"))
  func `a numeric entry lets in what GtkSpinButton does`(_ row: SpinButtonRow) throws {
    var rules = TextRules()
    (rules.updatePolicy, rules.isNumeric) = (.always, true)
    let reading = rules.read(row.text, digits: row.digits)
    if row.json["pasted_entry"].string == "" {
      #expect(reading.isRefused)
    } else {
      #expect(row.json["pasted_entry"].string == row.text)
      #expect(try row.commit(.always, isNumeric: true) == #require(row.json["pasted_value"].decimal))
    }
  }

  @Test func `every row is there`() throws {
    #expect(try SpinButtonRow.all("commit").count == 78)
    #expect(try SpinButtonRow.all("numeric_filter").count == 17)
  }

  private static let beginnings: [(text: String, reading: TextReading)] = [
    ("0x", .number(0)), ("0X1.8p1", .number(3)),
    ("-0x.8", .number(FixedPoint(units: -5, digits: 1))),
    ("0x1p", .number(1)), ("0xffffffffffffffffff", .beyond(.increment)), ("0x1p-9999999999", .number(0)),
    ("iNfInItY", .beyond(.increment)), ("-infinit", .beyond(.decrement)), ("NaN(a_1)", .unchanged),
    ("-nan(", .unchanged), ("\u{10}x1", .number(0)), ("1e-400", .number(0)), ("1e2.5", .number(100)),
    ("0.12345678951", .number(FixedPoint(units: 123_456_790, digits: 9))), ("\u{b}\u{c}7", .number(7)),
    ("4٢", .number(42)), ("-٤٢", .number(-42)), ("−5", .number(0)), ("\0005", .number(0)),
    ("99999999999999999999", .beyond(.increment)), ("٩٩٩٩٩٩٩٩٩٩٩٩٩٩٩٩٩٩٩٩", .beyond(.increment)),
    (".", .number(0)), ("0e999999999999999999999", .number(0)),
  ]

  @Test(arguments: beginnings)
  func `the beginning is read as C reads it`(_ text: String, _ reading: TextReading) {
    var rules = TextRules()
    rules.updatePolicy = .always
    #expect(rules.read(text, digits: 0) == reading)
  }

  @Test(arguments: [
    ("1.5.2", #"expected the end of the number at character 4, found ".""#),
    ("  abc", #"expected a number at character 3, found "a""#),
    ("   ", "expected a number at character 4, found the end"),
    ("0b11", #"expected the end of the number at character 2, found "b""#),
  ])
  func `if-valid says what is wrong`(_ text: String, _ message: String) {
    var rules = TextRules()
    rules.updatePolicy = .ifValid
    #expect(rules.refusal(of: text) == message)
  }

  @Test(arguments: [
    ("3.755", 2, #"expected no more than 2 decimal places at character 5, found "5""#),
    ("3.7", 0, #"expected a digit at character 2, found ".""#),
    ("5-", 2, #"expected a digit at character 2, found "-""#),
    ("٤", 2, #"expected a digit at character 1, found "٤""#),
    ("1.5.", 2, #"expected a digit at character 4, found ".""#),
    (" 5", 2, #"expected a digit at character 1, found " ""#),
  ])
  func `a numeric entry says what is wrong`(_ text: String, _ digits: Int, _ message: String) {
    var rules = TextRules()
    rules.isNumeric = true
    #expect(rules.refusal(of: text, digits: digits) == message)
  }
}

/// C's own `strtod` tells what GtkSpinButton reads of any text without digits of other scripts.
@Suite struct SpinButtonTextProperties {
  static let seeds = Seed.fresh(40)

  @Test(arguments: seeds)
  func `a text is read as strtod reads it`(seed: Seed) {
    let words = [
      "0", "1", "25", "9", "f", "-", "+", ".", "e", "E-3", "e2", "p", "p-2", "x", "0x", "0X", " ", "\t",
      "\u{b}", "inf",
      "Infinity", "nan", "NAN(", "_a1)", "é", "00000000000000000000", "12345678901234567890",
    ]
    var generator = SeededGenerator(seed)
    for _ in 0..<500 {
      let length = Int.random(in: 0...6, using: &generator)
      let text = (0..<length).map { _ in words.randomElement(using: &generator) ?? "" }.joined()
      let (double, isWhole) = Self.strtod(text)
      var rules = TextRules()
      rules.updatePolicy = .always
      let reading = rules.read(text, digits: 0)
      #expect(reading.isNearest(to: double), "\(text.debugDescription): \(reading), \(double)")
      rules.updatePolicy = .ifValid
      let strict = rules.read(text, digits: 0)
      // A minus alone is 0 digits of another script.
      #expect(
        isWhole || text == "-" ? strict == reading : strict.isRefused, "\(text.debugDescription): \(strict)")
    }
  }

  private static func strtod(_ text: String) -> (value: Double, isWhole: Bool) {
    unsafe text.withCString { start in
      var end: UnsafeMutablePointer<CChar>?
      let value = unsafe Glibc.strtod(start, &end)
      return unsafe (value, end?.pointee == 0)
    }
  }
}

extension TextReading {
  /// Whether it is `double`, but for the digits that only one of both can hold.
  fileprivate func isNearest(to double: Double) -> Bool {
    switch self {
    case .number(let number): abs(number.doubleValue - double) <= max(1e-9, abs(double) * 1e-15)
    case .beyond(let direction): double * Double(direction.rawValue) >= 0x1p63
    case .unchanged: double.isNaN
    case .unset, .refused: false
    }
  }
}

/// A row of `gtk4_text.json`.
struct SpinButtonRow: CustomTestStringConvertible, Sendable {
  let json: JSON
  let text: String
  let digits: Int
  let start: FixedPoint
  let range: ClosedRange<FixedPoint>

  var testDescription: String {
    "\(json["policy"].string ?? "numeric"), \(digits) digits: \(text.debugDescription)"
  }

  static func all(_ table: String) throws -> [SpinButtonRow] {
    try vector("gtk4_text")[table].elements.map { json in
      SpinButtonRow(
        json: json, text: try #require(json["text"].string), digits: try #require(json["digits"].int),
        start: try #require(json["start"].decimal),
        range: try #require(json["lower"].decimal)...(#require(json["upper"].decimal)))
    }
  }

  /// The value after the text was entered: the reading, and then what the policy does about the range.
  func commit(_ policy: UpdatePolicy, isNumeric: Bool) throws -> FixedPoint {
    var rules = TextRules()
    (rules.updatePolicy, rules.isNumeric) = (policy, isNumeric)
    let reading = rules.read(text, digits: digits)
    return try #require(reading.value(in: range, from: start, policy))
  }
}

extension TextReading {
  var isRefused: Bool {
    if case .refused = self { true } else { false }
  }

  /// What a control at `start` is set to by it.
  func value(in range: ClosedRange<FixedPoint>, from start: FixedPoint, _ policy: UpdatePolicy) -> FixedPoint?
  {
    let clamps = policy == .always || policy == .overwrite
    switch self {
    case .number(let number) where range.contains(number): return number
    case .number(let number):
      return clamps ? min(max(number, range.lowerBound), range.upperBound) : start
    case .beyond(let direction):
      return clamps ? (direction == .increment ? range.upperBound : range.lowerBound) : start
    case .unset: return nil
    case .unchanged, .refused: return start
    }
  }
}

extension TextRules {
  /// The message for people; nil if the text is not refused.
  func refusal(of text: String, digits: Int = 0) -> String? {
    guard case .refused(let refusal) = read(text, digits: digits) else { return nil }
    return refusal.description
  }
}
