/// Counters of the server since the start.
struct ServerCounters: Hashable {
  var accepted: Int64 = 0
  /// Connections that were closed immediately because too many were open.
  var refused: Int64 = 0
  /// Connections that were closed because they did not read while the memory limit was exceeded.
  var outgrown: Int64 = 0
  /// Calls that were answered, one-way calls included.
  var callsAnswered: Int64 = 0
  /// Replies to calls and of subscriptions.
  var repliesSent: Int64 = 0
  var bytesReceived: Int64 = 0
  var bytesSent: Int64 = 0
  /// Wakeups whose budget was insufficient for the pending work of clients; the rest was done in the next ones.
  var budgetOverruns: Int64 = 0
}

/// Counters of reading devices since the start.
struct ReadCounters: Hashable {
  /// Frames, and states after a resynchronization.
  var frames: Int64 = 0
  /// Reads that left events for the next wakeup.
  var budgetOverruns: Int64 = 0
}

/// The storms of all devices since the start.
struct StormCounters: Hashable {
  /// Storms that began.
  var begun: Int64 = 0
  /// Pauses in reading a device because of a storm.
  var pauses: Int64 = 0
}
