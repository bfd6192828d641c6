internal import Glibc
import StepperCore

/// An operator of an ``Expression``.
enum Operator: Hashable, Sendable {
  case add, subtract, multiply, divide, power
  /// A minus in front.
  case negate

  init?(_ symbol: Unicode.Scalar) {
    switch symbol {
    case "+": self = .add
    case "-": self = .subtract
    case "*": self = .multiply
    case "/": self = .divide
    case "^": self = .power
    default: return nil
    }
  }

  /// Operators with higher precedence are computed first.
  var precedence: Int {
    switch self {
    case .add, .subtract: 1
    case .multiply, .divide: 2
    case .negate: 3
    case .power: 4
    }
  }
}

extension Expression {
  /// The result; NaN if it is undefined.
  ///
  /// As in NumberBoxParser.cpp a division by zero ends it at once, so `(1/0)^0` has no result although C
  /// takes NaN^0 for 1.
  var value: Double {
    var operands: [Double] = []
    for element in postfix {
      guard case .apply(let operation) = element else {
        if case .number(let numeral) = element { operands.append(numeral.doubleValue) }
        continue
      }
      guard let right = operands.popLast() else { return .nan }
      if operation == .negate {
        operands.append(-right)
        continue
      }
      guard let left = operands.popLast(), !divides(left, by: right, operation) else { return .nan }
      operands.append(operation.result(left, right))
    }
    return operands.last ?? .nan
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

extension Operator {
  fileprivate func result(_ left: Double, _ right: Double) -> Double {
    switch self {
    case .add: left + right
    case .subtract: left - right
    case .multiply: left * right
    case .divide: left / right
    case .power: pow(left, right)
    case .negate: -right
    }
  }
}
