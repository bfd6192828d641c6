/// `[midi.NAME]`: what cannot be found of ports of MIDI. The program stepperd-midi reads it; the daemon only checks the table.
package struct MidiConfiguration: Hashable, Sendable {
  /// How an endless knob says how far it was turned, in the usual order.
  package enum Encoding: String, CaseIterable, Sendable {
    case complement, offset, sign
  }

  package enum Dialect: String, CaseIterable, Sendable {
    case plain, mackie
  }

  /// A controller, channel 1…16, number 0…119.
  package struct Controller: Hashable, Sendable {
    package let channel, number: Int

    package init(channel: Int, number: Int) { (self.channel, self.number) = (channel, number) }

    /// Of `cc-CHANNEL-NUMBER`, with numbers in their shortest form.
    package init?(_ text: String) {
      let numbers = text.dropFirst(3).split(separator: "-").compactMap { Int($0) }
      guard numbers.count == 2, text == "cc-\(numbers[0])-\(numbers[1])", (1...16).contains(numbers[0]),
        (0...119).contains(numbers[1])
      else { return nil }
      self.init(channel: numbers[0], number: numbers[1])
    }
  }

  package var name = ""
  /// A shell pattern: the names of its ports.
  package var port = "*"
  package var `protocol` = Dialect.plain
  /// Of all its knobs; nil: it is found by what they send.
  package var encoding: Encoding?
  /// Controllers that are knobs, such as `cc-1-16`; others are found by what they send.
  package var knobs: [Controller] = []
  /// Controllers that are faders.
  package var faders: [Controller] = []
  /// Whether faders are told where to be.
  package var hasMotors = false
  /// Whether its ports are left alone.
  package var isIgnored = false

  /// The table for ports that no other is for.
  package static let standard = MidiConfiguration()

  /// Reads the tables of a configuration file, and nothing else of it. nil if one of the problems is an error. Messages call
  /// the file `file`.
  package static func load(
    _ bytes: [UInt8], file: String
  ) -> (tables: [MidiConfiguration]?, problems: [ConfigurationProblem]) {
    let (tables, problems) = Configuration.readSound(bytes, file: file) { root in
      root[.midi]?.midiTables() ?? []
    }
    return (tables, problems)
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

extension Kind<MidiConfiguration.Controller> {
  fileprivate static var controller: Self {
    parsed(
      upTo: 16, type: "`\"cc-CHANNEL-NUMBER\"`",
      "a controller such as \"cc-1-16\", with a channel from 1 to 16 and a number from 0 to 119",
      parse: { MidiConfiguration.Controller($0) }, text: { quoted("cc-\($0.channel)-\($0.number)") })
  }
}
