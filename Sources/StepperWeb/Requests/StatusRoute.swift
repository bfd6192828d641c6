internal import HummingbirdCore
internal import StepperClient
internal import StepperLinux
internal import Varlink

/// `GET /status`: what an operator wants to know.
struct StatusRoute {
  let link: DaemonLink
  let problems: [String]

  func get(_ request: WebRequest) async throws -> Response {
    // The version is a courtesy; whether the daemon is there says the hub.
    let info = try? await link.calls.call(ServiceInterface.GetInfo.self, .init())
    let connection = link.hub.read(\.connection)
    let holds = Int64(await link.keeper.count)
    let latencies = link.hub.latencies
    let daemonProblem = connection.problem.map { ["the daemon is away: \($0)"] } ?? []
    return Response(
      json: JSON.text { buffer throws(VarlinkMessageError) in
        let start = buffer.count
        JSONText.append(",\"version\":", Product.version, to: &buffer)
        JSONText.append(",\"daemonVersion\":", info?.version, to: &buffer)
        JSONText.append(",\"daemonReachable\":", connection == .open, to: &buffer)
        JSONText.append(",\"streams\":", Int64(link.hub.streamCount), to: &buffer)
        JSONText.append(",\"holds\":", holds, to: &buffer)
        JSONText.append(
          ",\"medianLatencyMicroseconds\":", latencies.microseconds(percentile: 50), to: &buffer)
        JSONText.append(
          ",\"highLatencyMicroseconds\":", latencies.microseconds(percentile: 99), to: &buffer)
        JSONText.append(",\"events\":", latencies.count, to: &buffer)
        try JSONText.append(",\"problems\":", problems + daemonProblem, to: &buffer)
        JSONText.endObject(from: start, in: &buffer)
      })
  }
}
