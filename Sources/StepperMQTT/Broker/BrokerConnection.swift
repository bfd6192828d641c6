internal import CMosquitto
internal import StepperText
package import Varlink

/// One connection to a broker, over libmosquitto and with its external loop: it never waits but in ``Connecting``, and its
/// thread is its caller's. It speaks MQTT 3.1.1 or 5: see ``BrokerSettings/version``.
///
/// There is a new one for each attempt, so that nothing of the library outlives a connection.
@safe package final class BrokerConnection {
  /// What has happened since the last ``takeEvents()``.
  package enum Event: Hashable, Sendable {
    case accepted
    /// The answers to the subscription, in its order: whether each filter was granted.
    case subscribed([Bool])
    /// The broker has taken a message of quality of service 1, or refused it.
    case acknowledged(refusal: Refusal?)
    case received(topic: OutsideText, payload: [UInt8], isRetained: Bool)
    case lost(BrokerFailure)
  }

  /// A message that the broker did not take, by MQTT 5, with its reason.
  package struct Refusal: Hashable, Sendable {
    package let topic: String
    package let reason: String
  }

  /// No longer payload is received: of one, this many bytes and one more.
  package static let payloadLimit = 1 << 20
  /// What a broker of MQTT 5 does not send: it drops a message that makes a larger packet.
  fileprivate static let packetLimit = payloadLimit + 8_192
  /// A message of a longer topic is not received.
  static let topicLimit = 1_024
  /// Filters of a packet; AWS IoT Core takes no more.
  private static let filterLimit = 8
  /// So many acknowledgements wait for a broker that does not read. The library has no limit of its own.
  package static let unreadLimit = 1_000

  let settings: BrokerSettings
  let handle: OpaquePointer
  var events: [Event] = []
  /// The last lines that the library logged of errors, for the reason of a failure.
  var log: [String] = []
  private(set) var isLost = false
  var isAccepted = false
  /// Nothing may be sent for so long, in seconds, as the broker has said by MQTT 5 or as it was asked for; 0: without a limit.
  package internal(set) var keepAliveSeconds: Int
  /// The topics of the messages of quality of service 1 that were not acknowledged.
  var unacknowledged: [CInt: String] = [:]
  /// Answers to subscriptions that are expected, and what those say that have come.
  var subscriptionCount = 0
  var granted: [Bool] = []
  /// The messages that were received, and have to be acknowledged, since all was written.
  var unreadCount = 0
  /// Of the messages in ``events``, about.
  var receivedBytes = 0

  /// Throws if a file cannot be used. `will` is published by the broker when the connection is lost.
  package init(
    _ settings: BrokerSettings, will: (topic: String, payload: [UInt8])?
  ) throws(BrokerFailure) {
    (self.settings, keepAliveSeconds) = (settings, settings.keepAlive)
    _ = Library.shared
    guard let handle = unsafe mosquitto_new(settings.clientID, true, nil) else {
      throw BrokerFailure("cannot be connected to: there is no memory")
    }
    unsafe self.handle = handle
    unsafe mosquitto_user_data_set(handle, Unmanaged.passUnretained(self).toOpaque())
    setCallbacks()
    try setOptions(will)
  }

  deinit { unsafe mosquitto_destroy(handle) }

  private func setOptions(_ will: (topic: String, payload: [UInt8])?) throws(BrokerFailure) {
    // A message is a packet of its own, and is sent at once: Nagle's algorithm would wait for the acknowledgement of the one
    // before, which the other side delays by 40 ms.
    try check(unsafe mosquitto_int_option(handle, MOSQ_OPT_TCP_NODELAY, 1))
    if settings.version == .five {
      try check(unsafe mosquitto_int_option(handle, MOSQ_OPT_PROTOCOL_VERSION, MQTT_PROTOCOL_V5))
    }
    if let will {
      try check(
        unsafe mosquitto_will_set(handle, will.topic, CInt(will.payload.count), will.payload, 1, true))
    }
    if let user = settings.user {
      // The library takes a text that ends with NUL.
      let password = settings.password.map { $0.map { CChar(bitPattern: $0) } + [0] }
      try check(unsafe mosquitto_username_pw_set(handle, user, password))
    }
    guard settings.usesTLS else { return }
    let status = unsafe mosquitto_tls_set(
      handle, settings.authorityFile, settings.authorityFile == nil ? "/etc/ssl/certs" : nil,
      settings.certificateFile, settings.keyFile, { _, _, _, _ in 0 })
    guard status == 0 else {
      let files = [settings.authorityFile, settings.certificateFile, settings.keyFile].compactMap(\.self)
      throw BrokerFailure("cannot be connected to: one of \(files.joined(separator: ", ")) cannot be read")
    }
  }

  private func check(_ status: CInt) throws(BrokerFailure) {
    guard status == 0 else { throw failure(status, 0) }
  }

  /// What the connection attempt needs, for another thread. This object may not be used until it has returned.
  package var connecting: Connecting {
    Connecting(
      handle: unsafe UInt(bitPattern: handle), host: settings.host, port: CInt(settings.port),
      keepAlive: CInt(settings.keepAlive), version: settings.version)
  }

  /// Looks up the name and connects, which waits for others for as long as they take.
  package struct Connecting: Sendable {
    fileprivate let handle: UInt
    fileprivate let host: String
    fileprivate let port: CInt
    fileprivate let keepAlive: CInt
    fileprivate let version: BrokerSettings.Version

    /// What it ended with, for ``BrokerConnection/connected(_:)``.
    package func callAsFunction() -> Outcome {
      var properties: OpaquePointer?
      defer { unsafe mosquitto_property_free_all(&properties) }
      if version == .five {
        // Without an expiry of the session it ends with the connection.
        let limit = UInt32(BrokerConnection.packetLimit)
        _ = unsafe mosquitto_property_add_int32(
          &properties, CInt(MQTT_PROP_MAXIMUM_PACKET_SIZE.rawValue), limit)
      }
      let status = unsafe mosquitto_connect_bind_v5(
        OpaquePointer(bitPattern: handle), host, port, keepAlive, nil, properties)
      return Outcome(status: status, errorNumber: lastErrorNumber())
    }
  }

  package struct Outcome: Sendable {
    fileprivate let status: CInt
    fileprivate let errorNumber: CInt
  }

  /// The attempt has ended; the broker has not accepted it yet.
  package func connected(_ outcome: Outcome) {
    if outcome.status != 0 { lose(failure(outcome.status, outcome.errorNumber)) }
  }

  /// Connects from a local address to one in numbers, and waits for neither: the outcome is known when the
  /// descriptor is ready. For simulations of many clients, of which a local address has 28,000 ports.
  package func connect(from source: String) {
    clearErrorNumber()
    let status = unsafe mosquitto_connect_bind_async(
      handle, settings.host, CInt(settings.port), CInt(settings.keepAlive), source)
    if status != 0 { lose(failure(status, lastErrorNumber())) }
  }

  // MARK: The loop

  /// What to wait for; nil: there is no connection.
  package var descriptor: CInt? {
    let descriptor = unsafe mosquitto_socket(handle)
    return descriptor >= 0 ? descriptor : nil
  }
  package var wantsToWrite: Bool { unsafe mosquitto_want_write(handle) }
  /// Before the broker has accepted, what TLS waits for is not known: it is asked again after a moment.
  package var isNegotiating: Bool { settings.usesTLS && !isAccepted && !isLost }

  /// Reads a message, or a part of it, and whatever the library has read with it: with TLS it does not return before it has
  /// found nothing. Whether there may be more.
  package func read() -> Bool {
    clearErrorNumber()
    perform { unsafe mosquitto_loop_read(handle, 1) }
    if !wantsToWrite { unreadCount = 0 }
    if unreadCount > Self.unreadLimit {
      lose(BrokerFailure("sends messages, and does not read that they have arrived; see its log"))
    }
    return !isLost && !isNegotiating && !wouldHaveWaited()
  }
  package func write() { perform { unsafe mosquitto_loop_write(handle, 1) } }
  /// To be called every few seconds: it asks whether the broker is there.
  package func keepAlive() { perform { unsafe mosquitto_loop_misc(handle) } }

  package func takeEvents() -> [Event] {
    defer { (events, receivedBytes) = ([], 0) }
    return events
  }

  private func perform(_ body: () -> CInt) {
    guard !isLost else { return }
    let status = body()
    let number = lastErrorNumber()
    if status != 0 { lose(failure(status, number)) }
    // The library closes it without a word for the broker's DISCONNECT, whatever reason that has.
    if descriptor == nil { lose(.farewell) }
  }

  private func failure(_ status: CInt, _ errorNumber: CInt) -> BrokerFailure {
    // The library reports a broken handshake as a lost connection.
    let isHandshake =
      status == 7 && !isAccepted && log.contains { $0.has("OpenSSL") || $0.has("verification") }
    return .code(
      isHandshake ? 8 : status, errorNumber: errorNumber, log: log, isAccepted: isAccepted, settings)
  }

  func lose(_ failure: BrokerFailure) {
    guard !isLost else { return }
    isLost = true
    events.append(.lost(failure))
  }

  // MARK: Messages

  /// In packets of a few filters each, which are answered in their order: first `commands`, whose messages keep the flag that they
  /// are retained, by MQTT 5.
  package func subscribe(to filters: [String], commands: [String] = []) {
    guard !isLost else { return }
    let keepsFlag = settings.version == .five ? CInt(MQTT_SUB_OPT_RETAIN_AS_PUBLISHED.rawValue) : 0
    let packets = packets(of: commands).map { ($0, keepsFlag) } + packets(of: filters).map { ($0, 0) }
    (subscriptionCount, granted) = (packets.count, [])
    for (filters, options) in packets { subscribe(toSome: filters, options) }
  }

  private func packets(of filters: [String]) -> [ArraySlice<String>] {
    stride(from: 0, to: filters.count, by: Self.filterLimit).map {
      filters[$0..<min($0 + Self.filterLimit, filters.count)]
    }
  }

  private func subscribe(toSome filters: ArraySlice<String>, _ options: CInt) {
    perform {
      var texts: [UnsafeMutablePointer<CChar>?] = unsafe filters.map { unsafe copy(of: $0) }
      defer { unsafe texts.forEach { unsafe $0?.deallocate() } }
      return unsafe texts.withUnsafeMutableBufferPointer { texts in
        unsafe mosquitto_subscribe_multiple(
          handle, nil, CInt(texts.count), texts.baseAddress, CInt(settings.subscriptionQoS), options, nil)
      }
    }
  }

  /// With quality of service 1 if it is to be acknowledged, else 0.
  package func publish(_ topic: String, _ payload: [UInt8], isRetained: Bool, isAcknowledged: Bool) {
    var number: CInt = 0
    perform {
      let status = unsafe mosquitto_publish(
        handle, &number, topic, CInt(payload.count), payload, isAcknowledged ? 1 : 0, isRetained)
      // The broker has said so when it accepted the connection; by MQTT 3.1.1 it would close it.
      if status == CInt(MOSQ_ERR_OVERSIZE_PACKET.rawValue) { lose(.oversize(topic, payload.count)) }
      return status
    }
    if isAcknowledged { unacknowledged[number] = topic }
  }

  /// Closes it without the will.
  package func close() {
    guard !isLost else { return }
    isLost = true
    _ = unsafe mosquitto_disconnect(handle)
    _ = unsafe mosquitto_loop_write(handle, 1)
  }
}

/// The library is made ready once in a process.
private enum Library {
  static let shared: CInt = mosquitto_lib_init()
}

/// The library's text for a code.
func mosquittoText(_ code: CInt) -> String {
  unsafe mosquitto_strerror(code).map { unsafe OutsideText.shown($0) } ?? "code \(code)"
}

/// The library's text for a reason of MQTT 5, in lower case as part of a sentence.
func reasonText(_ code: CInt) -> String {
  unsafe mosquitto_reason_string(code).map { unsafe OutsideText.shown($0).lowercased() } ?? "code \(code)"
}

/// A text that ends with NUL, to be deallocated.
private func copy(of text: String) -> UnsafeMutablePointer<CChar> {
  let bytes = text.utf8CString
  let pointer = UnsafeMutablePointer<CChar>.allocate(capacity: bytes.count)
  for (index, byte) in bytes.enumerated() { unsafe pointer[index] = byte }
  return unsafe pointer
}
