/// A knob or remote whose messages come through the broker.
package struct RemoteSettings: Hashable, Sendable {
  /// Of its table in the configuration, and where it is plugged in for the daemon.
  package let name: String
  /// Of its messages, and its name at the daemon.
  package let topic: String
  package let actions: RemoteActions
  /// How long a button stays held without another message.
  package let holdLimit: Duration

  package init(name: String, topic: String, _ actions: RemoteActions, holdLimit: Duration) {
    (self.name, self.topic, self.actions, self.holdLimit) = (name, topic, actions, holdLimit)
  }
}
