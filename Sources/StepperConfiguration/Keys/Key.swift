import StepperCore

/// The keys of one kind of table, each of which is declared once: its name is the case, and ``key`` is what it takes, its
/// bounds, its default and where its value goes. The names are stable from the first release on.
///
/// The reader of the table and its messages come from it; a test compares the types and defaults in configuration.md.
package protocol ConfigurationKey: RawRepresentable<String>, CaseIterable, Hashable, Sendable {
  /// What the table sets.
  associatedtype Target
  /// As it is without the table.
  static var standard: Target { get }
  var key: Key<Target> { get }
  /// What a table without the key lacks, as the rest of a sentence; nil: it may be absent. A key that is needed has no default.
  var need: String? { get }
}

extension ConfigurationKey {
  package var need: String? { nil }

  /// Of tables whose reader reads all keys together.
  package var key: Key<Target> { .other }
}

extension ConfigurationKey where Target == Void {
  package static var standard: Void { () }
}

/// What a key takes and where its value goes.
package struct Key<Target> {
  /// What it takes, as configuration.md has it; nil: it is read together with others, and has its own words there.
  let type: String?
  /// One line for people.
  let explanation: String
  /// Its values, if it is an enumeration.
  let words: [String]
  /// Takes over what the configuration sets it to. A wrong value is reported and changes nothing.
  let read: (ConfigurationValue, inout Target) -> Void
  /// As the configuration would write it; nil: it is not set.
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

  /// `keyword` stands for nil, with which the value follows from others; without one only its absence does.
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

  /// A key whose value goes to several places.
  package init(_ read: @escaping (ConfigurationValue, inout Target) -> Void) {
    self.init(type: nil, explanation: "", words: [], read: read, text: { _ in nil })
  }

  /// A key that the reader of its table reads together with others.
  package static var other: Key { Key { _, _ in } }
}

extension Section {
  /// Reads every key into `target`; what is absent or wrong remains unchanged there. Reports the keys that are needed and
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
