internal import CMosquitto
internal import StepperText
package import Varlink

/// One connection to a broker, over libmosquitto and with its external loop: it never waits but in ``Connecting``, and its
/// thread is its caller's. MQTT 3.1.1, which every broker speaks.
///
/// There is a new one for each attempt, so that nothing of the library outlives a connection.
@safe package final class BrokerConnection {
  /// What has happened since the last ``takeEvents()``.
  package enum Event: Hashable, Sendable {
    case accepted
    /// The answers to the subscription, in its order: whether each filter was granted.
    case subscribed([Bool])
    /// A message of quality of service 1 has arrived.
    case acknowledged
    case received(topic: OutsideText, payload: [UInt8], isRetained: Bool)
    case lost(BrokerFailure)
  }

  /// No longer payload is received: of one, this many bytes and one more.
  package static let payloadLimit = 1 << 20
  /// A message of a longer topic is not received.
  private static let topicLimit = 1_024
  /// So many acknowledgements wait for a broker that does not read. The library has no limit of its own.
  package static let unreadLimit = 1_000

  let settings: BrokerSettings
  let handle: OpaquePointer
  private var events: [Event] = []
  /// The last lines that the library logged of errors, for the reason of a failure.
  private var log: [String] = []
  private var isLost = false
  private var isAccepted = false
  /// The messages of quality of service 1 that were not acknowledged.
  private var unacknowledged: Set<CInt> = []
  /// The messages that were received, and have to be acknowledged, since all was written.
  private var unreadCount = 0

  /// Throws if a file cannot be used. `will` is published by the broker when the connection is lost.
  package init(
    _ settings: BrokerSettings, will: (topic: String, payload: [UInt8])?
  ) throws(BrokerFailure) {
    self.settings = settings
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
      keepAlive: CInt(settings.keepAlive))
  }

  /// Looks up the name and connects, which waits for others for as long as they take.
  package struct Connecting: Sendable {
    fileprivate let handle: UInt
    fileprivate let host: String
    fileprivate let port: CInt
    fileprivate let keepAlive: CInt

    /// What it ended with, for ``BrokerConnection/connected(_:)``.
    package func callAsFunction() -> Outcome {
      let status = unsafe mosquitto_connect(OpaquePointer(bitPattern: handle), host, port, keepAlive)
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

  /// Reads one message, or a part of it; whether there may be more.
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
    defer { events = [] }
    return events
  }

  private func perform(_ body: () -> CInt) {
    guard !isLost else { return }
    let status = body()
    let number = lastErrorNumber()
    if status != 0 { lose(failure(status, number)) }
  }

  private func failure(_ status: CInt, _ errorNumber: CInt) -> BrokerFailure {
    // The library reports a broken handshake as a lost connection.
    let isHandshake =
      status == 7 && !isAccepted && log.contains { $0.has("OpenSSL") || $0.has("verification") }
    return .code(
      isHandshake ? 8 : status, errorNumber: errorNumber, log: log, isAccepted: isAccepted, settings)
  }

  private func lose(_ failure: BrokerFailure) {
    guard !isLost else { return }
    isLost = true
    events.append(.lost(failure))
  }

  // MARK: Messages

  package func subscribe(to filters: [String]) {
    perform {
      var texts: [UnsafeMutablePointer<CChar>?] = unsafe filters.map { unsafe copy(of: $0) }
      defer { unsafe texts.forEach { unsafe $0?.deallocate() } }
      return unsafe texts.withUnsafeMutableBufferPointer { texts in
        unsafe mosquitto_subscribe_multiple(
          handle, nil, CInt(texts.count), texts.baseAddress, CInt(settings.subscriptionQoS), 0, nil)
      }
    }
  }

  /// With quality of service 1 if it is to be acknowledged, else 0.
  package func publish(_ topic: String, _ payload: [UInt8], isRetained: Bool, isAcknowledged: Bool) {
    var number: CInt = 0
    perform {
      unsafe mosquitto_publish(
        handle, &number, topic, CInt(payload.count), payload, isAcknowledged ? 1 : 0, isRetained)
    }
    if isAcknowledged { unacknowledged.insert(number) }
  }

  /// Closes it without the will.
  package func close() {
    guard !isLost else { return }
    isLost = true
    _ = unsafe mosquitto_disconnect(handle)
    _ = unsafe mosquitto_loop_write(handle, 1)
  }

  // MARK: What the library calls

  private func setCallbacks() {
    unsafe mosquitto_connect_callback_set(handle) { _, object, code in
      unsafe BrokerConnection.of(object)?.answered(code)
    }
    unsafe mosquitto_publish_callback_set(handle) { _, object, number in
      unsafe BrokerConnection.of(object)?.published(number)
    }
    unsafe mosquitto_subscribe_callback_set(handle) { _, object, _, count, granted in
      let codes = (0..<Int(count)).map { unsafe granted?[$0] ?? 128 }
      unsafe BrokerConnection.of(object)?.events.append(.subscribed(codes.map { $0 < 128 }))
    }
    unsafe mosquitto_message_callback_set(handle) { _, object, message in
      guard let message = unsafe message?.pointee, let topic = unsafe message.topic else { return }
      if unsafe message.qos > 0 { unsafe BrokerConnection.of(object)?.unreadCount += 1 }
      // One byte more than the limit marks it as too long.
      let count = min(unsafe Int(message.payloadlen), BrokerConnection.payloadLimit + 1)
      let bytes = unsafe UnsafeRawBufferPointer(start: message.payload, count: count)
      guard let topic = unsafe OutsideText(topic, atMost: BrokerConnection.topicLimit) else { return }
      let event = unsafe Event.received(topic: topic, payload: Array(bytes), isRetained: message.retain)
      unsafe BrokerConnection.of(object)?.events.append(event)
    }
    unsafe mosquitto_log_callback_set(handle) { _, object, level, text in
      guard let text = unsafe text else { return }
      // MOSQ_LOG_ERR and MOSQ_LOG_WARNING.
      if level == 8 || level == 4 {
        unsafe BrokerConnection.of(object)?.note(OutsideText.shown(text, upTo: 200))
      }
      // MOSQ_LOG_DEBUG.
      if level == 16 { unsafe BrokerConnection.of(object)?.watch(text) }
    }
  }

  private static func of(_ object: UnsafeMutableRawPointer?) -> BrokerConnection? {
    unsafe object.map { unsafe Unmanaged<BrokerConnection>.fromOpaque($0).takeUnretainedValue() }
  }

  private func answered(_ code: CInt) {
    guard code == 0 else { return lose(.refusal(code, settings)) }
    isAccepted = true
    events.append(.accepted)
  }

  private func published(_ number: CInt) {
    if unacknowledged.remove(number) != nil { events.append(.acknowledged) }
  }

  /// Quality of service 2 is not subscribed to. The library would keep each such message until it is released, without a
  /// limit, and reports it only in its log.
  private func watch(_ line: UnsafePointer<CChar>) {
    guard unsafe begins(line, with: "Client \(settings.clientID) sending PUBREC") else { return }
    lose(BrokerFailure("sends messages of quality of service 2, which were not asked for; see its log"))
  }

  private func note(_ text: String) {
    if log.count >= 4 { log.removeFirst() }
    log.append(text)
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

/// A text that ends with NUL, to be deallocated.
private func copy(of text: String) -> UnsafeMutablePointer<CChar> {
  let bytes = text.utf8CString
  let pointer = UnsafeMutablePointer<CChar>.allocate(capacity: bytes.count)
  for (index, byte) in bytes.enumerated() { unsafe pointer[index] = byte }
  return unsafe pointer
}
