/// `[mqtt]`: the settings of `stepperd-mqtt`. The daemon only checks the table.
package struct MQTTSettings: Hashable, Sendable {
  package var broker = BrokerAddress(host: "", port: 0, usesTLS: true)
  /// The name of the board in topics; nil: it is derived from the machine ID.
  package var id: String?
  /// The name of the board for people; nil: it is derived from the ID.
  package var name: String?
  /// The address of a page of the board.
  package var webPage: String?
  package var user: String?
  package var passwordFile: String?
  package var authorityFile: String?
  package var certificateFile: String?
  package var keyFile: String?
  package var hasDiscovery = true
  package var discoveryPrefix = "homeassistant"
  package var prefix = "stepperd"
  package var groups: [String] = []
  /// Shell patterns of the controls that are published; empty: all.
  package var match: [String] = []
  /// The maximum number of states published per control and second.
  package var rate = 20
  package var hasTargets = false
  /// The quality of service of subscriptions, 0 or 1.
  package var subscriptionQoS = 1
  /// The broker considers this client lost after 1.5 times this time without a message from it.
  package var keepAlive = Duration.seconds(60)
  /// The maximum age of a command that carries a time stamp.
  package var commandMaxAge = Duration.seconds(10)
  /// The file with the public key of those who may send a configuration; nil: nobody may.
  package var configKeyFile: String?
  /// The time within which the board must be as healthy as before, after it has applied a configuration that was sent.
  package var configHealthTime = Duration.seconds(60)
  /// The remotes of radio networks that `stepperd-mqtt` attaches, in the order of the file.
  package var remotes: [MQTTRemote] = []
  /// `include` of `[daemon]`.
  package var includedFile: String?
  /// The controls that have advisory bounds in the configuration.
  package var advisoryControls: Set<String> = []
  /// The buttons whose long presses are published; ``doublePressControls`` has those whose double presses are.
  package var longPressControls: Set<String> = []
  package var doublePressControls: Set<String> = []
}
