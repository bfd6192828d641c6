internal import CMosquitto
internal import StepperText

/// Why there is no connection to a broker: what happened, where, and what to do, as the rest of a sentence.
package struct BrokerFailure: Error, Hashable, Sendable, CustomStringConvertible {
  /// How the failure is to be handled.
  package enum Kind: Hashable, Sendable {
    case other
    /// The broker does not speak this version of MQTT.
    case version
    /// The broker closed the connection without an answer, perhaps because of the version.
    case unanswered
    /// Another client with the same ID has connected.
    case takeover
    /// The broker keeps no retained messages.
    case retention
  }

  package let description: String
  package let kind: Kind

  init(_ description: String, _ kind: Kind = .other) { (self.description, self.kind) = (description, kind) }

  /// The failure with the broker's own words appended.
  func saying(_ words: String?) -> Self { words.map { Self("\(description); \($0)", kind) } ?? self }

  /// The failure for a return code of the library. `errorNumber` is the system's, and `log` is what the library logged about TLS.
  static func code(
    _ code: CInt, errorNumber: CInt, log: [String], isAccepted: Bool, _ settings: BrokerSettings
  ) -> Self {
    switch (code, errorNumber) {
    case (5, _): Self("refuses the connection; see its log")
    // The library reports an error of TLS as a protocol error of the system.
    case (8, _), (23, _), (14, protocolError): isAccepted ? ended(settings) : tls(log, settings)
    case (7, _), (14, connectionReset), (14, brokenPipe): isAccepted ? ended(settings) : closed(settings)
    case (14, _): system(errorNumber)
    case (15, _), (20, _):
      Self(
        "has a name that cannot be looked up; check the name in \"broker\", and the network's name service")
    case (19, _): Self("did not answer for \(settings.keepAlive) s; the network to it may be cut")
    // From a broker that answers by MQTT 3.1.1.
    case (2, _) where !isAccepted && settings.version == .five,
      (21, _) where !isAccepted && settings.version == .five:
      Self("does not speak MQTT 5", .version)
    case (2, _), (18, _), (21, _):
      Self("sent something that is not MQTT; check its address and port, and see its log")
    case (1, _): Self("sent more than this program has memory for")
    case (24, _): Self("takes no messages of quality of service 1, which a board sends; raise its limit")
    // Oversized messages have a text of their own.
    case (25, _): Self("takes no packet as long as the subscription to this board's topics; raise its limit")
    default: Self("cannot be used: \(mosquittoText(code))")
    }
  }

  /// The end of a connection that the broker had accepted, so that neither TLS nor the password can be the cause.
  private static func ended(_ settings: BrokerSettings) -> Self {
    Self(
      "closed the connection: it was stopped, or another client has the id \(settings.clientID); see its log")
  }

  private static func closed(_ settings: BrokerSettings) -> Self {
    let reason =
      settings.usesTLS
      ? "refuse this client's certificate or require one, or not offer TLS at this port"
      : "require TLS (mqtts://)"
    return Self(
      "closed the connection; see its log: it may \(reason), or have another client with the id \(settings.clientID)",
      .unanswered)
  }

  private static func system(_ number: CInt) -> Self {
    let text = errorText(number)
    return switch number {
    case connectionRefused: Self("refuses the connection; check that it runs, and its port")
    case hostUnreachable, networkUnreachable:
      Self("cannot be reached: \(text); check the network and its address")
    case connectionTimedOut, interruptedCall: Self(MQTTBridge.silence)
    case 0: Self("closed the connection; see its log")
    default: Self("cannot be reached: \(text)")
    }
  }

  /// A failure of TLS. The conditions match the wording of OpenSSL.
  private static func tls(_ log: [String], _ settings: BrokerSettings) -> Self {
    // The connection was closed before the other side sent a reason.
    guard !log.isEmpty else { return closed(settings) }
    let text = log.joined(separator: "; ")
    let authority =
      settings.authorityFile.map { "the ca-file \($0)" } ?? "the authorities of this system; set ca-file"
    // A certificate for another name produces both of these errors.
    if text.has("host name verification failed") {
      return Self(
        "has a certificate for another name than \(settings.host); write the name of the certificate in \"broker\""
      )
    }
    if text.has("certificate verify failed") {
      return Self(
        "has a certificate that is not trusted: it is not signed by \(authority), has expired, or this machine's clock is wrong"
      )
    }
    if text.has("certificate required") || text.has("handshake failure") || text.has("alert") {
      return Self(
        "refuses this client's certificate, or requires one; check certificate-file and key-file (\(text))")
    }
    if text.has("wrong version number") || text.has("unexpected eof")
      || text.has("packet length")
    {
      return Self("speaks no TLS at this port; use mqtt://, or the port of TLS (\(text))")
    }
    return Self("cannot be reached by TLS: \(text)")
  }

  /// The broker accepts no message of this size, as it said by MQTT 5.
  static func oversize(_ topic: String, _ bytes: Int) -> Self {
    Self(
      "takes no message of \(bytes) bytes, as \(topic) has; raise its limit, or publish fewer controls: match"
    )
  }

  /// The broker has closed the connection and gives the reason, by MQTT 5.
  static func dismissal(_ code: CInt, _ settings: BrokerSettings) -> Self {
    switch code {
    case MQTT_RC_SESSION_TAKEN_OVER.code: Self.takeover(settings)
    case MQTT_RC_SERVER_SHUTTING_DOWN.code: Self("closed the connection: it was stopped")
    case MQTT_RC_RETAIN_NOT_SUPPORTED.code: retention
    default: Self("closed the connection: \(reasonText(code)); see its log")
    }
  }

  /// The broker has closed the connection with a reason that is not an error.
  static let farewell = Self("closed the connection without an error; see its log")

  static let retention = Self("keeps no retained messages", .retention)

  static func takeover(_ settings: BrokerSettings) -> Self {
    Self("closed the connection: another client has connected with the id \(settings.clientID)", .takeover)
  }

  /// The broker's answer to CONNECT, in either version.
  static func refusal(_ code: CInt, _ settings: BrokerSettings) -> Self {
    let user = settings.user.map { "the user \"\($0)\"" } ?? "a client without a user"
    return switch code {
    case 1: Self("does not speak MQTT 3.1.1", .version)
    case MQTT_RC_UNSUPPORTED_PROTOCOL_VERSION.code: Self("does not speak MQTT 5", .version)
    case 2, MQTT_RC_CLIENTID_NOT_VALID.code:
      Self("refuses the client id \(settings.clientID); choose another id")
    case MQTT_RC_RETAIN_NOT_SUPPORTED.code: retention
    case 3, MQTT_RC_SERVER_UNAVAILABLE.code: Self("is not available at present")
    case 4, MQTT_RC_BAD_USERNAME_OR_PASSWORD.code:
      Self("refuses \(user): wrong name or password; check user and password-file")
    case 5, MQTT_RC_NOT_AUTHORIZED.code:
      Self("does not allow \(user) to connect; check user and password-file, and what the broker allows")
    case 128...: Self("refuses the connection: \(reasonText(code)); see its log")
    default: Self("refuses the connection with code \(code)")
    }
  }
}

extension mqtt5_return_codes {
  fileprivate var code: CInt { CInt(rawValue) }
}
