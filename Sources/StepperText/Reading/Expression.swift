import StepperCore

/// A text that is computed while it is read: an operator when nothing after it binds its operands any more.
///
/// NumberBox (NumberBoxParser.cpp, lines 12, 74, 95, 111 and 182), in which `^` is left-associative too, a
/// minus in front of a number is part of the number, and there is no other sign: 2^3^2 = 64, −2^2 = 4, and
/// `+9`, `-(3)`, `--2` are errors. The parts may be separated by U+0020 only.
///
///     expression = term { ( "+" | "-" ) term }
///     term       = power { ( "*" | "/" ) power }
///     power      = operand { "^" operand }
///     operand    = [ "-" ] decimal | "(" expression ")"
///     decimal    = digits [ "." [ digits ] ] | "." digits
///
/// Conventional, as in mathematics: `^` is right-associative and binds tighter than a sign in front of it:
/// 2^3^2 = 512, −2^2 = −4. The parts may be separated by any ASCII space.
///
///     expression = term { ( "+" | "-" ) term }
///     term       = factor { ( "*" | "/" ) factor }
///     factor     = { "+" | "-" } power
///     power      = operand [ "^" factor ]
///     operand    = number | "(" expression ")"
///     number     = decimal [ ( "e" | "E" ) [ "+" | "-" ] digits ]
///
/// Neither multiplies without a `*`. An operator at the end is an error in both, even where
/// NumberBoxParser.cpp has divided by zero before it misses the operand (`1/0+`). Reading takes time proportional to the length, and no recursion.
struct Expression {
  /// So many parentheses may be open at once.
  static let maximumDepth = 64

  private let grammar: ExpressionGrammar
  private var operands: [Double] = []
  /// Operators whose right side is still being read; nil is an open parenthesis.
  private var pending: [Operator?] = []
  private var depth = 0
  /// The number, if there is nothing else but signs.
  private(set) var loneNumber: DecimalNumeral?
  private var hasNumber = false
  private var isUndefined = false

  /// The result; NaN if it is undefined.
  ///
  /// As in NumberBoxParser.cpp a division by zero ends it at once, so `(1/0)^0` has no result although C
  /// takes NaN^0 for 1.
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

  /// Reads an operand or a prefix of one; returns whether an operand must follow.
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

  /// Applies operators while they bind their right side, back to the last open parenthesis.
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

  /// Whether it is a division by zero; the usual mathematics see one in `0^-1` too, NumberBox an infinity.
  private func divides(_ left: Double, by right: Double, _ operation: Operator) -> Bool {
    switch operation {
    case .divide: right == 0
    case .power: grammar == .conventional && left == 0 && right < 0
    default: false
    }
  }
}
