import StepperCore
import TestSupport
import Testing

@testable import StepperConfiguration

/// The lists of stepperd.toml(5) have the keys, words and defaults that are declared.
@Suite struct ManualTests {
  struct Declared: CustomTestStringConvertible, Sendable {
    let heading: String
    let key: String
    let words: [String]
    /// As a person writes it, without quotes; nil: none is declared, or it follows from others.
    let standard: String?
    var testDescription: String { "\(key) of \(heading)" }
  }

  private static func declared<Key: ConfigurationKey>(
    _ heading: String, _ type: Key.Type, _ standard: Key.Target = Key.standard
  ) -> [Declared] {
    Key.allCases.map { key in
      let text = key.need == nil ? key.key.text(standard)?.filter { $0 != "\"" } : nil
      return Declared(
        heading: heading, key: key.rawValue, words: key.key.words, standard: text == "[]" ? nil : text)
    }
  }

  private static let page = Result { try ManualPage("stepperd.toml.5") }
  static let options = "Options of controls and profiles"
  static let keys: [Declared] =
    declared("[daemon]", DaemonKey.self) + declared("[control.NAME]", ControlKey.self)
    + declared("[device.NAME]", DeviceKey.self) + declared("[link.NAME]", LinkKey.self)
    + declared("[mqtt]", MQTTKey.self) + declared("[mqtt.remote.NAME]", MQTTRemoteKey.self)
    + declared("[serial.NAME]", SerialKey.self) + declared("[midi.NAME]", MidiKey.self)
    + declared(
      options, OptionKey.self,
      Profile.builtIn.first { $0.name == Profile.standardName }?.draft ?? ControlDraft())

  @Test(arguments: keys) func `what is declared is in the manual`(_ key: Declared) throws {
    let item = try #require(try Self.page.get().item(key.key, in: key.heading))
    for word in key.words { #expect(item.words.contains(word), "\(word)") }
    // Those of other options are read as one sentence.
    guard let standard = key.standard, key.heading != Self.options || !key.words.isEmpty else { return }
    #expect(item.words.contains(standard))
    // "The first value is the default of uikit."
    if key.heading == Self.options { #expect(item.words.first(where: key.words.contains) == standard) }
  }

  /// What tables in these tables take, as the item of their key says.
  static let inner: [Declared] = [
    ("[device.NAME]", "match", MatchKey.allCases.map(\.rawValue)),
    ("[device.NAME]", "axis", AxisKey.allCases.map(\.rawValue)),
    ("[device.NAME]", "acceleration", AccelerationKey.allCases.map(\.rawValue)),
    ("[control.NAME]", "on-reset", HookKey.allCases.map(\.rawValue)),
    ("[control.NAME]", "restore", RestoreKey.allCases.map(\.rawValue)),
    (options, "repeat", RepeatKey.allCases.map(\.rawValue)),
    (options, "feedback", Moment.allCases.map(\.rawValue) + FeedbackEffect.allCases.map(\.rawValue)),
  ].map { Declared(heading: $0.0, key: $0.1, words: $0.2, standard: nil) }

  @Test(arguments: inner) func `what a table in a table takes is in the manual`(_ key: Declared) throws {
    let words = try Self.page.get().item(key.key, in: key.heading)?.words ?? []
    #expect(key.words.filter { !words.contains($0) } == [])
  }

  @Test func `what is in the manual is declared`() throws {
    let declared = Set(Self.keys.map(\.testDescription))
    for item in try Self.page.get().items {
      for key in item.keys { #expect(declared.contains("\(key) of \(item.heading)"), "\(key)") }
    }
  }
}
