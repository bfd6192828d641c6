import StepperCore
import StepperText

/// The kind of values that a key accepts: how they are read and written, and what configuration.md calls them.
package struct Kind<Value> {
  /// Such as `duration, 0s…1h`.
  package let type: String
  /// The values of an enumeration.
  package var words: [String] = []
  /// Reads a value. Reports an invalid one and returns nil. The second argument names what else is accepted, for the
  /// message.
  package let read: (ConfigurationValue, String) -> Value?
  /// The value as the configuration would write it.
  package let text: (Value) -> String

  package init(
    type: String, words: [String] = [], read: @escaping (ConfigurationValue, String) -> Value?,
    text: @escaping (Value) -> String
  ) {
    (self.type, self.words, self.read, self.text) = (type, words, read, text)
  }
}

extension Kind<Bool> {
  package static var flag: Self {
    Self(type: "boolean", read: { value, _ in value.boolean() }, text: { "\($0)" })
  }
}

extension Kind<String> {
  package static func text(upTo limit: Int = ConfigurationLimit.textBytes) -> Self {
    let isUsual = limit == ConfigurationLimit.textBytes
    return Self(
      type: isUsual ? "string" : "string, up to \(limit) bytes",
      read: { value, _ in value.text(upTo: limit) }, text: quoted)
  }

  package static func path(upTo limit: Int = ConfigurationLimit.pathBytes) -> Self {
    let isUsual = limit == ConfigurationLimit.pathBytes
    return Self(
      type: isUsual ? "absolute path" : "absolute path, up to \(limit) bytes",
      read: { value, _ in value.absolutePath(upTo: limit) }, text: quoted)
  }

  package static var pattern: Self {
    Self(
      type: "pattern", read: { value, _ in value.text(upTo: ConfigurationLimit.patternBytes) }, text: quoted)
  }
}

extension Kind<Duration> {
  package static func duration(in range: ClosedRange<Duration>) -> Self {
    Self(
      type: "duration, \(range.lowerBound.text)…\(range.upperBound.text)",
      read: { value, _ in value.duration(in: range) }, text: { quoted($0.text) })
  }
}

extension Kind where Value: FixedWidthInteger {
  package static func integer(in range: ClosedRange<Int64>) -> Self {
    Self(
      type: "\(range.lowerBound)…\(range.upperBound)",
      read: { value, alternative in value.integer(in: range, or: alternative).flatMap { Value(exactly: $0) }
      },
      text: { "\($0)" })
  }
}

extension Kind<Double> {
  package static func number(in range: ClosedRange<Double>) -> Self {
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

extension Kind<ControlDraft.Page> {
  static var page: Self {
    let tenth = "a tenth"
    return Self(
      type: "number above 0, `\(quoted(tenth))`",
      read: { value, alternative in
        if value.node.isText(tenth) { return .tenth }
        return value.positive(or: ", \(quoted(tenth))\(alternative)").map(ControlDraft.Page.number)
      },
      text: { page in
        switch page {
        case .number(let number): "\(number.normalized)"
        case .tenth: quoted(tenth)
        }
      })
  }
}

extension Kind where Value: RawRepresentable<String> & CaseIterable {
  package static var word: Self { word(flags: nil) }

  /// `flags` are the words that true and false stand for.
  package static func word(flags: (on: Value, off: Value)?) -> Self {
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
  /// A text that `parse` accepts. For any other text the error says that it must be `what`.
  package static func parsed(
    upTo limit: Int, type: String, _ what: String, parse: @escaping (String) -> Value?,
    text: @escaping (Value) -> String
  ) -> Self {
    Self(
      type: type,
      read: { value, _ in
        guard let text = value.text(upTo: limit) else { return nil }
        return parse(text) ?? value.refuse("must be \(what), found \(quoted(text))")
      }, text: text)
  }
}

extension Kind<String> {
  /// A text that `isValid` accepts. For any other text the error says that it must be `what`.
  static func checked(
    upTo limit: Int, type: String = "string", _ what: String, _ isValid: @escaping (String) -> Bool
  ) -> Self {
    parsed(upTo: limit, type: type, what, parse: { isValid($0) ? $0 : nil }, text: quoted)
  }
}

extension Kind {
  /// An array, or a single value without brackets. Invalid elements are left out.
  package static func list<Element>(of kind: Kind<Element>, upTo most: Int) -> Self where Value == [Element] {
    Self(
      type: "\(kind.type) or array of them, up to \(most)",
      read: { value, _ in value.elements(upTo: most).compactMap { kind.read($0, "") } },
      text: { "[\($0.map(kind.text).joined(separator: ", "))]" })
  }
}
