internal import StepperText

/// Why there is no connection to a broker: what happened, where, and what to do, as the rest of a sentence.
package struct BrokerFailure: Error, Hashable, Sendable, CustomStringConvertible {
  package let description: String

  init(_ description: String) { self.description = description }

  /// A return code of the library; `errorNumber` is that of the system, and `log` what the library logged of TLS.
  static func code(
    _ code: CInt, errorNumber: CInt, log: [String], isAccepted: Bool, _ settings: BrokerSettings
  ) -> Self {
    switch (code, errorNumber) {
    case (5, _): Self("refuses the connection; see its log")
    // The library reports an error of TLS as one of the system's protocol.
    case (8, _), (23, _), (14, protocolError): isAccepted ? ended(settings) : tls(log, settings)
    case (7, _), (14, connectionReset), (14, brokenPipe): isAccepted ? ended(settings) : closed(settings)
    case (14, _): system(errorNumber)
    case (15, _), (20, _):
      Self(
        "has a name that cannot be looked up; check the name in \"broker\", and the network's name service")
    case (19, _): Self("did not answer for \(settings.keepAlive) s; the network to it may be cut")
    case (1, _): Self("sent more than this program has memory for")
    default: Self("cannot be used: \(mosquittoText(code))")
    }
  }

  /// A connection that the broker had accepted, so that neither TLS nor a password is wrong.
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
      "closed the connection; see its log: it may \(reason), or know another client of the id \(settings.clientID)"
    )
  }

  private static func system(_ number: CInt) -> Self {
    let text = errorText(number)
    return switch number {
    case connectionRefused: Self("refuses the connection; check that it runs, and its port")
    case hostUnreachable, networkUnreachable:
      Self("cannot be reached: \(text); check the network and its address")
    case connectionTimedOut: Self("does not answer; check the network, its address, and its firewall")
    case 0: Self("closed the connection; see its log")
    default: Self("cannot be reached: \(text)")
    }
  }

  /// The reasons are in the words of OpenSSL.
  private static func tls(_ log: [String], _ settings: BrokerSettings) -> Self {
    // The connection was closed before the other side sent a reason.
    guard !log.isEmpty else { return closed(settings) }
    let text = log.joined(separator: "; ")
    let authority =
      settings.authorityFile.map { "the ca-file \($0)" } ?? "the authorities of this system; set ca-file"
    // Both are reported of a certificate with another name.
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
    return Self("cannot be spoken to by TLS: \(text)")
  }

  /// The broker's answer to CONNECT, in MQTT 3.1.1.
  static func refusal(_ code: CInt, _ settings: BrokerSettings) -> Self {
    let user = settings.user.map { "the user \"\($0)\"" } ?? "a client without a user"
    return switch code {
    case 1: Self("does not speak MQTT 3.1.1")
    case 2: Self("refuses the client id \(settings.clientID); choose another id")
    case 3: Self("is not available at present")
    case 4: Self("refuses \(user): wrong name or password; check user and password-file")
    case 5:
      Self("does not allow \(user) to connect; check user and password-file, and what the broker allows")
    default: Self("refuses the connection with code \(code)")
    }
  }
}
