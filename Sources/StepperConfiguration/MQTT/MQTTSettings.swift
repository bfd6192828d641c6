/// `[mqtt]`: the settings of `stepperd-mqtt`. The daemon checks it and does not use it.
package struct MQTTSettings: Hashable, Sendable {
  package var broker = BrokerAddress(host: "", port: 0, usesTLS: true)
  /// Name of the board in topics; nil: one is derived from the machine ID.
  package var id: String?
  /// How people are shown the board; nil: after its ID.
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
  /// States of a control in a second, at most.
  package var rate = 20
  package var hasTargets = false
  /// The quality of service of subscriptions, 0 or 1.
  package var subscriptionQoS = 1
  /// After one and a half of it without a sign of this client, the broker takes it for lost.
  package var keepAlive = Duration.seconds(60)
  /// How old a command may be that says when it was given.
  package var commandMaxAge = Duration.seconds(10)
  /// The public key of those who may send a configuration; nil: nobody may.
  package var configKeyFile: String?
  /// How long a configuration that was sent may take until the board is as well as before.
  package var configHealthTime = Duration.seconds(60)
  /// The knobs of radio networks that it brings, in the order of the file.
  package var remotes: [MQTTRemote] = []
  /// `include` of `[daemon]`.
  package var includedFile: String?
  /// The controls whose bounds are advisory, by the configuration.
  package var advisoryControls: Set<String> = []
  /// The buttons whose long presses are published, and those whose double presses are.
  package var longPressControls: Set<String> = []
  package var doublePressControls: Set<String> = []
}
