package import StepperClient
package import StepperInterfaces
package import Varlink

/// What happens to a bridge.
package enum MQTTBridgeInput: Sendable {
  /// Begin to connect.
  case start
  /// End: publish `offline` and disconnect.
  case stop
  /// A deadline may have come.
  case time
  /// The configuration was read again. The topics are the same: see `MQTTBridgeSettings.hasSameTopics(as:)`.
  case configured(MQTTBridgeSettings)

  /// The clock was set: CLOCK_REALTIME minus CLOCK_MONOTONIC is now this, in microseconds.
  case clock(realtimeOffset: Int64)

  /// The revisions of the last ``MQTTBridgeEffect/keepRevisions(_:)`` could not be written.
  case revisionsUnkept

  /// What became of a configuration has changed: this is to be published.
  case configurationState([UInt8])

  // MARK: The daemon
  /// A reply to Subscribe with descriptions. `realtimeOffset` is CLOCK_REALTIME minus CLOCK_MONOTONIC in
  /// microseconds, for the time in states.
  case replied(ControlInterface.Subscribe.Reply, realtimeOffset: Int64)
  case happened(ControlInterface.MomentEvent)
  /// The connection that follows the controls is lost.
  case daemonLost
  /// The result of a call, by its number.
  case answered(UInt32, Result<ControlInterface.State, MQTTCallFailure>)
  /// What came of a call for a remote, by its place among them.
  case provided(Int, DeviceAttachment.Answer)
  /// The connection has ended that the devices of remotes were attached by: the daemon has none of them.
  case devicesLost

  // MARK: The broker
  /// It has accepted the connection.
  case accepted
  /// It has answered the subscription; the filters that it refused.
  case subscribed(refused: [String])
  /// It has taken a message of quality of service 1, the oldest of those that it has not answered.
  case acknowledged
  /// It has refused a message of quality of service 1, by MQTT 5.
  case publicationRefused(topic: String, reason: String)
  case received(MQTTMessage)
  /// The connection is lost or could not be opened; with the reason for people, and whether the broker says that another
  /// client has taken it.
  case brokerLost(String, isTakeover: Bool = false)
}

/// Why a command was not done.
package struct MQTTCallFailure: Error, Hashable, Sendable {
  /// For programs: a code of StepperClientError.
  package var code: String
  package var message: String
  /// Whether the daemon itself was unreachable, so that the same may succeed later.
  package var isAbsence: Bool

  package init(code: String, message: String, isAbsence: Bool = false) {
    (self.code, self.message, self.isAbsence) = (code, message, isAbsence)
  }

  package static let daemonAway = Self(
    code: "disconnected", message: "stepperd is not there at present", isAbsence: true)
  static let repeatedID = Self(
    code: "repeatedID",
    message:
      "another command had this id within the last minute; give each command an id of its own, and repeat one only as it was"
  )
  /// The daemon was asked, and is away since, or has not answered.
  package static let unknownOutcome = Self(
    code: "unknownOutcome", message: "stepperd has not answered; perhaps it was done: look at the state")
  static func tooOld(seconds: Int64) -> Self {
    Self(
      code: "tooOld",
      message:
        "it was given \(seconds) s ago by its time, and is too old; give it again if it still holds, and compare the clocks if it is new"
    )
  }
  static let restarted = Self(
    code: "changed",
    message: "the daemon has restarted or read its configuration again since that sequence number")
}

/// A message that is received or published.
package struct MQTTMessage: Hashable, Sendable {
  package var topic: String
  package var payload: [UInt8]
  package var isRetained: Bool

  package init(_ topic: String, _ payload: [UInt8], isRetained: Bool = false) {
    (self.topic, self.payload, self.isRetained) = (topic, payload, isRetained)
  }

  /// A message from the network; nil: a bridge does not publish or read its topic.
  package init?(topic: OutsideText, _ payload: [UInt8], isRetained: Bool) {
    guard topic.bytes.count <= MQTTLimit.topicBytes, let topic = topic.text else { return nil }
    self.init(topic, payload, isRetained: isRetained)
  }

  /// Whether its payload is `word`.
  func says(_ word: String) -> Bool { payload.elementsEqual(word.utf8) }
}

/// What a bridge has done, in this order.
package enum MQTTBridgeEffect: Hashable, Sendable {
  /// Connect to the broker, with this will of quality of service 1, and a clean session.
  case connect(will: MQTTMessage)
  /// Close the connection without the will; nothing more is reported about it.
  case disconnect
  /// Subscribe to all of them. Of `commands` a broker of MQTT 5 says as long as the connection lasts which are retained, and not
  /// only of those that it had before.
  case subscribe([String], commands: [String] = [])
  /// Publish; with `isAcknowledged` with quality of service 1, which is to be reported, else 0.
  case publish(MQTTMessage, isAcknowledged: Bool)
  /// Call the daemon; the number is for the answer.
  case call(UInt32, MQTTBridgeCall)
  /// Call the daemon for a remote; its place among them is for the answer.
  case provide(Int, DeviceAttachment.Call)
  /// Keep the revisions of the targets that were applied, by control.
  case keepRevisions([String: String])
  /// A configuration was sent by who may do that.
  case configure(SignedConfiguration)
  case report(MQTTBridgeReport)
  /// The end after `stop`.
  case stopped
}

/// What a bridge counts, from its start on.
package struct MQTTBridgeCounts: Hashable, Sendable {
  package var connections: Int64 = 0
  package var commands: Int64 = 0
  package var refused: Int64 = 0
  package var dropped: Int64 = 0
  /// Configurations that were not signed for this board, or came too fast.
  package var refusedConfigurations: Int64 = 0
  /// From the calls of the daemon to its answers.
  package var commandTime = Duration.zero
}

/// A call of the daemon.
package enum MQTTBridgeCall: Hashable, Sendable {
  case set(control: String, MQTTValue, ifSequence: Int64?)
  case step(control: String, steps: Int64, isPage: Bool)
  case reset(control: String)
}

/// What a control is set to.
package enum MQTTValue: Hashable, Sendable {
  case number(Double)
  case text(String)
}

/// A report for people. Each is made once per change.
package enum MQTTBridgeReport: Hashable, Sendable {
  /// There is a connection, and everything is published: once for each connection.
  case online
  /// There is no connection; with the reason and the time to the next attempt.
  case brokerLost(String, retryIn: Duration)
  /// Another client has the ID of this one, and each ends the connection of the other.
  case takenOver
  /// The broker refuses to pass on these topics.
  case refusedFilters([String])
  /// What was published on this topic did not come back.
  case silentBroker(topic: String)
  /// The broker refuses what is published on this topic, and on so many others.
  case refusedPublication(topic: String, reason: String, others: Int)
  /// A command is retained, and is ignored.
  case retainedCommand(topic: String)
  /// A message of a topic was not understood, or not done.
  case refused(topic: String, MQTTCallFailure)
  /// A configuration came that is not taken.
  case refusedConfiguration(String)
  /// Commands come too fast; so many were dropped, or replaced by newer ones, since the last of these reports, the last of them on
  /// this topic.
  case tooManyCommands(Int, lastTopic: String)
  /// A clock is wrong, by the times of commands.
  case clock(ClockProblem)
  /// The daemon does not take the device of `[mqtt.remote.NAME]`.
  case remoteRefused(name: String, MQTTCallFailure)
  /// Controls that cannot be published, because their topics are the board's own.
  case reservedNames([String])
}
