/// Counters of the server since the start, which ``MetricFamily`` describes.
struct ServerCounters: Hashable {
  var accepted: Int64 = 0
  var refused: Int64 = 0
  var outgrown: Int64 = 0
  var callsAnswered: Int64 = 0
  var repliesSent: Int64 = 0
  var bytesReceived: Int64 = 0
  var bytesSent: Int64 = 0
  var budgetOverruns: Int64 = 0
}
