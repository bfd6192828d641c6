internal import StepperInterfaces
internal import Varlink

extension ControlRevisions {
  /// How far a reader has read.
  struct Cursor {
    fileprivate var revision: UInt64 = 0
    fileprivate var connectionRevision: UInt64?
    /// The changes of the controls it follows, folded or not.
    fileprivate var changeCount: Int64 = 0
    /// Where it continues.
    var resumption: EventID?
    /// Whether the reader may change nothing.
    var isReadOnly = false
    /// What the reader is shown; one that comes back to another view begins anew, for its rights and controls are others.
    var view: String?

    /// Whether there are changes that it has not seen.
    func isBehind(_ table: borrowing ControlRevisions) -> Bool { revision < table.revision }
  }

  /// The controls that ``appendEvents(after:of:describedBy:to:)`` would append.
  func news(after cursor: Cursor, of filter: ControlFilter) -> [Describer.Subject] {
    guard cursor.isBehind(self) else { return [] }
    let seen = cursor.revision < snapshotRevision ? 0 : cursor.revision
    return entries.lazy.filter { $0.stateRevision > seen && filter.matches($0.state.control) }.map(\.subject)
  }

  /// About how many bytes ``appendEvents(after:of:describedBy:to:)`` would append of all controls.
  func byteCount(after cursor: Cursor) -> Int {
    let isNew = cursor.revision < snapshotRevision
    return entries.reduce(256) { count, entry in
      guard isNew || entry.stateRevision > cursor.revision else { return count }
      let state = entry.stateText.count + (entry.accessibilityText?.count ?? 0)
      return count + state + (isNew ? entry.descriptionText.count : 0)
    }
  }

  /// Appends what is newer than `cursor` as events, and moves it: that the connection is there, a snapshot or a change, and
  /// that the connection is lost, after what came before that. `texts` are what screen readers say of controls; nil: what
  /// came with the states.
  func appendEvents(
    after cursor: inout Cursor, of filter: ControlFilter,
    describedBy texts: [Describer.Subject: [UInt8]]? = nil,
    to buffer: inout [UInt8]
  ) {
    if connection == .open { appendConnection(after: &cursor, to: &buffer) }
    appendControls(after: &cursor, of: filter, describedBy: texts, to: &buffer)
    if connection != .open { appendConnection(after: &cursor, to: &buffer) }
  }

  private func appendConnection(after cursor: inout Cursor, to buffer: inout [UInt8]) {
    guard cursor.connectionRevision != connectionRevision,
      connection != .never || cursor.connectionRevision == nil
    else { return }
    cursor.connectionRevision = connectionRevision
    append("daemon", to: &buffer) { data in
      JSONText.append(",\"connected\":", connection == .open, to: &data)
      JSONText.append(",\"problem\":", connection.problem, to: &data)
    }
  }

  private func appendControls(
    after cursor: inout Cursor, of filter: ControlFilter, describedBy texts: [Describer.Subject: [UInt8]]?,
    to buffer: inout [UInt8]
  ) {
    guard let instance, cursor.revision < revision else { return }
    let isReadOnly = cursor.isReadOnly
    let id = EventID(instance: instance, sequence: sequence, view: cursor.view)
    let shown = entries.filter { filter.matches($0.state.control) }
    let count = shown.reduce(coalescedCount) { $0 &+ $1.changeCount }
    if cursor.revision < snapshotRevision {
      let start = cursor.resumption
      cursor.resumption = nil
      if let start, start.instance == instance, start.view == id.view, start.sequence <= sequence {
        let states = shown.filter { $0.state.sequence > start.sequence }
        appendChange(states, texts, coalesced: 0, id, to: &buffer)
      } else {
        append("snapshot", id: id, to: &buffer) { data in
          JSONText.append(",\"instance\":", instance, to: &data)
          JSONText.append(",\"sequence\":", sequence, to: &data)
          JSONText.append(literal: ",\"controls\":", to: &data)
          JSON.append(shown.lazy.map { $0.text(texts, isReadOnly: isReadOnly) }, to: &data)
        }
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
    append("change", id: id, to: &buffer) { data in
      JSONText.append(",\"sequence\":", id.sequence, to: &data)
      JSONText.append(",\"coalesced\":", coalesced, to: &data)
      JSONText.append(literal: ",\"states\":", to: &data)
      JSON.append(states.lazy.map(\.stateText), to: &data)
      let accessibility = states.compactMap { $0.accessibility(texts) }
      if !accessibility.isEmpty {
        JSONText.append(literal: ",\"accessibility\":", to: &data)
        JSON.append(accessibility, to: &data)
      }
    }
  }

  private func append(
    _ type: StaticString, id: EventID? = nil, to buffer: inout [UInt8], _ members: (inout [UInt8]) -> Void
  ) {
    EventText.append(type, id: id?.text, to: &buffer) { data in
      let start = data.count
      members(&data)
      JSONText.endObject(from: start, in: &data)
    }
  }
}

extension ControlRevisions.Entry {
  var subject: Describer.Subject {
    Describer.Subject(
      control: state.control, sequence: state.sequence, revision: stateRevision)
  }

  fileprivate func accessibility(_ texts: [Describer.Subject: [UInt8]]?) -> [UInt8]? {
    guard let texts else { return accessibilityText }
    // One of a state before is left out.
    return texts[subject]
  }

  /// The control as `{description, state, accessibility}`.
  func text(_ texts: [Describer.Subject: [UInt8]]?, isReadOnly: Bool) -> [UInt8] {
    var buffer: [UInt8] = []
    JSONText.append(literal: "{\"description\":", to: &buffer)
    buffer += descriptionText(isReadOnly: isReadOnly)
    JSONText.append(literal: ",\"state\":", to: &buffer)
    buffer += stateText
    if let accessibilityText = accessibility(texts) {
      JSONText.append(literal: ",\"accessibility\":", to: &buffer)
      buffer += accessibilityText
    }
    buffer.append(UInt8(ascii: "}"))
    return buffer
  }
}
