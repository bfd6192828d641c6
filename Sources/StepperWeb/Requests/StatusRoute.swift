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
    let latencies = daemon.hub.latencies
    let daemonProblem = problem.map { ["not connected to stepperd: \($0)"] } ?? []
    return Response(
      json: JSON.object([
        "version": Product.version, "daemonVersion": version, "daemonReachable": isReachable,
        "streams": daemon.hub.streamCount, "holds": await daemon.keeper.count,
        "medianLatencyMicroseconds": latencies.microseconds(percentile: 50),
        "highLatencyMicroseconds": latencies.microseconds(percentile: 99),
        "events": latencies.count, "problems": problems + daemonProblem,
      ]))
  }
}
