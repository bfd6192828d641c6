import StepperCore
import Varlink

/// The newest pending events of a subscriber, limited by their number and by their size in a reply.
struct WaitingEvents {
  /// An event as part of a reply, encoded once for all subscribers.
  struct Event {
    var time: Instant
    var json: [UInt8]

    /// nil if it cannot be encoded, because a number in it is not finite.
    init?(_ event: some JSONWritable, at time: Instant) {
      self.time = time
      json = []
      do throws(VarlinkMessageError) { try event.appendJSON(to: &json) } catch { return nil }
    }
  }

  private var events: [Event] = []
  /// The number of dropped events at the start of the array, which are removed in bulk.
  private var droppedCount = 0
  private var size = 0

  /// Maximum number of events: more than a person can perceive in the time that a slow client takes.
  static var mostEvents: Int { 256 }
  /// Maximum size of the events: a quarter of the maximum size of a reply.
  static var mostBytes: Int { 256 << 10 }

  var isEmpty: Bool { events.count == droppedCount }

  /// Adds an event. Returns how many of the oldest events were dropped for it.
  mutating func append(_ event: Event) -> Int64 {
    let former = droppedCount
    events.append(event)
    size += event.json.count
    while events.count - droppedCount > Self.mostEvents || size > Self.mostBytes {
      size -= events[droppedCount].json.count
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
    guard !events.isEmpty else { return [] }
    defer { (events, droppedCount, size) = ([], 0, 0) }
    return Array(events[droppedCount...])
  }
}

extension WaitingEvents.Event: JSONWritable {
  func appendJSON(to bytes: inout [UInt8]) { bytes += json }
}
