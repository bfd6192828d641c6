import StepperCore

/// A text that is evaluated while it is read. An operator is applied as soon as nothing after it can bind its operands.
///
/// NumberBox (NumberBoxParser.cpp, lines 12, 74, 95, 111 and 182): `^` is left-associative like the other operators. A
/// minus before a number is part of the number, and there is no other sign. So 2^3^2 = 64, −2^2 = 4, and `+9`, `-(3)`,
/// `--2` are errors. Only U+0020 may separate the parts.
///
///     expression = term { ( "+" | "-" ) term }
///     term       = power { ( "*" | "/" ) power }
///     power      = operand { "^" operand }
///     operand    = [ "-" ] decimal | "(" expression ")"
///     decimal    = digits [ "." [ digits ] ] | "." digits
///
/// Conventional, as in mathematics: `^` is right-associative and binds tighter than a sign before it, so 2^3^2 = 512
/// and −2^2 = −4. Any ASCII space may separate the parts.
///
///     expression = term { ( "+" | "-" ) term }
///     term       = factor { ( "*" | "/" ) factor }
///     factor     = { "+" | "-" } power
///     power      = operand [ "^" factor ]
///     operand    = number | "(" expression ")"
///     number     = decimal [ ( "e" | "E" ) [ "+" | "-" ] digits ]
///
/// Both require `*` for multiplication. An operator at the end is an error in both, even for `1/0+`, where
/// NumberBoxParser.cpp divides by zero before it notices the missing operand. Reading takes time proportional to the
/// length and does not recurse.
struct Expression {
  /// The maximum number of parentheses that may be open at once.
  static let maximumDepth = 64

  private let grammar: ExpressionGrammar
  private var operands: [Double] = []
  /// Operators whose right side is still being read; nil is an open parenthesis.
  private var pending: [Operator?] = []
  private var depth = 0
  /// The number, if the text has nothing else but signs.
  private(set) var loneNumber: DecimalNumeral?
  private var hasNumber = false
  private var isUndefined = false

  /// The result; NaN if it is undefined.
  ///
  /// As in NumberBoxParser.cpp, a division by zero makes the whole result undefined. So `(1/0)^0` has no result,
  /// although NaN^0 is 1 in C.
  var value: Double { isUndefined ? .nan : operands.last ?? .nan }

  init(_ scanner: inout TextScanner, grammar: ExpressionGrammar) throws(TextRefusal) {
    self.grammar = grammar
    guard !scanner.isBlank else { throw .empty }
    scanner.skip(while: \.isBlank)
    var expectsOperand = true
    while !scanner.isBlank {
      expectsOperand = try expectsOperand ? readOperand(&scanner) : readOperator(&scanner)
      scanner.skip { $0 == " " || (grammar == .conventional && $0.isBlank) }
    }
    guard !expectsOperand else { throw scanner.expected(Self.operand) }
    guard depth == 0 else { throw scanner.expected(afterOperand) }
    reduce { _ in true }
  }

  private static let operand = #"a number or "(""#
  private var afterOperand: String { depth > 0 ? #"an operator or ")""# : "an operator" }

  /// Reads an operand or its prefix; returns whether an operand must follow.
  private mutating func readOperand(_ scanner: inout TextScanner) throws(TextRefusal) -> Bool {
    if let numeral = scanner.takeDecimal(grammar == .numberbox ? .numberBox : .unsigned) {
      operands.append(numeral.doubleValue)
      loneNumber = hasNumber ? nil : numeral
      hasNumber = true
      return false
    }
    if depth == Self.maximumDepth, scanner.next == "(" {
      throw .nestedTooDeeply(character: scanner.character)
    } else if scanner.take("(") {
      depth += 1
      pending.append(nil)
    } else if grammar == .conventional, scanner.take("-") {
      pending.append(.negate)
    } else if !(grammar == .conventional && scanner.take("+")) {
      throw scanner.expected(Self.operand)
    }
    return true
  }

  /// Reads what may follow an operand; returns whether another operand must follow.
  private mutating func readOperator(_ scanner: inout TextScanner) throws(TextRefusal) -> Bool {
    if depth > 0, scanner.take(")") {
      reduce { _ in true }
      _ = pending.popLast()
      depth -= 1
      return false
    }
    guard let symbol = scanner.next, let next = Operator(symbol) else { throw scanner.expected(afterOperand) }
    _ = scanner.take(symbol)
    let isRightAssociative = grammar == .conventional && next == .power
    reduce { isRightAssociative ? $0.precedence > next.precedence : $0.precedence >= next.precedence }
    pending.append(next)
    return true
  }

  /// Applies pending operators, back to the last open parenthesis, as long as `binds` returns true.
  private mutating func reduce(while binds: (Operator) -> Bool) {
    while let last = pending.last, let top = last, binds(top) {
      apply(top)
      pending.removeLast()
    }
  }

  private mutating func apply(_ operation: Operator) {
    guard let right = operands.popLast() else { return }
    if operation == .negate {
      operands.append(-right)
      loneNumber?.isNegative.toggle()
    } else if let left = operands.popLast() {
      isUndefined = isUndefined || divides(left, by: right, operation)
      operands.append(operation.result(left, right))
    }
  }

  /// Whether the operation divides by zero. Conventional mathematics also divides by zero in `0^-1`, where NumberBox
  /// computes an infinity.
  private func divides(_ left: Double, by right: Double, _ operation: Operator) -> Bool {
    switch operation {
    case .divide: right == 0
    case .power: grammar == .conventional && left == 0 && right < 0
    default: false
    }
  }
}
