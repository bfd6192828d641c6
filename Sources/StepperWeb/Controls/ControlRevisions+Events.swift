internal import StepperInterfaces
internal import Varlink

extension ControlRevisions {
  /// How far a reader has read.
  struct Cursor {
    fileprivate var revision: UInt64 = 0
    fileprivate var connectionRevision: UInt64?
    /// The number of changes of the reader's controls, coalesced ones included.
    fileprivate var changeCount: Int64 = 0
    /// The event from which the reader continues.
    var resumption: EventID?
    /// Whether the reader may not change anything.
    var isReadOnly = false
    /// Identifies what the reader is shown. A reader that returns with another view starts anew, because its rights and controls differ.
    var view: String?

    /// Whether there are changes that the reader has not seen.
    func isBehind(_ table: borrowing ControlRevisions) -> Bool { revision < table.revision }
  }

  /// The controls that ``appendEvents(after:of:describedBy:to:)`` would append.
  func news(after cursor: Cursor, of selection: ControlSelection) -> [Describer.Subject] {
    guard cursor.isBehind(self) else { return [] }
    let seen = cursor.revision < snapshotRevision ? 0 : cursor.revision
    return entries.lazy.filter { $0.stateRevision > seen && selection.contains($0.state.control) }.map(
      \.subject)
  }

  /// The approximate number of bytes that ``appendEvents(after:of:describedBy:to:)`` would append for all controls.
  func byteCount(after cursor: Cursor) -> Int {
    let isNew = cursor.revision < snapshotRevision
    return entries.reduce(256) { count, entry in
      guard isNew || entry.stateRevision > cursor.revision else { return count }
      let state = entry.stateText.count + (entry.accessibilityText?.count ?? 0)
      return count + state + (isNew ? entry.descriptionText.count : 0)
    }
  }

  /// Appends everything newer than `cursor` as events, and moves the cursor. A new connection comes first, then a snapshot or a change,
  /// and a lost connection comes last. `texts` are what screen readers say of controls; nil: the texts that arrived with the states are
  /// used.
  func appendEvents(
    after cursor: inout Cursor, of selection: ControlSelection,
    describedBy texts: [Describer.Subject: [UInt8]]? = nil,
    to buffer: inout [UInt8]
  ) {
    if connection == .open { appendConnection(after: &cursor, to: &buffer) }
    appendControls(after: &cursor, of: selection, describedBy: texts, to: &buffer)
    if connection != .open { appendConnection(after: &cursor, to: &buffer) }
  }

  private func appendConnection(after cursor: inout Cursor, to buffer: inout [UInt8]) {
    guard cursor.connectionRevision != connectionRevision,
      connection != .never || cursor.connectionRevision == nil
    else { return }
    cursor.connectionRevision = connectionRevision
    EventText.append(
      "daemon", ["connected": connection == .open, "problem": connection.problem], to: &buffer)
  }

  private func appendControls(
    after cursor: inout Cursor, of selection: ControlSelection,
    describedBy texts: [Describer.Subject: [UInt8]]?,
    to buffer: inout [UInt8]
  ) {
    guard let instance, cursor.revision < revision else { return }
    let isReadOnly = cursor.isReadOnly
    let id = EventID(instance: instance, sequence: sequence, view: cursor.view)
    let shown = entries.filter { selection.contains($0.state.control) }
    let count = shown.reduce(coalescedCount) { $0 &+ $1.changeCount }
    if cursor.revision < snapshotRevision {
      let start = cursor.resumption
      cursor.resumption = nil
      if let start, start.instance == instance, start.view == id.view, start.sequence <= sequence {
        let states = shown.filter { $0.state.sequence > start.sequence }
        appendChange(states, texts, coalesced: 0, id, to: &buffer)
      } else {
        let controls = shown.map { JSONFragment($0.text(texts, isReadOnly: isReadOnly)) }
        EventText.append(
          "snapshot", id: id, ["instance": instance, "sequence": sequence, "controls": controls], to: &buffer)
      }
    } else {
      let states = shown.filter { $0.stateRevision > cursor.revision }
      if !states.isEmpty {
        let coalesced = max(0, count &- cursor.changeCount &- Int64(states.count))
        appendChange(states, texts, coalesced: coalesced, id, to: &buffer)
      }
    }
    cursor.revision = revision
    cursor.changeCount = count
  }

  private func appendChange(
    _ states: [Entry], _ texts: [Describer.Subject: [UInt8]]?, coalesced: Int64, _ id: EventID,
    to buffer: inout [UInt8]
  ) {
    let accessibility = states.compactMap { $0.accessibility(texts) }.map(JSONFragment.init)
    EventText.append(
      "change", id: id,
      [
        "sequence": id.sequence, "coalesced": coalesced, "states": states.map { JSONFragment($0.stateText) },
        "accessibility": accessibility.isEmpty ? nil : accessibility,
      ], to: &buffer)
  }
}

extension ControlRevisions.Entry {
  var subject: Describer.Subject {
    Describer.Subject(
      control: state.control, sequence: state.sequence, revision: stateRevision)
  }

  fileprivate func accessibility(_ texts: [Describer.Subject: [UInt8]]?) -> [UInt8]? {
    guard let texts else { return accessibilityText }
    // A text that belongs to an earlier state is left out.
    return texts[subject]
  }

  /// The control as `{description, state, accessibility}`.
  func text(_ texts: [Describer.Subject: [UInt8]]?, isReadOnly: Bool) -> [UInt8] {
    JSON.object([
      "description": JSONFragment(descriptionText(isReadOnly: isReadOnly)), "state": JSONFragment(stateText),
      "accessibility": accessibility(texts).map(JSONFragment.init),
    ])
  }
}
