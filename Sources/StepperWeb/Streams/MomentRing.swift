internal import StepperInterfaces
internal import Varlink

/// The newest moments, for all streams together. A stream that is too slow loses the oldest, and gets their number.
struct MomentRing {
  private static let limit = 256

  private var moments: [(control: String, text: [UInt8])] = []
  /// The number of the first one that is kept.
  private var first: Int64 = 0
  /// How many the daemon says it has lost. It may overflow: only differences count.
  private var lostCount: Int64 = 0

  /// The position of a reader of later moments only.
  var end: Cursor { Cursor(next: first + Int64(moments.count), lostCount: lostCount) }

  struct Cursor {
    fileprivate var next: Int64 = 0
    fileprivate var lostCount: Int64 = 0
  }

  mutating func add(_ reply: ControlInterface.SubscribeMoments.Reply) {
    lostCount &+= reply.dropped
    for moment in reply.moments { moments.append((moment.control, JSON.text(moment))) }
    let surplus = max(0, moments.count - Self.limit)
    moments.removeFirst(surplus)
    first += Int64(surplus)
  }

  /// Appends what is newer than `cursor` as one event, and moves it.
  func appendEvent(after cursor: inout Cursor, of filter: ControlFilter, to buffer: inout [UInt8]) {
    let missed = max(0, first - cursor.next)
    let lost = missed &+ lostCount &- cursor.lostCount
    let new = moments.dropFirst(Int(clamping: max(0, cursor.next - first)))
    cursor = end
    let shown = new.filter { filter.matches($0.control) }
    guard !shown.isEmpty || lost > 0 else { return }
    EventText.append("moment", to: &buffer) { data in
      JSONText.append(literal: "{\"moments\":", to: &data)
      JSON.append(shown.lazy.map(\.text), to: &data)
      JSONText.append(",\"dropped\":", lost, to: &data)
      data.append(UInt8(ascii: "}"))
    }
  }
}
