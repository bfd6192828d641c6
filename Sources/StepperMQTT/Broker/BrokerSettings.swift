/// How to reach a broker.
package struct BrokerSettings: Hashable, Sendable {
  /// A name or an address in numbers.
  package var host: String
  package var port: Int
  package var usesTLS: Bool
  package enum Version: Hashable, Sendable { case three, five }
  /// 3.1.1, which every broker speaks, or 5.
  package var version = Version.three
  /// [A-Za-z0-9_-]+, one for each connection of a broker.
  package var clientID: String
  package var user: String?
  package var password: [UInt8]?
  /// The authorities that sign the broker's certificate; nil: those of the system.
  package var authorityFile: String?
  /// The certificate of this client and its key, both or none.
  package var certificateFile: String?
  package var keyFile: String?
  /// Nothing may be sent for so long, in seconds.
  package var keepAlive = 60
  /// With which quality of service the broker passes messages on, 0 or 1.
  package var subscriptionQoS = 1
  /// Of messages that have arrived and were not taken: more end the connection. In bytes, as far as they are kept.
  package var receiveLimit = Int.max

  package init(host: String, port: Int, usesTLS: Bool, clientID: String) {
    (self.host, self.port, self.usesTLS, self.clientID) = (host, port, usesTLS, clientID)
  }

  /// As in messages: `mqtts://broker.example:8883`.
  package var url: String {
    let name = host.contains(":") ? "[\(host)]" : host
    return "\(usesTLS ? "mqtts" : "mqtt")://\(name):\(port)"
  }
}
