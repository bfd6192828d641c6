import StepperCore
import StepperText

/// Values of one piece.
extension ConfigurationValue {
  func boolean() -> Bool? {
    guard case .boolean(let value) = node else {
      report("must be true or false, found \(node.found)")
      return nil
    }
    return value
  }

  /// A text that is not empty, of one line, and at most `limit` bytes long.
  func text(upTo limit: Int = ConfigurationLimit.textBytes) -> String? {
    guard let text = anyText(upTo: limit) else { return nil }
    if text.isEmpty {
      report("must not be empty")
    } else if text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) {
      report("must not contain control characters, found \(quoted(text))")
    } else {
      return text
    }
    return nil
  }

  /// A text of at most `limit` bytes, which may be empty and have any characters; a document has no NUL.
  func anyText(upTo limit: Int) -> String? {
    guard case .string(let text) = node else {
      report("must be a text in quotes, found \(node.found)")
      return nil
    }
    guard text.utf8.count <= limit else {
      report("is \(text.utf8.count) bytes long; at most \(limit) are allowed")
      return nil
    }
    return text
  }

  func absolutePath(upTo limit: Int) -> String? {
    guard let text = text(upTo: limit) else { return nil }
    guard text.begins(with: "/") else {
      report("must be an absolute path such as \"/run/stepperd\", found \(quoted(text))")
      return nil
    }
    return text
  }

  /// A value of an enumeration.
  func word<Word: RawRepresentable<String> & CaseIterable>(of type: Word.Type = Word.self) -> Word? {
    if case .string(let text) = node, let word = Word(word: text) { return word }
    let words = type.allCases.map(\.rawValue)
    report("must be one of \(words.map(quoted).joined(separator: ", ")), found \(node.found)") {
      if case .string(let text) = node { suggestion(for: text, among: words) } else { nil }
    }
    return nil
  }

  func integer(in range: ClosedRange<Int64>, or alternative: String = "") -> Int? {
    guard let value = node.integerValue, range.contains(value) else {
      report(
        "must be an integer from \(range.lowerBound) to \(range.upperBound)\(alternative), found \(node.found)"
      )
      return nil
    }
    return Int(value)
  }

  func double(in range: ClosedRange<Double>) -> Double? {
    guard let value = node.doubleValue, range.contains(value) else {
      let (low, high) = (FixedPoint(nearest: range.lowerBound), FixedPoint(nearest: range.upperBound))
      report("must be a number from \(low ?? 0) to \(high ?? 0), found \(node.found)")
      return nil
    }
    return value
  }

  /// An exact decimal number.
  func decimal(or alternative: String = "") -> FixedPoint? {
    if let number = node.decimalValue, number.units.magnitude <= FixedPoint.mostUnits { return number }
    switch node {
    case .integer:
      report("\(node.found) is too large; at most 1000000000000000000 is allowed")
    case .decimal where node.doubleValue?.isFinite == true:
      report("\(node.found) has more than nine decimal places, or more than eighteen digits in all")
    case .decimal:
      report("must be a finite number\(alternative), found \(node.found)")
    default:
      report("must be a number\(alternative), found \(node.found)")
    }
    return nil
  }

  func positive() -> FixedPoint? {
    guard let number = decimal() else { return nil }
    guard number > 0 else {
      report("must be greater than 0, found \(number)")
      return nil
    }
    return number
  }

  /// A text with a unit: `"500ms"`, `"1.5s"`, `"2m"`, `"1h"`.
  func duration(in range: ClosedRange<Duration>) -> Duration? {
    guard case .string(let text) = node, let numeral = DurationNumeral(text, .configuration) else {
      report("must be a text with a unit (ms, s, m or h) such as \"500ms\" or \"2s\", found \(node.found)")
      return nil
    }
    guard let duration = numeral.duration, range.contains(duration) else {
      report("must be from \(range.lowerBound.text) to \(range.upperBound.text), found \(node.found)")
      return nil
    }
    return duration
  }
}
