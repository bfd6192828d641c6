internal import StepperInterfaces
internal import Varlink

/// The latest of every control, and of the connection to the daemon.
///
/// Each change has a revision. A reader remembers up to which one it has seen (``Cursor``), and finds what is newer by
/// looking: so nothing is kept for it, however slow it is.
struct ControlRevisions {
  struct Entry {
    /// The same until the next snapshot.
    let description: ControlInterface.Description
    fileprivate(set) var state: ControlInterface.State
    /// The two as JSON, which every reader is sent.
    let descriptionText: [UInt8]
    fileprivate(set) var stateText: [UInt8]
    fileprivate(set) var accessibilityText: [UInt8]?
    fileprivate(set) var stateRevision: UInt64
    /// How often it was reported as changed.
    fileprivate(set) var changeCount: Int64 = 0
  }

  /// In the order of the configuration.
  private(set) var entries: [Entry] = []
  private var indices: [String: Int] = [:]
  /// nil: the daemon has not replied yet.
  private(set) var instance: String?
  private(set) var sequence: Int64 = 0
  /// That of the newest change.
  private(set) var revision: UInt64 = 0
  /// That of the newest snapshot of the daemon: readers who have not seen it get one.
  private(set) var snapshotRevision: UInt64 = 0
  /// How many changes the daemon has coalesced.
  private(set) var coalescedCount: Int64 = 0

  /// When the newest change was received.
  private(set) var changedAt = ContinuousClock.now

  private(set) var connection = DaemonReachability.never
  private(set) var connectionRevision: UInt64 = 0

  func entry(_ control: String) -> Entry? { indices[control].map { entries[$0] } }

  /// Takes a reply to `Subscribe`.
  mutating func apply(_ reply: ControlInterface.Subscribe.Reply) {
    revision += 1
    changedAt = .now
    (instance, sequence) = (reply.instance, reply.sequence)
    coalescedCount &+= reply.coalesced
    if reply.snapshot {
      replace(reply)
    } else {
      for (state, text) in zip(reply.states, Self.texts(reply)) { renew(state, text) }
    }
  }

  private mutating func replace(_ reply: ControlInterface.Subscribe.Reply) {
    snapshotRevision = revision
    let known = (reply.descriptions ?? []).map { ($0.control, $0) }
    let descriptions = Dictionary(known) { first, _ in first }
    entries = zip(reply.states, Self.texts(reply)).compactMap { state, text in
      descriptions[state.control].map { description in
        Entry(
          description: description, state: state, descriptionText: JSON.text(description),
          stateText: JSON.text(state), accessibilityText: text, stateRevision: revision)
      }
    }
    indices = [:]
    for (index, entry) in entries.enumerated() { indices[entry.state.control] = index }
  }

  /// What a screen reader says of each of the states; nil: the daemon does not send it.
  private static func texts(_ reply: ControlInterface.Subscribe.Reply) -> [[UInt8]?] {
    guard let all = reply.accessibility, all.count == reply.states.count else {
      return reply.states.map { _ in nil }
    }
    return zip(all, reply.states).map { accessibility, state in
      var accessibility = accessibility
      accessibility.control = state.control
      return JSON.text(accessibility)
    }
  }

  private mutating func renew(_ state: ControlInterface.State, _ accessibility: [UInt8]?) {
    guard let index = indices[state.control] else { return }
    entries[index].state = state
    entries[index].stateText = JSON.text(state)
    entries[index].accessibilityText = accessibility
    entries[index].stateRevision = revision
    entries[index].changeCount += 1
  }

  /// Notes what became of the connection; false if that was known.
  mutating func note(_ connection: DaemonReachability) -> Bool {
    guard connection != self.connection else { return false }
    self.connection = connection
    connectionRevision += 1
    return true
  }
}

extension ControlRevisions.Entry {
  /// The description as JSON; with `isReadOnly` for a client that may change nothing.
  func descriptionText(isReadOnly: Bool) -> [UInt8] {
    guard isReadOnly, description.writable else { return descriptionText }
    var description = description
    description.writable = false
    return JSON.text(description)
  }
}

/// The state of the connection to the daemon.
enum DaemonReachability: Hashable, Sendable {
  /// It was never open.
  case never
  case open
  /// With the reason, in words.
  case lost(String)

  var problem: String? {
    switch self {
    case .never: "the daemon has not answered yet"
    case .open: nil
    case .lost(let problem): problem
    }
  }
}
