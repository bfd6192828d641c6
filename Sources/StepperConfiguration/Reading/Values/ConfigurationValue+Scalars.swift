import StepperCore
import StepperText

/// Values that are not tables or arrays.
extension ConfigurationValue {
  func boolean() -> Bool? {
    guard case .boolean(let value) = node else { return refuse("must be true or false, found \(node.found)") }
    return value
  }

  /// A text of one line that is not empty and has at most `limit` bytes.
  package func text(upTo limit: Int = ConfigurationLimit.textBytes) -> String? {
    guard let text = anyText(upTo: limit) else { return nil }
    guard !text.isEmpty else { return refuse("must not be empty") }
    let hasControls = text.unicodeScalars.contains { $0.properties.generalCategory == .control }
    return hasControls ? refuse("must not contain control characters, found \(quoted(text))") : text
  }

  /// A text of at most `limit` bytes. It may be empty and have any characters except NUL, which a document cannot
  /// contain.
  func anyText(upTo limit: Int) -> String? {
    guard let text = node.text else { return refuse("must be a text in quotes, found \(node.found)") }
    guard text.utf8.count <= limit else {
      return refuse("is \(text.utf8.count) bytes long; at most \(limit) are allowed")
    }
    return text
  }

  func absolutePath(upTo limit: Int) -> String? {
    text(upTo: limit).flatMap { text in
      text.begins(with: "/")
        ? text : refuse("must be an absolute path, which begins with \"/\", found \(quoted(text))")
    }
  }

  /// A value of an enumeration; `alternative` names what else is accepted, for messages.
  package func word<Word: RawRepresentable<String> & CaseIterable>(
    of type: Word.Type = Word.self, or alternative: String = ""
  ) -> Word? {
    if let word = node.text.flatMap(Word.init(word:)) { return word }
    let words = type.allCases.map(\.rawValue)
    return refuse(
      "must be one of \(words.map(quoted).joined(separator: ", "))\(alternative), found \(node.found)"
    ) {
      node.text.flatMap { meant(by: $0, among: words) }
    }
  }

  func integer(in range: ClosedRange<Int64>, or alternative: String = "") -> Int? {
    guard let value = node.integerValue, range.contains(value) else {
      return refuse(
        "must be an integer from \(range.lowerBound) to \(range.upperBound)\(alternative), found \(node.found)"
      )
    }
    return Int(value)
  }

  func double(in range: ClosedRange<Double>) -> Double? {
    guard let value = node.doubleValue, range.contains(value) else {
      let (low, high) = (FixedPoint(nearest: range.lowerBound), FixedPoint(nearest: range.upperBound))
      return refuse("must be a number from \(low ?? 0) to \(high ?? 0), found \(node.found)")
    }
    return value
  }

  /// An exact decimal number.
  func decimal(or alternative: String = "") -> FixedPoint? {
    if let number = node.decimalValue, number.units.magnitude <= FixedPoint.mostUnits { return number }
    return switch node {
    case .integer: refuse("\(node.found) is too large; at most 1000000000000000000 is allowed")
    case .decimal where node.doubleValue?.isFinite == true:
      refuse("\(node.found) has more than nine decimal places, or more than eighteen digits in all")
    case .decimal: refuse("must be a finite number\(alternative), found \(node.found)")
    default: refuse("must be a number\(alternative), found \(node.found)")
    }
  }

  func positive(or alternative: String = "") -> FixedPoint? {
    decimal(or: alternative).flatMap {
      $0 > 0 ? $0 : refuse("must be greater than 0\(alternative), found \($0)")
    }
  }

  /// A text with a unit: `"500ms"`, `"1.5s"`, `"2m"`, `"1h"`.
  func duration(in range: ClosedRange<Duration>) -> Duration? {
    guard let numeral = node.text.flatMap({ DurationNumeral($0, .configuration) }) else {
      return refuse(
        "must be a text with a unit (ms, s, m or h) such as \"500ms\" or \"2s\", found \(node.found)")
    }
    guard let duration = numeral.duration, range.contains(duration) else {
      return refuse("must be from \(range.lowerBound.text) to \(range.upperBound.text), found \(node.found)")
    }
    return duration
  }
}
