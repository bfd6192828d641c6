internal import HummingbirdCore
internal import StepperClient
internal import StepperLinux
internal import Varlink

/// `GET /status`: the state of the program for operators.
struct StatusRoute {
  let daemon: DaemonConnections
  let problems: [String]

  func get(_ request: WebRequest) async throws -> Response {
    // The version is optional; the hub knows whether the daemon is connected.
    let info = try? await daemon.calls.call(ServiceInterface.GetInfo.self, .init())
    let connection = daemon.hub.read(\.connection)
    let holds = Int64(await daemon.keeper.count)
    let latencies = daemon.hub.latencies
    let daemonProblem = connection.problem.map { ["not connected to stepperd: \($0)"] } ?? []
    return Response(
      json: JSON.object { buffer throws(VarlinkMessageError) in
        JSONText.append(",\"version\":", Product.version, to: &buffer)
        JSONText.append(",\"daemonVersion\":", info?.version, to: &buffer)
        JSONText.append(",\"daemonReachable\":", connection == .open, to: &buffer)
        JSONText.append(",\"streams\":", Int64(daemon.hub.streamCount), to: &buffer)
        JSONText.append(",\"holds\":", holds, to: &buffer)
        JSONText.append(
          ",\"medianLatencyMicroseconds\":", latencies.microseconds(percentile: 50), to: &buffer)
        JSONText.append(
          ",\"highLatencyMicroseconds\":", latencies.microseconds(percentile: 99), to: &buffer)
        JSONText.append(",\"events\":", latencies.count, to: &buffer)
        try JSONText.append(",\"problems\":", problems + daemonProblem, to: &buffer)
      })
  }
}
