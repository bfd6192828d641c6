import Glibc
import Testing
import Varlink
@testable import StepperMQTT

/// How much of what a broker sends is kept until it is taken.
@Suite("What arrives from a broker") struct ReceptionTests {
  @Test(arguments: [
    ("stepperd/kiosk/volume/set", 4_097), ("stepperd/$group/lobby/volume/set", 4_097),
    ("stepperd/kiosk/volume/step", 4_097), ("stepperd/kiosk/volume/target", 4_097),
    ("stepperd/kiosk/config/set", 65_537), ("stepperd/kiosk/info", 1_048_577),
    ("homeassistant/device/kiosk/config", 1_048_577), ("stepperd/kiosk/volume/state", 65_537),
    ("zigbee2mqtt/knob", 65_537), ("set", 65_537),
  ])
  func `is kept as far as its topic may have it`(topic: String, bytes: Int) throws {
    #expect(BrokerConnection.keptBytes(of: try #require(OutsideText(topic.utf8, atMost: 100))) == bytes)
  }

  /// A connection to `broker`, and the broker's end of it.
  private func connect(
    to broker: Broker, _ adjust: (inout BrokerSettings) -> Void
  ) throws -> (connection: BrokerConnection, client: CInt) {
    var settings = BrokerSettings(host: "127.0.0.1", port: broker.port, usesTLS: false, clientID: "test")
    adjust(&settings)
    let connection = try BrokerConnection(settings, will: nil)
    let attempt = connection.connecting
    connection.connected(attempt())
    return (connection, try #require(broker.accept()))
  }

  private func expectInput(of connection: BrokerConnection) throws {
    var arrival = pollfd(fd: try #require(connection.descriptor), events: Int16(POLLIN), revents: 0)
    try #require(unsafe poll(&arrival, 1, 10_000) == 1)
  }

  /// Nobody takes what has come, as while the library reads without an end.
  @Test func `is no more than the limit, and the connection ends then`() throws {
    let broker = try #require(Broker())
    let (connection, client) = try connect(to: broker) { $0.receiveLimit = 1 << 20 }
    defer { close(client) }
    broker.write([0x20, 2, 0, 0], to: client)
    // 50,000 bytes each, of which 4,097 are kept.
    for _ in 0..<600 {
      broker.write(Broker.message("stepperd/kiosk/a/set", bytes: 50_000), to: client)
      while connection.read() {}
      if connection.isLost { break }
    }
    let events = connection.takeEvents()
    let messages = events.compactMap {
      if case .received(_, let payload, _) = $0 { payload.count } else { nil }
    }
    #expect(messages.allSatisfy { $0 == 4_097 })
    #expect((200...256).contains(messages.count))
    guard case .lost(let failure)? = events.last else {
      Issue.record("it is not lost: \(events.count)")
      return
    }
    #expect(failure.description.contains("faster than this board takes them"))
    #expect(!connection.read())
  }

  /// What the board sends is not read, and the library would keep the acknowledgements without a limit.
  @Test(arguments: [.three, .five] as [BrokerSettings.Version])
  func `is acknowledged only as far as the broker reads`(version: BrokerSettings.Version) throws {
    let broker = try #require(Broker())
    let (connection, client) = try connect(to: broker) { $0.version = version }
    defer { close(client) }
    // Unix sockets take the place of the connection, because TCP may hold back what is sent to the board when its answers are not read.
    var ends: [CInt] = [-1, -1]
    let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
    try #require(unsafe socketpair(AF_UNIX, type, 0, &ends) == 0)
    defer { close(ends[1]) }
    var size: CInt = 1
    try #require(
      unsafe setsockopt(ends[0], SOL_SOCKET, SO_SNDBUF, &size, socklen_t(MemoryLayout<CInt>.size)) == 0)
    try #require(dup2(ends[0], try #require(connection.descriptor)) >= 0)
    close(ends[0])
    broker.write(version == .five ? [0x20, 3, 0, 0, 0] : [0x20, 2, 0, 0], to: ends[1])
    // Quality of service 1; with MQTT 5, the properties before the payload are none.
    let rest: [UInt8] = version == .five ? [0, 0x2d] : [0x2d]
    let message: [UInt8] = [0x32, UInt8(5 + rest.count), 0, 1, UInt8(ascii: "x"), 0, 1] + rest
    for _ in 0..<10_000 where !connection.isLost {
      broker.write(message, to: ends[1])
      while connection.read() {}
    }
    guard case .lost(let failure)? = connection.takeEvents().last else {
      Issue.record("it is not lost")
      return
    }
    #expect(failure.description == "sends messages, and does not read their acknowledgements; see its log")
  }

  /// The library keeps to it as often as it is asked to.
  @Test(
    arguments: [
      ([0x20, 3, 0, 0, 0], 60, false), ([0x20, 6, 0, 0, 3, 0x13, 0, 2], 2, false),
      ([0x20, 6, 0, 0, 3, 0x13, 0xff, 0xff], 65_535, true), ([0x20, 6, 0, 0, 3, 0x13, 0, 0], 0, true),
    ] as [([UInt8], Int, Bool)])
  func `says how often the broker wants to hear something`(answer: [UInt8], seconds: Int, isLong: Bool) throws
  {
    let broker = try #require(Broker())
    let (connection, client) = try connect(to: broker) { $0.version = .five }
    defer { close(client) }
    broker.write(answer, to: client)
    try expectInput(of: connection)
    _ = connection.read()
    #expect(connection.takeEvents() == [.accepted])
    #expect(connection.keepAliveSeconds == seconds)
    #expect(connection.hasLongKeepAlive == isLong)
  }

  /// The library closes its socket for it, and reports nothing.
  @Test(arguments: [0x00, 0x04] as [UInt8])
  func `ends with a farewell, whatever reason that has`(reason: UInt8) throws {
    let broker = try #require(Broker())
    let (connection, client) = try connect(to: broker) { $0.version = .five }
    defer { close(client) }
    // CONNACK and DISCONNECT.
    broker.write([0x20, 3, 0, 0, 0, 0xe0, 1, reason], to: client)
    try expectInput(of: connection)
    for _ in 0..<10 where !connection.read() { break }
    guard case .lost(let failure)? = connection.takeEvents().last else {
      Issue.record("it is not lost")
      return
    }
    #expect(failure.description == "closed the connection without an error; see its log")
    #expect(!connection.read())
  }
}

/// The other end of a connection of MQTT 3.1.1, which says what it is told to.
private final class Broker {
  private let listener: CInt
  let port: Int

  init?() {
    let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = INADDR_LOOPBACK.bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let status = unsafe withUnsafeMutablePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
        guard unsafe bind(listener, pointer, length) == 0, listen(listener, 1) == 0 else { return Int32(-1) }
        return unsafe getsockname(listener, pointer, &length)
      }
    }
    (self.listener, port) = (listener, Int(UInt16(bigEndian: address.sin_port)))
    if status != 0 { return nil }
  }

  deinit { close(listener) }

  func accept() -> CInt? {
    let client = Glibc.accept(listener, nil, nil)
    return client >= 0 ? client : nil
  }

  func write(_ bytes: [UInt8], to client: CInt) {
    _ = unsafe bytes.withUnsafeBytes { unsafe send(client, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
  }

  /// A message of quality of service 0.
  static func message(_ topic: String, bytes: Int) -> [UInt8] {
    var length = 2 + topic.utf8.count + bytes
    var packet: [UInt8] = [0x30]
    repeat {
      packet.append(UInt8(length % 128) | (length >= 128 ? 128 : 0))
      length /= 128
    } while length > 0
    packet += [UInt8(topic.utf8.count / 256), UInt8(topic.utf8.count % 256)] + Array(topic.utf8)
    return packet + Array(repeating: UInt8(ascii: "x"), count: bytes)
  }
}
