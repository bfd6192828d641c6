internal import StepperCore
internal import StepperInterfaces
internal import StepperMQTT

/// The counts and measurements of the bridge.
struct MQTTFigures {
  /// The ID of the board.
  var id: String
  /// When the board came online, in seconds since 1970; nil: it is not online.
  var onlineSince: Int64?
  var hasProblem: Bool
  /// Whether another client uses the board's ID.
  var isTakenOver: Bool
  var isClockWrong: Bool
  /// The number of states and results that the broker does not have yet, plus commands that wait.
  var waiting: Int
  var counts: MQTTBridgeCounts
  /// When the certificate of the board expires, in seconds since 1970; nil: it has none.
  var certificateEnd: Int64?
  var isCertificateOld: Bool
  /// The version of the confirmed configuration that was sent; nil: nobody may send one.
  var configuration: Int64?

  private static var families: [MetricFamily<Self>] {
    [
      .gauge("mqttOnline", "Whether the board is published as online") { $0.onlineSince == nil ? 0 : 1 },
      .gauge("mqttOnlineSinceSeconds", "When it became online, since 1970; 0: it is not") {
        $0.onlineSince ?? 0
      },
      .gauge("mqttProblems", "Whether stepperctl status names a problem of the bridge to MQTT") {
        $0.hasProblem ? 1 : 0
      },
      .gauge("mqttTakenOver", "Whether another client has the id of the board") { $0.isTakenOver ? 1 : 0 },
      .gauge("mqttClockProblems", "Whether commands have times that do not agree with this board's clock") {
        $0.isClockWrong ? 1 : 0
      },
      .gauge("mqttWaiting", "Messages for the broker and commands that wait for their turn") { $0.waiting },
      .counter("mqttConnections", "Connections that the broker has accepted") { $0.counts.connections },
      .counter("mqttCommands", "Commands that were done") { $0.counts.commands },
      .counter("mqttCommandsRefused", "Commands that were refused") { $0.counts.refused },
      .counter("mqttCommandsDropped", "Commands that came too fast") { $0.counts.dropped },
      .time(
        "mqttCommandSeconds", "Time from the call of the daemon for a command to its answer", type: .counter
      ) {
        $0.counts.commandTime
      },
      .gauge("mqttCertificateEndSeconds", "When the certificate of the board ends, since 1970") {
        $0.certificateEnd
      },
      .gauge(
        "mqttCertificateProblems",
        "Whether the certificate of the board should be replaced, or has ended"
      ) { figures in figures.certificateEnd.map { _ in figures.isCertificateOld ? 1 : 0 } },
      .gauge("mqttConfiguration", "Version of the configuration that was sent and confirmed; 0: none") {
        $0.configuration
      },
      .counter(
        "mqttConfigurationsRefused",
        "Configurations that were not signed for this board, were old, or came too fast"
      ) { $0.configuration == nil ? nil : $0.counts.refusedConfigurations },
    ]
  }

  var metrics: [ManagerInterface.Metric] { Self.families.flatMap { $0.metrics(of: self, object: id) } }
}
