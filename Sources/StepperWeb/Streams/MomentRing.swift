internal import StepperInterfaces
internal import Varlink

/// The newest moments, shared by all streams. A stream that is too slow loses the oldest ones, and is told how many.
struct MomentRing {
  private static let limit = 256

  private var moments: [(control: String, text: JSONFragment)] = []
  /// The number of the oldest moment that is kept.
  private var first: Int64 = 0
  /// The number of moments that the daemon says it has lost. It may overflow: only differences count.
  private var lostCount: Int64 = 0

  /// The position of a reader that wants only later moments.
  var end: Cursor { Cursor(next: first + Int64(moments.count), lostCount: lostCount) }

  struct Cursor {
    fileprivate var next: Int64 = 0
    fileprivate var lostCount: Int64 = 0
  }

  mutating func add(_ reply: ControlInterface.SubscribeMoments.Reply) {
    lostCount &+= reply.dropped
    for moment in reply.moments { moments.append((moment.control, JSONFragment(JSON.text(moment)))) }
    let surplus = max(0, moments.count - Self.limit)
    moments.removeFirst(surplus)
    first += Int64(surplus)
  }

  /// Appends all moments newer than `cursor` as one event, and moves the cursor.
  func appendEvent(after cursor: inout Cursor, of selection: ControlSelection, to buffer: inout [UInt8]) {
    let missed = max(0, first - cursor.next)
    let lost = missed &+ lostCount &- cursor.lostCount
    let new = moments.dropFirst(Int(clamping: max(0, cursor.next - first)))
    cursor = end
    let shown = new.filter { selection.contains($0.control) }
    guard !shown.isEmpty || lost > 0 else { return }
    EventText.append("moment", ["moments": shown.map(\.text), "dropped": lost], to: &buffer)
  }
}
