/// What the server did since the start.
struct ServerCounters: Hashable {
  var accepted: Int64 = 0
  /// Connections that were closed at once because too many were open.
  var refused: Int64 = 0
  /// Connections that were closed because they did not read while memory ran out.
  var outgrown: Int64 = 0
  /// One-way calls included.
  var callsAnswered: Int64 = 0
  /// To calls, and of subscriptions.
  var repliesSent: Int64 = 0
  var bytesReceived: Int64 = 0
  var bytesSent: Int64 = 0
  /// How often a wakeup's budget did not suffice for what clients wanted; the rest was done in the next ones.
  var budgetOverruns: Int64 = 0
}

/// What was read from devices since the start.
struct ReadCounters: Hashable {
  /// Frames, and states that were read back after a loss.
  var frames: Int64 = 0
  /// Reads that left something for the next wakeup.
  var budgetOverruns: Int64 = 0
}

/// The storms of all devices since the start.
struct StormCounters: Hashable {
  /// Event storms that began.
  var begun: Int64 = 0
  /// Pauses in which a device was not read because of a storm.
  var pauses: Int64 = 0
}
