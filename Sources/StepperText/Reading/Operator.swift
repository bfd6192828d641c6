internal import Glibc

/// An operator of an ``Expression``.
enum Operator: Hashable {
  case add, subtract, multiply, divide, power
  /// A minus sign before an operand.
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

  func result(_ left: Double, _ right: Double) -> Double {
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
