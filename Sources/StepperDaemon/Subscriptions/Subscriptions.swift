import StepperCore
import StepperInterfaces
import Varlink

/// All subscriptions of all clients, and the other calls that wait for their reply, in one table whose rows are values.
///
/// A row is found by its number, which the session of its call knows. There are no callbacks: sessions that have got
/// something to send are recorded for ``takeDue(_:)``.
final class Subscriptions {
  let world: World
  let devices: Devices
  let store: ValueStore
  let configuration: ConfigurationLoader
  let checks: ConfigurationChecks
  private(set) var rows: [Subscription] = []
  /// The properties of each row that are needed several times in a wakeup.
  private var summaries: [Summary] = []
  /// The numbers of free rows.
  private var free: [Int] = []
  private var states = RowsByControl()
  private var moments = RowsByControl()
  private var ofDevices: [Int] = []
  private var ofFrames: [Int] = []
  private(set) var ofOrders: [Int] = []
  /// Calls of `Save`, `Reload` and `Check` that are not answered yet.
  private var ofWork: [Int] = []
  /// Sessions that have got something to send since the last ``takeDue(_:)``.
  private var due: [Int64] = []
  /// Changes that were coalesced because subscribers read slowly.
  var coalesced: Int64 = 0
  /// The last reply to subscribers of states.
  var changeReply = ChangeReply()

  init(
    _ world: World, _ devices: Devices, _ store: ValueStore, _ configuration: ConfigurationLoader,
    _ checks: ConfigurationChecks
  ) {
    (self.world, self.devices, self.store) = (world, devices, store)
    (self.configuration, self.checks) = (configuration, checks)
  }

  var count: Int {
    states.rows.count + moments.rows.count + ofDevices.count + ofFrames.count + ofOrders.count
  }
  var followMoments: Bool { !moments.rows.isEmpty }
  /// Whether any client watches devices.
  var followFrames: Bool { !ofFrames.isEmpty }

  // MARK: Rows

  private struct Summary {
    /// See ``Subscription/due()``.
    var due: Instant?
    var kind: Kind

    enum Kind {
      /// States without texts for screen readers.
      case plainStates
      case states, moments, devices, frames, orders, work
    }

    init(_ subscription: inout Subscription) {
      due = subscription.due()
      kind =
        switch subscription.topic {
        case .states(let options): options.language == nil ? .plainStates : .states
        case .moments: .moments
        case .devices: .devices
        case .frames: .frames
        case .orders: .orders
        case .save, .reload, .check: .work
        }
    }
  }

  /// Whether a row follows states without texts for screen readers.
  func hasPlainStates(_ row: Int) -> Bool { summaries[row].kind == .plainStates }

  /// Adds a row; returns its number.
  func add(_ subscription: Subscription) -> Int {
    var subscription = subscription
    subscription.controls = world.controls(matching: subscription.patterns)
    let row = free.popLast() ?? rows.count
    let summary = Summary(&subscription)
    if row == rows.count {
      rows.append(subscription)
      summaries.append(summary)
    } else {
      (rows[row], summaries[row]) = (subscription, summary)
    }
    switch subscription.topic {
    case .states: states.add(row, following: subscription.controls)
    case .moments: moments.add(row, following: subscription.controls)
    case .devices: ofDevices.append(row)
    case .frames:
      ofFrames.append(row)
      watchMatchingDevices(row)
    case .orders:
      ofOrders.append(row)
      for handle in rows[row].orders.handles.sorted() {
        for level in devices.levels(of: handle) { rows[row].orders.note(level, of: handle) }
      }
    case .save, .reload, .check: ofWork.append(row)
    }
    return row
  }

  /// Frees a row. Returns whether the row watched devices.
  func remove(_ row: Int) -> Bool {
    defer {
      rows[row] = Subscription(.devices, of: 0)
      summaries[row].due = nil
      free.append(row)
    }
    switch rows[row].topic {
    case .states: states.remove(row)
    case .moments: moments.remove(row)
    case .devices: ofDevices.removeAll { $0 == row }
    case .frames:
      ofFrames.removeAll { $0 == row }
      return true
    case .orders: ofOrders.removeAll { $0 == row }
    case .check(let number, _):
      checks.cancel(number)
      ofWork.removeAll { $0 == row }
    case .save, .reload: ofWork.removeAll { $0 == row }
    }
    return false
  }

  /// Updates when a row is due after the row has recorded something. Notes its session if the row had nothing to send before.
  private func noteDue(_ row: Int) {
    let hadSome = summaries[row].due != nil
    summaries[row].due = rows[row].due()
    if !hadSome, summaries[row].due != nil { due.append(rows[row].session) }
  }

  /// Passes the sessions that may have got something to send since the last call, some of them several times.
  func takeDue(_ pass: (_ session: Int64) -> Void) {
    for row in ofWork where isReady(row) { pass(rows[row].session) }
    for session in due { pass(session) }
    due.removeAll(keepingCapacity: true)
  }

  // MARK: Changes

  /// The state of a control has changed.
  func noteState(of control: ControlID) {
    for row in states.following(control) {
      rows[row].note(control)
      noteDue(row)
    }
  }

  /// Records a moment of a control.
  func note(_ moment: ControlInterface.MomentEvent, of control: ControlID, at time: Instant) {
    guard let event = WaitingEvents.Event(moment, at: time) else { return }
    for row in moments.following(control) { change(row) { $0.note(event) } }
  }

  /// The description of a control has changed.
  func noteDescriptions() {
    for row in states.rows { change(row) { $0.restart() } }
  }

  /// Rights may have changed: ends the monitors of users that are not administrators any more.
  func noteRights() {
    for row in ofFrames {
      guard case .frames(let options) = rows[row].topic else { continue }
      change(row) { $0.isForbidden = !world.authorization.isAdministrator(options.peer) }
    }
  }

  /// The set of controls was replaced.
  func noteControls() {
    for row in states.rows + moments.rows {
      rows[row].controls = world.controls(matching: rows[row].patterns)
    }
    states.replace { rows[$0].controls }
    moments.replace { rows[$0].controls }
    noteDescriptions()
  }

  /// A device of this name was added, removed, or has a different state.
  func noteDevice(_ name: String) {
    let isThere = devices.index[name] != nil
    for row in ofDevices { change(row) { $0.noteDevice(name, isThere: isThere) } }
    for row in ofFrames where rows[row].patterns.fit(name) {
      let isWatched = devices.index[name].map { rows[row].mayWatch($0) } ?? false
      change(row) { $0.noteDevice(name, isThere: isThere, isWatched: isWatched) }
    }
  }

  /// Whether a client watches the device of this name.
  func watch(_ device: String) -> Bool { ofFrames.contains { rows[$0].watchedDevices.contains(device) } }

  /// Records a frame of a watched device.
  func note(_ frame: DeviceInterface.Frame, at time: Instant) {
    guard let event = WaitingEvents.Event(frame, at: time) else { return }
    for row in ofFrames where rows[row].watchedDevices.contains(frame.device) {
      change(row) { $0.note(event) }
    }
  }

  private func watchMatchingDevices(_ row: Int) {
    let matching = rows[row].patterns.indices(of: devices.entries.map(\.name))
    for (place, entry) in devices.entries.enumerated() where matching.contains(place) {
      rows[row].noteDevice(entry.name, isThere: true, isWatched: rows[row].mayWatch(entry))
    }
  }

  /// Changes a row, and updates when it is due.
  func change<Result>(_ row: Int, _ change: (inout Subscription) -> Result) -> Result {
    defer { noteDue(row) }
    return change(&rows[row])
  }

  /// Takes the content of the reply of a row, if a reply is due.
  func take(_ row: Int, at now: Instant) -> Subscription.Report? { change(row) { $0.take(at: now) } }
}

// MARK: Replies

extension Subscriptions: ReplySource {
  func due(_ row: Int) -> Instant? {
    guard summaries[row].kind == .work else { return summaries[row].due }
    return isReady(row) ? Instant(nanoseconds: 0) : nil
  }

  func sendReply(_ row: Int, on connection: inout VarlinkServerConnection, at now: Instant) -> Instant? {
    switch summaries[row].kind {
    case .plainStates, .states: return sendStates(row, on: &connection, at: now)
    case .moments: sendMoments(row, on: &connection, at: now)
    case .devices: sendDevices(row, on: &connection, at: now)
    case .frames: sendFrames(row, on: &connection, at: now)
    case .orders: sendOrders(row, on: &connection, at: now)
    case .work: sendResult(row, on: &connection)
    }
    return nil
  }

  private func sendMoments(_ row: Int, on connection: inout VarlinkServerConnection, at now: Instant) {
    guard let report = take(row, at: now) else { return }
    connection.reply(continues: true) { bytes throws(VarlinkMessageError) in
      let start = bytes.count
      try JSONText.append(",\"moments\":", report.events, to: &bytes)
      JSONText.append(",\"dropped\":", report.missed, to: &bytes)
      JSONText.endObject(from: start, in: &bytes)
    }
  }

  func stopping(_ row: Int) -> VarlinkFailure {
    switch rows[row].topic {
    case .states, .moments: VarlinkFailure(ControlInterface.Stopping())
    case .devices, .frames: VarlinkFailure(DeviceInterface.Stopping())
    case .orders: VarlinkFailure(ProviderInterface.Stopping())
    case .save, .reload, .check: stoppingWork(row)
    }
  }
}
