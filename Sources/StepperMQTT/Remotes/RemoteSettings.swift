/// A knob or remote whose messages come through the broker.
package struct RemoteSettings: Hashable, Sendable {
  /// The name of its table in the configuration. For the daemon, this is where the device is plugged in.
  package let name: String
  /// The topic of its messages, which is also its name at the daemon.
  package let topic: String
  package let actions: RemoteActions
  /// How long a button stays held without another message.
  package let holdLimit: Duration

  package init(name: String, topic: String, _ actions: RemoteActions, holdLimit: Duration) {
    (self.name, self.topic, self.actions, self.holdLimit) = (name, topic, actions, holdLimit)
  }
}
