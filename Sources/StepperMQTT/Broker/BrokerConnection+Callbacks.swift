internal import CMosquitto
internal import Varlink

/// The callbacks of the library.
extension BrokerConnection {
  func setCallbacks() {
    unsafe mosquitto_connect_v5_callback_set(handle) { _, object, code, _, properties in
      var keepAlive: UInt16 = 0
      let identifier = CInt(MQTT_PROP_SERVER_KEEP_ALIVE.rawValue)
      let isGiven = unsafe mosquitto_property_read_int16(properties, identifier, &keepAlive, false) != nil
      var retains: UInt8 = 1
      _ = unsafe mosquitto_property_read_byte(
        properties, CInt(MQTT_PROP_RETAIN_AVAILABLE.rawValue), &retains, false)
      unsafe BrokerConnection.of(object)?.answered(
        code, keepAlive: isGiven ? Int(keepAlive) : nil, retains: retains != 0, properties)
    }
    unsafe mosquitto_disconnect_v5_callback_set(handle) { _, object, code, _ in
      // For lower codes, ``perform(_:)`` finds the connection closed: the library reports its own losses with codes that are also reason
      // codes.
      if code >= 128 { unsafe BrokerConnection.of(object)?.dismissed(code) }
    }
    unsafe mosquitto_publish_v5_callback_set(handle) { _, object, number, reason, properties in
      unsafe BrokerConnection.of(object)?.published(number, reason, properties)
    }
    unsafe mosquitto_subscribe_callback_set(handle) { _, object, _, count, granted in
      let codes = (0..<Int(count)).map { unsafe granted?[$0] ?? 128 }
      unsafe BrokerConnection.of(object)?.subscribed(codes.map { $0 < 128 })
    }
    unsafe mosquitto_message_callback_set(handle) { _, object, message in
      if let message = unsafe message?.pointee { unsafe BrokerConnection.of(object)?.received(message) }
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

  private func answered(_ code: CInt, keepAlive: Int?, retains: Bool, _ properties: OpaquePointer?) {
    guard code == 0 else { return lose(unsafe .refusal(code, settings).saying(words(in: properties))) }
    guard retains || !settings.retains else { return lose(.retention) }
    if let keepAlive { keepAliveSeconds = keepAlive }
    isAccepted = true
    events.append(.accepted)
  }

  /// The broker has ended the connection and given a reason.
  private func dismissed(_ code: CInt) { lose(.dismissal(code, settings)) }

  /// The broker's reason in words, and the server that it names instead; nil: it gives neither. The library does not pass them on for a
  /// DISCONNECT.
  private func words(in properties: OpaquePointer?) -> String? {
    let texts = [
      ("it says", MQTT_PROP_REASON_STRING),
      ("it names another server for \"broker\"", MQTT_PROP_SERVER_REFERENCE),
    ].compactMap { label, property -> String? in
      var text: UnsafeMutablePointer<CChar>?
      defer { unsafe free(text) }
      _ = unsafe mosquitto_property_read_string(properties, CInt(property.rawValue), &text, false)
      return unsafe text.map { unsafe "\(label): \(OutsideText.shown($0, upTo: 200))" }
    }
    return texts.isEmpty ? nil : texts.joined(separator: "; ")
  }

  private func subscribed(_ codes: [Bool]) {
    granted += codes
    subscriptionCount -= 1
    if subscriptionCount == 0 { events.append(.subscribed(granted)) }
  }

  /// The library reports every answered message, with the reason code of MQTT 5, and also messages of quality of service 0.
  private func published(_ number: CInt, _ reason: CInt, _ properties: OpaquePointer?) {
    guard let topic = unacknowledged.removeValue(forKey: number) else { return }
    let said = unsafe words(in: properties).map { [$0] } ?? []
    let refusal =
      reason < 128
      ? nil : Refusal(topic: topic, reason: ([reasonText(reason)] + said).joined(separator: "; "))
    events.append(.acknowledged(refusal: refusal))
  }

  private func received(_ message: mosquitto_message) {
    guard !isLost, let topic = unsafe message.topic else { return }
    if unsafe message.qos > 0 { unreadCount += 1 }
    guard let topic = unsafe OutsideText(topic, atMost: Self.topicLimit) else { return }
    let count = min(unsafe Int(message.payloadlen), Self.keptBytes(of: topic))
    receivedBytes += Self.messageCost + topic.bytes.count + count
    guard receivedBytes <= settings.receiveLimit else {
      lose(BrokerFailure("sends messages faster than this board takes them; see its log"))
      // Otherwise the library would continue this read until no more data arrives.
      return stopReading(unsafe mosquitto_socket(handle))
    }
    let bytes = unsafe UnsafeRawBufferPointer(start: message.payload, count: count)
    let event = unsafe Event.received(topic: topic, payload: Array(bytes), isRetained: message.retain)
    events.append(event)
  }

  /// The bridge does not subscribe with quality of service 2. The library would store each such message until it is released, without a
  /// limit, and it reports the message only in its log.
  private func watch(_ line: UnsafePointer<CChar>) {
    guard unsafe begins(line, with: "Client \(settings.clientID) sending PUBREC") else { return }
    lose(BrokerFailure("sends messages of quality of service 2, which were not asked for; see its log"))
  }

  private func note(_ text: String) {
    if log.count >= 4 { log.removeFirst() }
    log.append(text)
  }
}
