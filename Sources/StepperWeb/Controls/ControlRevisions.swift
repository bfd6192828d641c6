internal import StepperInterfaces
internal import Varlink

/// The latest state of every control, and of the connection to the daemon.
///
/// Each change has a revision. A reader only remembers the revision up to which it has seen everything (``Cursor``), and finds newer
/// changes by looking for them. So nothing is stored for a reader, however slow it is.
struct ControlRevisions {
  struct Entry {
    /// Constant until the next snapshot.
    let description: ControlInterface.Description
    fileprivate(set) var state: ControlInterface.State
    /// The description and the state as JSON, which is sent to every reader.
    let descriptionText: [UInt8]
    fileprivate(set) var stateText: [UInt8]
    fileprivate(set) var accessibilityText: [UInt8]?
    fileprivate(set) var stateRevision: UInt64
    /// How often the control was reported as changed.
    fileprivate(set) var changeCount: Int64 = 0
  }

  /// In the order of the configuration.
  private(set) var entries: [Entry] = []
  private var indices: [String: Int] = [:]
  /// nil: the daemon has not replied yet.
  private(set) var instance: String?
  private(set) var sequence: Int64 = 0
  /// The revision of the newest change.
  private(set) var revision: UInt64 = 0
  /// The revision of the daemon's newest snapshot. Readers that have not seen it are sent a snapshot.
  private(set) var snapshotRevision: UInt64 = 0
  /// The number of changes that the daemon has coalesced.
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

  /// What a screen reader says of each state; nil: the daemon does not send it.
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

  /// Records the state of the connection; false: it is not new.
  mutating func note(_ connection: DaemonReachability) -> Bool {
    guard connection != self.connection else { return false }
    self.connection = connection
    connectionRevision += 1
    return true
  }
}

extension ControlRevisions.Entry {
  /// The description as JSON. `isReadOnly` is for clients that may not change anything.
  func descriptionText(isReadOnly: Bool) -> [UInt8] {
    guard isReadOnly, description.writable else { return descriptionText }
    var description = description
    description.writable = false
    return JSON.text(description)
  }
}

/// The state of the connection to the daemon.
enum DaemonReachability: Hashable, Sendable {
  /// The connection was never open.
  case never
  case open
  /// The connection is lost, with the reason in words.
  case lost(String)

  var problem: String? {
    switch self {
    case .never: "the daemon has not answered yet"
    case .open: nil
    case .lost(let problem): problem
    }
  }
}
