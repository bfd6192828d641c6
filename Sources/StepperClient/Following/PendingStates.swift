internal import StepperInterfaces

/// The states that a reader has not taken yet: the latest state of every control, in the order of their first change.
///
/// It never holds more than one state for each control, however slow the reader is.
struct PendingStates: PendingReplies {
  typealias Method = ControlInterface.Subscribe
  typealias State = ControlInterface.State

  /// Many times the number of controls of a real daemon; it bounds the memory if a daemon invents controls without
  /// end.
  static let limit = 4_096

  private(set) var parameters: Method.Parameters
  /// The descriptions of the controls, if they were requested.
  private(set) var descriptions: [String: ControlInterface.Description] = [:]
  private var order: [String] = []
  private var latest: [String: State] = [:]
  /// The states that the reader has taken.
  private var taken: [String: State] = [:]

  init(_ parameters: Method.Parameters = .init()) { self.parameters = parameters }

  var count: Int { order.count }

  mutating func add(_ reply: Method.Reply) {
    parameters.instance = reply.instance
    parameters.sinceSequence = reply.sequence
    if let new = reply.descriptions {
      if reply.snapshot { descriptions = [:] }
      for description in new.prefix(Self.limit)
      where descriptions.count < Self.limit || descriptions[description.control] != nil {
        descriptions[description.control] = description
      }
    }
    add(reply.states, isSnapshot: reply.snapshot)
  }

  /// Adds the states of a reply. A snapshot adds only what the reader does not have, and removes the controls that it
  /// leaves out.
  mutating func add(_ states: [State], isSnapshot: Bool) {
    if isSnapshot { forgetAll(except: Set(states.map(\.control))) }
    for state in states {
      if latest[state.control] == nil {
        let known = taken[state.control]
        if isSnapshot, let known, known.hasSameContent(as: state) { continue }
        guard known != nil || latest.count + taken.count < Self.limit else { continue }
        order.append(state.control)
      }
      latest[state.control] = state
    }
  }

  mutating func take() -> State? {
    guard !order.isEmpty, let state = latest.removeValue(forKey: order.removeFirst()) else { return nil }
    taken[state.control] = state
    return state
  }

  private mutating func forgetAll(except controls: Set<String>) {
    order.removeAll { !controls.contains($0) }
    latest = latest.filter { controls.contains($0.key) }
    taken = taken.filter { controls.contains($0.key) }
  }
}

extension ControlInterface.State {
  /// Whether the states are equal apart from the time and the origin of the change, which a restarted daemon does not
  /// know.
  func hasSameContent(as other: Self) -> Bool {
    var other = other
    other.sequence = sequence
    other.monotonicMicroseconds = monotonicMicroseconds
    other.origin = origin
    return self == other
  }
}
