/// How to reach a broker.
package struct BrokerSettings: Hashable, Sendable {
  /// A host name or a numeric address.
  package var host: String
  package var port: Int
  package var usesTLS: Bool
  package enum Version: Hashable, Sendable { case three, five }
  /// The version of MQTT: 3.1.1, which every broker speaks, or 5.
  package var version = Version.three
  /// [A-Za-z0-9_-]+, unique among the broker's connections.
  package var clientID: String
  package var user: String?
  package var password: [UInt8]?
  /// The authorities that sign the broker's certificate; nil: those of the system.
  package var authorityFile: String?
  /// The client certificate and its key: both or neither.
  package var certificateFile: String?
  package var keyFile: String?
  /// The keep-alive interval in seconds.
  package var keepAlive = 60
  /// How long one address of the broker may take to answer before the next address of its name is tried, in seconds.
  package var addressTime = 8
  /// The quality of service with which the broker delivers messages, 0 or 1.
  package var subscriptionQoS = 1
  /// Whether the broker keeps retained messages. If not, no message is sent as retained.
  package var retains = true
  /// The most bytes of received messages that may wait to be taken, counting only what is kept of them. More end the connection.
  package var receiveLimit = Int.max

  package init(host: String, port: Int, usesTLS: Bool, clientID: String) {
    (self.host, self.port, self.usesTLS, self.clientID) = (host, port, usesTLS, clientID)
  }

  /// The URL as it appears in messages: `mqtts://broker.example:8883`.
  package var url: String {
    let name = host.contains(":") ? "[\(host)]" : host
    return "\(usesTLS ? "mqtts" : "mqtt")://\(name):\(port)"
  }
}
