import StepperCore

/// The keys of one kind of table. Each key is declared once: the raw value of the case is its name, and ``key`` has the
/// values it accepts, their bounds, the default and the destination. Names are stable from the first release on.
///
/// The reader of the table and its messages are derived from this declaration. A test compares it with the types and
/// defaults in configuration.md.
package protocol ConfigurationKey: RawRepresentable<String>, CaseIterable, Hashable, Sendable {
  /// The type that the table sets.
  associatedtype Target
  /// The target if the table is absent.
  static var standard: Target { get }
  var key: Key<Target> { get }
  /// The words after "needs" in the error for a table without this key; nil if the key is optional. A required key has
  /// no default.
  var need: String? { get }
}

extension ConfigurationKey {
  package var need: String? { nil }

  /// The default, for tables whose reader reads all keys together.
  package var key: Key<Target> { .other }
}

extension ConfigurationKey where Target == Void {
  package static var standard: Void { () }
}

/// The values that a key accepts, and where they are stored.
package struct Key<Target> {
  /// The type of the value as in configuration.md; nil for a key that is read together with others, which
  /// configuration.md describes in its own words.
  let type: String?
  /// One line for people.
  let explanation: String
  /// The possible values, if the key is an enumeration.
  let words: [String]
  /// Stores the configured value in the target. An invalid value is reported and changes nothing.
  let read: (ConfigurationValue, inout Target) -> Void
  /// The value as the configuration would write it; nil if it is not set.
  let text: (Target) -> String?
}

extension Key {
  package typealias Path<Value> = WritableKeyPath<Target, Value>

  package init<Value>(_ path: Path<Value>, _ kind: Kind<Value>, _ explanation: String = "") {
    self.init(
      type: kind.type, explanation: explanation, words: kind.words,
      read: { value, target in
        if let new = kind.read(value, "") { target[keyPath: path] = new }
      },
      text: { kind.text($0[keyPath: path]) })
  }

  /// A key whose value may be nil, which means that it follows from other values. The word `keyword` stands for nil;
  /// without a keyword, only omitting the key does.
  package init<Value>(
    _ path: Path<Value?>, _ kind: Kind<Value>, or keyword: String? = nil, _ explanation: String = ""
  ) {
    let alternative = keyword.map { " or \(quoted($0))" } ?? ""
    self.init(
      type: kind.type + (keyword.map { ", `\(quoted($0))`" } ?? ""), explanation: explanation,
      words: kind.words,
      read: { value, target in
        if let keyword, value.node.isText(keyword) {
          target[keyPath: path] = nil
        } else if let new = kind.read(value, alternative) {
          target[keyPath: path] = new
        }
      },
      text: { $0[keyPath: path].map(kind.text) ?? keyword.map(quoted) })
  }

  /// A key whose value is stored in several places.
  package init(_ read: @escaping (ConfigurationValue, inout Target) -> Void) {
    self.init(type: nil, explanation: "", words: [], read: read, text: { _ in nil })
  }

  /// A key that the reader of its table reads together with others.
  package static var other: Key { Key { _, _ in } }
}

extension Section {
  /// Reads every key into `target`, where absent and invalid keys change nothing. Reports required keys that are
  /// absent.
  package func read(into target: inout Key.Target) {
    for key in Key.allCases {
      if let value = self[key] {
        key.key.read(value, &target)
      } else if let need = key.need {
        report("needs \(need)", .key)
      }
    }
  }
}
