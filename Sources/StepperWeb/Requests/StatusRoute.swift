internal import HummingbirdCore
internal import StepperClient
internal import StepperLinux
internal import Varlink

/// `GET /status`: the state of the program for operators.
struct StatusRoute {
  let daemon: DaemonConnections
  let problems: [String]

  func get(_ request: WebRequest) async throws -> Response {
    let answer = await daemon.pulse.ask()
    let connection = daemon.hub.read(\.connection)
    var (version, problem, isReachable) = (String?.none, connection.problem, connection == .open)
    switch answer {
    case .success(let info)?: version = info.version
    case .failure(let error)? where !Problem.isMissingMethod(error):
      problem = problem ?? error.line
      isReachable = isReachable && !error.isOfConnection
    case .failure?, nil: break
    }
    let holds = Int64(await daemon.keeper.count)
    let latencies = daemon.hub.latencies
    let daemonProblem = problem.map { ["not connected to stepperd: \($0)"] } ?? []
    return Response(
      json: JSON.object { buffer throws(VarlinkMessageError) in
        JSONText.append(",\"version\":", Product.version, to: &buffer)
        JSONText.append(",\"daemonVersion\":", version, to: &buffer)
        JSONText.append(",\"daemonReachable\":", isReachable, to: &buffer)
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
