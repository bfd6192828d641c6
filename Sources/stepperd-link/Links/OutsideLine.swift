internal import StepperBridge
internal import StepperText
internal import Varlink

/// A line between this program and a program that serves an outside, in either direction.
enum OutsideLine: Hashable {
  /// To the outside, a value to write; from the outside, its current value.
  case value(Double)
  /// The outside is there and has these terms.
  case terms(BridgeTerms)
  /// The outside is not there, with the reason; the program waits for it.
  case away(String)
  /// The program cannot serve the outside, with the reason, and ends.
  case failed(String)
  /// The value was written.
  case done
  case unknown(String)

  /// The most bytes of a line with a meaning, apart from lines with the values of a mixer.
  static let mostBytes = 256

  /// Parses a line from a ``LineSplitter``; nil: it is a comment.
  init?(_ bytes: [UInt8], mostBytes: Int = Self.mostBytes) {
    guard bytes.count <= mostBytes else {
      self = .unknown("a line of more than \(mostBytes) bytes")
      return
    }
    guard let text = OutsideText.text(bytes) else {
      self = .unknown("a line that is not \(OutsideText.requirement)")
      return
    }
    self.init(text)
  }

  /// nil: the line is empty or a comment.
  init?(_ text: String) {
    let words = text.split(whereSeparator: \.isWhitespace)
    guard let first = words.first, !first.hasPrefix("#") else { return nil }
    let rest = words.dropFirst()
    let numbers = rest.compactMap(Self.number)
    switch first {
    case "value" where rest.count == 1 && numbers.first?.isFinite == true: self = .value(numbers[0])
    case "terms" where rest.count >= 3 && numbers.count == rest.count && numbers[0] <= numbers[1]:
      self = .terms(
        BridgeTerms(range: numbers[0]...numbers[1], rounding: numbers[2], grid: Array(numbers.dropFirst(3))))
    case "away" where !rest.isEmpty: self = .away(rest.joined(separator: " "))
    case "failed" where !rest.isEmpty: self = .failed(rest.joined(separator: " "))
    case "done" where rest.isEmpty: self = .done
    default:
      self = .unknown("the line \"\(text.onOneLine(limit: 80))\", which is not \"value NUMBER\"")
    }
  }

  private static func number(_ text: Substring) -> Double? {
    switch text {
    case "on": 1
    case "off": 0
    // Swift would accept hexadecimal numbers.
    case _ where text.utf8.contains(where: { $0 == UInt8(ascii: "x") || $0 == UInt8(ascii: "X") }): nil
    default: Double(text).flatMap { $0.isNaN ? nil : $0 }
    }
  }

  /// Whether a program from the configuration may write this line.
  var isOfCoprocess: Bool {
    switch self {
    case .value, .failed, .unknown: true
    case .terms, .away, .done: false
    }
  }

  /// The line in the C locale. Numbers have no exponent if possible.
  var bytes: [UInt8] {
    let text =
      switch self {
      case .value(let value): "value \(Self.text(value))"
      case .terms(let terms):
        (["terms"]
          + ([terms.range.lowerBound, terms.range.upperBound, terms.rounding] + terms.grid).map(Self.text))
          .joined(separator: " ")
      case .away(let reason): "away \(reason.onOneLine())"
      case .failed(let reason): "failed \(reason.onOneLine())"
      case .done: "done"
      case .unknown(let what): "# \(what.onOneLine())"
      }
    return Array("\(text)\n".utf8)
  }

  private static func text(_ value: Double) -> String {
    value.rounded() == value && value.magnitude < 1e15 ? String(Int64(value)) : String(value)
  }
}
