internal import StepperCore
internal import StepperInterfaces
internal import StepperMQTT
internal import StepperProgram

/// What the bridge counts and measures.
struct MQTTFigures: BridgeFigures {
  /// Of the board.
  var id: String
  /// Since when it is published as online, in seconds since 1970; nil: it is not.
  var onlineSince: Int64?
  var hasProblem: Bool
  /// Whether another client has the id of the board.
  var isTakenOver: Bool
  var isClockWrong: Bool
  /// States and results that the broker does not have yet, and commands that wait.
  var waiting: Int
  var counts: MQTTBridgeCounts
  /// When the certificate of the board ends, in seconds since 1970; nil: it has none.
  var certificateEnd: Int64?
  var isCertificateOld: Bool
  /// The version of the configuration that was sent and is confirmed; nil: nobody may send one.
  var configuration: Int64?

  var metrics: [ManagerInterface.Metric] {
    func gauge(_ name: String, _ value: Int64, _ description: String) -> ManagerInterface.Metric {
      .init(name: name, type: .gauge, description: description, object: id, value: Double(value))
    }
    func counter(_ name: String, _ value: Double, _ description: String) -> ManagerInterface.Metric {
      .init(name: name, type: .counter, description: description, object: id, value: value)
    }
    let sent =
      configuration.map {
        [
          gauge("mqttConfiguration", $0, "Version of the configuration that was sent and confirmed; 0: none"),
          counter(
            "mqttConfigurationsRefused", Double(counts.refusedConfigurations),
            "Configurations that were not signed for this board, were old, or came too fast"),
        ]
      } ?? []
    let certificate =
      certificateEnd.map {
        [
          gauge("mqttCertificateEndSeconds", $0, "When the certificate of the board ends, since 1970"),
          gauge(
            "mqttCertificateProblems", isCertificateOld ? 1 : 0,
            "Whether the certificate of the board should be replaced, or has ended"),
        ]
      } ?? []
    return [
      gauge("mqttOnline", onlineSince == nil ? 0 : 1, "Whether the board is published as online"),
      gauge("mqttOnlineSinceSeconds", onlineSince ?? 0, "When it became online, since 1970; 0: it is not"),
      gauge(
        "mqttProblems", hasProblem ? 1 : 0, "Whether stepperctl status names a problem of the bridge to MQTT"),
      gauge("mqttTakenOver", isTakenOver ? 1 : 0, "Whether another client has the id of the board"),
      gauge(
        "mqttClockProblems", isClockWrong ? 1 : 0,
        "Whether commands have times that do not agree with this board's clock"),
      gauge("mqttWaiting", Int64(waiting), "Messages for the broker and commands that wait for their turn"),
      counter("mqttConnections", Double(counts.connections), "Connections that the broker has accepted"),
      counter("mqttCommands", Double(counts.commands), "Commands that were done"),
      counter("mqttCommandsRefused", Double(counts.refused), "Commands that were refused"),
      counter("mqttCommandsDropped", Double(counts.dropped), "Commands that came too fast"),
      counter(
        "mqttCommandSeconds", Double(counts.commandTime.nanoseconds) / 1e9,
        "Time from the call of the daemon for a command to its answer"),
    ] + certificate + sent
  }
}
