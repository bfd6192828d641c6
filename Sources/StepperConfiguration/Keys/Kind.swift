import StepperCore
import StepperText

/// What values a key takes: how they are read and written, and what configuration.md calls them.
struct Kind<Value> {
  /// Such as `duration, 0s…1h`.
  let type: String
  /// The values of an enumeration.
  var words: [String] = []
  /// nil for a wrong value, which it reports; the second argument is what else is accepted, for messages.
  let read: (ConfigurationValue, String) -> Value?
  /// As the configuration would write it.
  let text: (Value) -> String
}

extension Kind<Bool> {
  static var flag: Self { Self(type: "boolean", read: { value, _ in value.boolean() }, text: { "\($0)" }) }
}

extension Kind<String> {
  static func text(upTo limit: Int = ConfigurationLimit.textBytes) -> Self {
    let isUsual = limit == ConfigurationLimit.textBytes
    return Self(
      type: isUsual ? "string" : "string, up to \(limit) bytes",
      read: { value, _ in value.text(upTo: limit) }, text: quoted)
  }

  static func path(upTo limit: Int = ConfigurationLimit.pathBytes) -> Self {
    let isUsual = limit == ConfigurationLimit.pathBytes
    return Self(
      type: isUsual ? "absolute path" : "absolute path, up to \(limit) bytes",
      read: { value, _ in value.absolutePath(upTo: limit) }, text: quoted)
  }

  static var pattern: Self {
    Self(
      type: "pattern", read: { value, _ in value.text(upTo: ConfigurationLimit.patternBytes) }, text: quoted)
  }
}

extension Kind<Duration> {
  static func duration(in range: ClosedRange<Duration>) -> Self {
    Self(
      type: "duration, \(range.lowerBound.text)…\(range.upperBound.text)",
      read: { value, _ in value.duration(in: range) }, text: { quoted($0.text) })
  }
}

extension Kind where Value: FixedWidthInteger {
  static func integer(in range: ClosedRange<Int64>) -> Self {
    Self(
      type: "\(range.lowerBound)…\(range.upperBound)",
      read: { value, alternative in value.integer(in: range, or: alternative).flatMap { Value(exactly: $0) }
      },
      text: { "\($0)" })
  }
}

extension Kind<Double> {
  static func number(in range: ClosedRange<Double>) -> Self {
    func text(_ number: Double) -> String { "\((FixedPoint(nearest: number) ?? 0).normalized)" }
    return Self(
      type: "\(text(range.lowerBound))…\(text(range.upperBound))",
      read: { value, _ in value.double(in: range) },
      text: text)
  }
}

extension Kind<FixedPoint> {
  /// An exact number.
  static var decimal: Self {
    Self(
      type: "number", read: { value, alternative in value.decimal(or: alternative) },
      text: { "\($0.normalized)" })
  }

  static var positive: Self {
    Self(type: "number above 0", read: { value, _ in value.positive() }, text: { "\($0.normalized)" })
  }
}

extension Kind where Value: RawRepresentable<String> & CaseIterable {
  static var word: Self { word(flags: nil) }

  /// `flags` are the words that true and false stand for.
  static func word(flags: (on: Value, off: Value)?) -> Self {
    let words = Value.allCases.map(\.rawValue)
    let alias = flags.map { ", or `false` (\($0.off.rawValue)) and `true` (\($0.on.rawValue))" } ?? ""
    return Self(
      type: words.map { "`\(quoted($0))`" }.joined(separator: ", ") + alias, words: words,
      read: { value, alternative in
        guard let flags, case .boolean(let isOn) = value.node else { return value.word(or: alternative) }
        return isOn ? flags.on : flags.off
      },
      text: { quoted($0.rawValue) })
  }
}

extension Kind {
  /// An array, or one value without brackets. Those that are wrong are left out.
  static func list<Element>(of kind: Kind<Element>, upTo most: Int) -> Self where Value == [Element] {
    Self(
      type: "\(kind.type) or array of them, up to \(most)",
      read: { value, _ in value.elements(upTo: most).compactMap { kind.read($0, "") } },
      text: { "[\($0.map(kind.text).joined(separator: ", "))]" })
  }
}
