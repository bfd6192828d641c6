/// `[serial.NAME]`: a microcontroller on a serial line. The program stepperd-serial uses the table; the daemon only
/// checks it.
package struct SerialConfiguration: Hashable, Sendable {
  package var name = ""
  /// The device file of the line.
  package var port = ""
  package var `protocol` = Dialect.lines
  /// The speed in bits per second.
  package var baud = Dialect.lines.baud
  /// Whether opening the port resets the microcontroller by the DTR line.
  package var isReset = false

  /// The protocol on the serial line.
  package enum Dialect: String, CaseIterable, Sendable {
    case lines, smartknob

    /// The default speed of the protocol.
    var baud: Baud { self == .lines ? .b115200 : .b921600 }
  }

  package enum Baud: String, CaseIterable, Sendable {
    case b9600 = "9600"
    case b19200 = "19200"
    case b38400 = "38400"
    case b57600 = "57600"
    case b115200 = "115200"
    case b230400 = "230400"
    case b460800 = "460800"
    case b921600 = "921600"
  }

  /// Reads only these tables of a configuration file. The result is nil if any problem is an error. Messages call the
  /// file `file`.
  package static func load(
    _ bytes: [UInt8], file: String
  ) -> (result: [SerialConfiguration]?, problems: [ConfigurationProblem]) {
    Configuration.readSound(bytes, file: file) { $0[.serial]?.serialPorts() ?? [] }
  }
}

/// The keys of `[serial.NAME]`.
enum SerialKey: String, ConfigurationKey {
  case port
  case `protocol`
  case baud, reset

  static var standard: SerialConfiguration { SerialConfiguration() }

  var key: Key<SerialConfiguration> {
    switch self {
    case .port: Key(\.port, .path())
    case .protocol: Key(\.protocol, .word)
    case .baud: Key(\.baud, .baud)
    case .reset: Key(\.isReset, .flag)
    }
  }

  var need: String? { self == .port ? "port = \"/dev/serial/by-id/…\"" : nil }
}

extension ConfigurationValue {
  /// The tables `[serial.NAME]`.
  func serialPorts() -> [SerialConfiguration] {
    var paths: Set<String> = []
    return namedTables(upTo: ConfigurationLimit.serialPorts).compactMap { name, value in
      guard let section = value.section(of: SerialKey.self) else { return nil }
      var table = SerialConfiguration(name: name)
      section.read(into: &table)
      if section[.baud] == nil { table.baud = table.protocol.baud }
      if !table.port.isEmpty, !paths.insert(table.port).inserted {
        section[.port]?.report("another table has the port \(quoted(table.port))")
      }
      return table
    }
  }
}

extension Kind<SerialConfiguration.Baud> {
  /// One of the speeds that every serial line supports.
  fileprivate static var baud: Self {
    let all = SerialConfiguration.Baud.allCases.map(\.rawValue)
    return Self(
      type: all.map { "`\($0)`" }.joined(separator: ", "),
      read: { value, alternative in
        guard let number = value.integer(in: 0...1_000_000, or: alternative) else { return nil }
        guard let baud = SerialConfiguration.Baud(rawValue: "\(number)") else {
          return value.refuse("must be one of \(all.joined(separator: ", ")), found \(number)")
        }
        return baud
      }, text: \.rawValue)
  }
}
