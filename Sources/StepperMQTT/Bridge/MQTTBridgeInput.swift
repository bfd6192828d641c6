package import StepperClient
package import StepperInterfaces
package import Varlink

/// An event that a bridge handles.
package enum MQTTBridgeInput: Sendable {
  /// Begin to connect.
  case start
  /// End: publish `offline` and disconnect.
  case stop
  /// A deadline may have come.
  case time
  /// The configuration was read again. The topics have not changed: see `MQTTBridgeSettings.hasSameTopics(as:)`.
  case configured(MQTTBridgeSettings)

  /// The clock was set. `realtimeOffset` is the new CLOCK_REALTIME minus CLOCK_MONOTONIC, in microseconds.
  case clock(realtimeOffset: Int64)

  /// The revisions of the last ``MQTTBridgeEffect/keepRevisions(_:)`` could not be written.
  case revisionsUnkept

  /// The state of a configuration has changed: these bytes are to be published.
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
  /// The answer to a call for a remote, with the index of the remote.
  case provided(Int, DeviceAttachment.Answer)
  /// The connection through which the devices of remotes were attached has ended: the daemon has none of them any more.
  case devicesLost

  // MARK: The broker
  /// The broker has accepted the connection.
  case accepted
  /// Follows ``accepted``: the broker keeps no retained messages, so that publications reach only connected clients.
  case unretained
  /// Follows ``accepted``: the broker has set a longer keep-alive interval than was requested, or none, so that its loss would show too
  /// late, or never.
  case longKeepAlive
  /// The broker has answered the subscription; with the filters that it refused.
  case subscribed(refused: [String])
  /// The broker has taken a message of quality of service 1: the oldest one that it had not answered.
  case acknowledged
  /// The broker has refused a message of quality of service 1, which only MQTT 5 can report.
  case publicationRefused(topic: String, reason: String)
  case received(MQTTMessage)
  /// The connection is lost or could not be opened; with the reason for people, and whether the broker says that another client has taken
  /// over the connection.
  case brokerLost(String, isTakeover: Bool = false)
}

/// Why a command was not done.
package struct MQTTCallFailure: Error, Hashable, Sendable {
  /// For programs: an error code of StepperClientError.
  package var code: String
  package var message: String
  /// Whether the daemon itself was unreachable, so that the same call may succeed later.
  package var isAbsence: Bool

  package init(code: String, message: String, isAbsence: Bool = false) {
    (self.code, self.message, self.isAbsence) = (code, message, isAbsence)
  }

  package static let daemonAway = Self(
    code: "disconnected", message: "stepperd is not there at present", isAbsence: true)
  static let repeatedID = Self(
    code: "repeatedID",
    message:
      "another command had this id within the last minute; give each command a different id, and change nothing in a command that is repeated"
  )
  /// The daemon was called, but has since gone away or has not answered.
  package static let unknownOutcome = Self(
    code: "unknownOutcome", message: "stepperd has not answered, and may have done it; check the state")
  static func tooOld(seconds: Int64) -> Self {
    Self(
      code: "tooOld",
      message:
        "its time is \(seconds) s ago, which is too old; send it again if it still applies, and compare the clocks if it was sent just now"
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

  /// A message from the network; nil: bridges neither publish nor read its topic.
  package init?(topic: OutsideText, _ payload: [UInt8], isRetained: Bool) {
    guard topic.bytes.count <= MQTTLimit.topicBytes, let topic = topic.text else { return nil }
    self.init(topic, payload, isRetained: isRetained)
  }

  /// Whether the payload is `word`.
  func says(_ word: String) -> Bool { payload.elementsEqual(word.utf8) }
}

/// Something that the caller does for a bridge, in the given order.
package enum MQTTBridgeEffect: Hashable, Sendable {
  /// Connect to the broker with a clean session and this will, of quality of service 1.
  case connect(will: MQTTMessage)
  /// Close the connection without the will; nothing more is reported about it.
  case disconnect
  /// Subscribe to all of these filters. For `commands`, a broker of MQTT 5 is asked to keep the retained flag for the whole connection,
  /// and not only on messages that it already held.
  case subscribe([String], commands: [String] = [])
  /// Publish: with quality of service 1 if `isAcknowledged`, and the acknowledgement must be reported; else with 0.
  case publish(MQTTMessage, isAcknowledged: Bool)
  /// Call the daemon; the number identifies the answer.
  case call(UInt32, MQTTBridgeCall)
  /// Call the daemon for a remote; the index of the remote identifies the answer.
  case provide(Int, DeviceAttachment.Call)
  /// Keep the revisions of the targets that were applied, by control.
  case keepRevisions([String: String])
  /// An authorized sender has sent a configuration.
  case configure(SignedConfiguration)
  case report(MQTTBridgeReport)
  /// The bridge has ended after `stop`.
  case stopped
}

/// What a bridge has counted since its start.
package struct MQTTBridgeCounts: Hashable, Sendable {
  package var connections: Int64 = 0
  package var commands: Int64 = 0
  package var refused: Int64 = 0
  package var dropped: Int64 = 0
  /// Configurations that were not signed for this board, or that arrived too fast.
  package var refusedConfigurations: Int64 = 0
  /// The total time between calls of the daemon and its answers.
  package var commandTime = Duration.zero
}

/// A call to the daemon.
package enum MQTTBridgeCall: Hashable, Sendable {
  case set(control: String, MQTTValue, ifSequence: Int64?)
  case step(control: String, steps: Int64, isPage: Bool)
  case reset(control: String)
}

/// The value that a control is set to.
package enum MQTTValue: Hashable, Sendable {
  case number(Double)
  case text(String)
}

/// A report for people. Each is made once per change.
package enum MQTTBridgeReport: Hashable, Sendable {
  /// The board is connected and everything is published: once for each connection.
  case online
  /// There is no connection; with the reason and the time until the next attempt.
  case brokerLost(String, retryIn: Duration)
  /// Another client has the same ID, and each of the two ends the connection of the other.
  case takenOver
  /// The broker refuses to deliver these topics.
  case refusedFilters([String])
  /// The broker keeps no retained messages.
  case unretained
  /// What was published on this topic did not come back.
  case silentBroker(topic: String)
  /// The broker refuses what is published on this topic, and on this number of others.
  case refusedPublication(topic: String, reason: String, others: Int)
  /// A command is retained, and is ignored.
  case retainedCommand(topic: String)
  /// A message on a topic was not understood, or not done.
  case refused(topic: String, MQTTCallFailure)
  /// A configuration arrived that was not accepted.
  case refusedConfiguration(String)
  /// Commands arrive too fast. The number of those that were dropped, or replaced by newer ones, since the last such report; the last one
  /// of them was on this topic.
  case tooManyCommands(Int, lastTopic: String)
  /// A clock is wrong, judging by the times of commands.
  case clock(ClockProblem)
  /// The daemon refuses the device of `[mqtt.remote.NAME]`.
  case remoteRefused(name: String, MQTTCallFailure)
  /// Controls that cannot be published, because their topics are the board's own.
  case reservedNames([String])
}
