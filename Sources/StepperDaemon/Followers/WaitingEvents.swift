/// The newest pending events of a subscriber, limited by their number and by their size in a reply.
struct WaitingEvents<Event> {
  private var events: [(event: Event, size: Int)] = []
  /// The number of dropped events at the start of the array, which are removed in bulk.
  private var droppedCount = 0
  private var size = 0

  /// More than a person can perceive in the time of a slow client.
  static var mostEvents: Int { 256 }
  /// A quarter of the maximum size of a reply.
  static var mostBytes: Int { 256 << 10 }

  var isEmpty: Bool { events.count == droppedCount }

  /// `size` is that of the event in a reply. Returns the number of the oldest events that were dropped.
  mutating func append(_ event: Event, size: Int) -> Int64 {
    let former = droppedCount
    events.append((event, size))
    self.size += size
    while events.count - droppedCount > Self.mostEvents || self.size > Self.mostBytes {
      self.size -= events[droppedCount].size
      droppedCount += 1
    }
    defer {
      if droppedCount >= Self.mostEvents {
        events.removeFirst(droppedCount)
        droppedCount = 0
      }
    }
    return Int64(droppedCount - former)
  }

  mutating func takeAll() -> [Event] {
    defer { (events, droppedCount, size) = ([], 0, 0) }
    return events[droppedCount...].map(\.event)
  }
}
