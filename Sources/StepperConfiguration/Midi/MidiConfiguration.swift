/// `[midi.NAME]`: the properties of MIDI ports that cannot be detected. The program stepperd-midi uses the table; the
/// daemon only checks it.
package struct MidiConfiguration: Hashable, Sendable {
  /// How an endless knob encodes the distance it was turned, the most common encoding first.
  package enum Encoding: String, CaseIterable, Sendable {
    case complement, offset, sign
  }

  package enum Dialect: String, CaseIterable, Sendable {
    case plain, mackie
  }

  package var name = ""
  /// A shell pattern for the names of the ports.
  package var port = "*"
  package var `protocol` = Dialect.plain
  /// The encoding of all its knobs; nil: it is detected from their messages.
  package var encoding: Encoding?
  /// Controllers that are knobs, such as `cc-1-16`; other knobs are detected from their messages.
  package var knobs: [MidiInput] = []
  /// Controllers that are faders.
  package var faders: [MidiInput] = []
  /// Whether the faders have motors that move them to the value.
  package var hasMotors = false
  /// Whether stepperd-midi ignores the ports.
  package var isIgnored = false

  /// The settings of ports that no table matches.
  package static let standard = MidiConfiguration()

  /// Reads only these tables of a configuration file. The result is nil if any problem is an error. Messages call the
  /// file `file`.
  package static func load(
    _ bytes: [UInt8], file: String
  ) -> (result: [MidiConfiguration]?, problems: [ConfigurationProblem]) {
    Configuration.readSound(bytes, file: file) { $0[.midi]?.midiTables() ?? [] }
  }
}

/// The keys of `[midi.NAME]`.
enum MidiKey: String, ConfigurationKey {
  case port
  case `protocol`
  case encoding, knobs, faders, motors, ignore

  static var standard: MidiConfiguration { .standard }

  var key: Key<MidiConfiguration> {
    switch self {
    case .port: Key(\.port, .text())
    case .protocol: Key(\.protocol, .word)
    case .encoding: Key(\.encoding, .word)
    case .knobs: Key(\.knobs, .list(of: .controller, upTo: ConfigurationLimit.midiKnobs))
    case .faders: Key(\.faders, .list(of: .controller, upTo: ConfigurationLimit.midiFaders))
    case .motors: Key(\.hasMotors, .flag)
    case .ignore: Key(\.isIgnored, .flag)
    }
  }

  var need: String? { self == .port ? "port = \"NAME OF A PORT\", which may be a pattern" : nil }
}

extension ConfigurationValue {
  /// The tables `[midi.NAME]`.
  func midiTables() -> [MidiConfiguration] {
    namedTables(upTo: ConfigurationLimit.midiTables).compactMap { name, value in
      guard let section = value.section(of: MidiKey.self) else { return nil }
      var table = MidiConfiguration(name: name)
      section.read(into: &table)
      return table
    }
  }
}

extension Kind<MidiInput> {
  fileprivate static var controller: Self {
    parsed(
      upTo: 16, type: "`\"cc-CHANNEL-NUMBER\"`",
      "a controller such as \"cc-1-16\", with a channel from 1 to 16 and a number from 0 to 119",
      parse: { text in
        if case .controller? = MidiInput(name: text) { MidiInput(name: text) } else { nil }
      }, text: { quoted($0.name) })
  }
}
