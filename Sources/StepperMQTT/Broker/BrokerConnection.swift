internal import CMosquitto
internal import StepperText
package import Varlink

/// One connection to a broker. It uses libmosquitto with an external loop: only ``Connecting`` ever blocks, and everything else runs on
/// the caller's thread. It speaks MQTT 3.1.1 or 5: see ``BrokerSettings/version``.
///
/// Each attempt creates a new object, so that no state of the library outlives a connection.
@safe package final class BrokerConnection {
  /// What has happened since the last ``takeEvents()``.
  package enum Event: Hashable, Sendable {
    case accepted
    /// The answers to the subscription, in the order of its filters: whether each filter was granted.
    case subscribed([Bool])
    /// The broker has accepted or refused a message of quality of service 1.
    case acknowledged(refusal: Refusal?)
    case received(topic: OutsideText, payload: [UInt8], isRetained: Bool)
    case lost(BrokerFailure)
  }

  /// A message that a broker of MQTT 5 has refused, with its reason.
  package struct Refusal: Hashable, Sendable {
    package let topic: String
    package let reason: String
  }

  /// The greatest length of a payload. Of a longer one, this many bytes and one more are kept.
  package static let payloadLimit = 1 << 20
  /// The greatest packet that a broker of MQTT 5 may send: it drops messages that need a larger one.
  fileprivate static let packetLimit = payloadLimit + 8_192
  /// Messages with a longer topic are ignored.
  static let topicLimit = 1_024
  /// The most filters in one packet; AWS IoT Core accepts no more.
  private static let filterLimit = 8
  /// The most acknowledgements that may wait for a broker that does not read. The library has no limit of its own.
  package static let unreadLimit = 1_000

  package let settings: BrokerSettings
  let handle: OpaquePointer
  var events: [Event] = []
  /// The last error lines that the library logged, for the reason of a failure.
  var log: [String] = []
  private(set) var isLost = false
  package internal(set) var isAccepted = false
  /// The keep-alive interval in seconds, set by a broker of MQTT 5 or else as requested; 0: none.
  package internal(set) var keepAliveSeconds: Int
  /// Whether a broker of MQTT 5 has set a longer keep-alive interval than was requested, or none.
  package var hasLongKeepAlive: Bool { keepAliveSeconds == 0 || keepAliveSeconds > settings.keepAlive }
  /// The topics of messages of quality of service 1 that the broker has not acknowledged.
  var unacknowledged: [CInt: String] = [:]
  /// The number of answers to subscriptions still expected, and the results of those that have arrived.
  var subscriptionCount = 0
  var granted: [Bool] = []
  /// The number of received messages that need an acknowledgement, since everything was last written.
  var unreadCount = 0
  /// The approximate size of the messages in ``events``.
  var receivedBytes = 0

  /// Throws if a file cannot be used. The broker publishes `will` when the connection is lost.
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
    // Each message is sent at once, as a packet of its own. Nagle's algorithm would wait for the acknowledgement of the previous packet,
    // which the other side delays by 40 ms.
    try check(unsafe mosquitto_int_option(handle, MOSQ_OPT_TCP_NODELAY, 1))
    if settings.version == .five {
      try check(unsafe mosquitto_int_option(handle, MOSQ_OPT_PROTOCOL_VERSION, MQTT_PROTOCOL_V5))
    }
    if let will {
      try check(
        unsafe mosquitto_will_set(
          handle, will.topic, CInt(will.payload.count), will.payload, 1, settings.retains))
    }
    if let user = settings.user {
      // The library expects a NUL-terminated text.
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

  /// The connection attempt, to be made on another thread. This object must not be used until the attempt has returned.
  package var connecting: Connecting {
    Connecting(handle: unsafe UInt(bitPattern: handle), settings: settings)
  }

  /// Looks up the name, which takes as long as the name service needs, and connects to the first address that answers.
  package struct Connecting: Sendable {
    fileprivate let handle: UInt
    fileprivate let settings: BrokerSettings

    /// Makes the attempt. Returns its outcome for ``BrokerConnection/connected(_:)``.
    package func callAsFunction() -> Outcome {
      var properties: OpaquePointer?
      defer { unsafe mosquitto_property_free_all(&properties) }
      if settings.version == .five {
        // Without an expiry interval, the session ends with the connection.
        let limit = UInt32(BrokerConnection.packetLimit)
        _ = unsafe mosquitto_property_add_int32(
          &properties, CInt(MQTT_PROP_MAXIMUM_PACKET_SIZE.rawValue), limit)
      }
      let status = unsafe stepper_connect(
        OpaquePointer(bitPattern: handle), settings.host, CInt(settings.port), CInt(settings.keepAlive),
        properties, CInt(settings.addressTime))
      return Outcome(status: status, errorNumber: lastErrorNumber())
    }
  }

  package struct Outcome: Sendable {
    fileprivate let status: CInt
    fileprivate let errorNumber: CInt
  }

  /// The attempt has ended. The broker has yet to accept the connection.
  package func connected(_ outcome: Outcome) {
    if outcome.status != 0 { lose(failure(outcome.status, outcome.errorNumber)) }
  }

  /// Connects from a local address to a numeric one, and waits for neither: the outcome is known when the descriptor is ready. For
  /// simulations of many clients, because one local address has only 28,000 ports.
  package func connect(from source: String) {
    clearErrorNumber()
    let status = unsafe mosquitto_connect_bind_async(
      handle, settings.host, CInt(settings.port), CInt(settings.keepAlive), source)
    if status != 0 { lose(failure(status, lastErrorNumber())) }
  }

  // MARK: The loop

  /// The descriptor to wait for; nil: there is no connection.
  package var descriptor: CInt? {
    let descriptor = unsafe mosquitto_socket(handle)
    return descriptor >= 0 ? descriptor : nil
  }
  package var wantsToWrite: Bool { unsafe mosquitto_want_write(handle) }
  /// Until the broker has accepted, it is not known what TLS waits for: the connection must be tried again after a moment.
  package var isNegotiating: Bool { settings.usesTLS && !isAccepted && !isLost }

  /// Reads a message or a part of it, and everything that the library has read along with it: with TLS it does not return until nothing
  /// is left. Returns whether there may be more to read.
  package func read() -> Bool {
    clearErrorNumber()
    perform { unsafe mosquitto_loop_read(handle, 1) }
    if !wantsToWrite { unreadCount = 0 }
    if unreadCount > Self.unreadLimit {
      lose(BrokerFailure("sends messages, and does not read their acknowledgements; see its log"))
    }
    return !isLost && !isNegotiating && !wouldHaveWaited()
  }
  package func write() { perform { unsafe mosquitto_loop_write(handle, 1) } }
  /// Checks whether the broker is still there. Must be called every few seconds.
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
    // On a DISCONNECT from the broker, the library closes the connection silently, whatever the reason.
    if descriptor == nil { lose(.farewell) }
  }

  private func failure(_ status: CInt, _ errorNumber: CInt) -> BrokerFailure {
    // The library reports a broken handshake as a lost connection.
    let isHandshake =
      status == 7 && !isAccepted && log.contains { $0.has("OpenSSL") || $0.has("verification") }
    var settings = settings
    settings.keepAlive = keepAliveSeconds
    return .code(
      isHandshake ? 8 : status, errorNumber: errorNumber, log: log, isAccepted: isAccepted, settings)
  }

  func lose(_ failure: BrokerFailure) {
    guard !isLost else { return }
    isLost = true
    events.append(.lost(failure))
  }

  // MARK: Messages

  /// Subscribes in packets of a few filters each, which the broker answers in order. `commands` come first; by MQTT 5, their messages
  /// keep the retained flag.
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

  /// Publishes with quality of service 1 if the message is to be acknowledged, else 0.
  package func publish(_ topic: String, _ payload: [UInt8], isRetained: Bool, isAcknowledged: Bool) {
    var number: CInt = 0
    perform {
      let status = unsafe mosquitto_publish(
        handle, &number, topic, CInt(payload.count), payload, isAcknowledged ? 1 : 0,
        isRetained && settings.retains)
      // The broker named this limit when it accepted the connection; by MQTT 3.1.1 it would close the connection.
      if status == CInt(MOSQ_ERR_OVERSIZE_PACKET.rawValue) { lose(.oversize(topic, payload.count)) }
      return status
    }
    if isAcknowledged { unacknowledged[number] = topic }
  }

  /// Closes the connection so that the broker does not publish the will.
  package func close() {
    guard !isLost else { return }
    isLost = true
    _ = unsafe mosquitto_disconnect(handle)
    _ = unsafe mosquitto_loop_write(handle, 1)
  }
}

/// Initializes the library, once per process.
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

/// A NUL-terminated copy of `text`, which the caller must deallocate.
private func copy(of text: String) -> UnsafeMutablePointer<CChar> {
  let bytes = text.utf8CString
  let pointer = UnsafeMutablePointer<CChar>.allocate(capacity: bytes.count)
  for (index, byte) in bytes.enumerated() { unsafe pointer[index] = byte }
  return unsafe pointer
}
