internal import HTTPTypes
internal import StepperClient
internal import StepperInterfaces

/// Presses, moves and releases for pages. The daemon gets the same lease that pages have here: it releases holds that are not renewed,
/// and all of them when this program ends.
///
/// The calls are made in the order in which pages request them, on one connection, so that a release never overtakes its press.
actor HoldKeeper {
  /// How a page's press is carried out.
  enum Mode: String {
    /// By a button or fader of the control itself.
    case engine
    /// As a single step, because the daemon is an older one.
    case step
    /// By setting values, because the daemon is an older one.
    case set
  }

  struct Outcome {
    let state: ControlInterface.State
    let held: Bool
    let mode: Mode
  }

  private static let leaseMilliseconds = HoldTable.lease.components.seconds * 1000

  private let calls: StepperClient
  private let hub: ControlHub
  private var table = HoldTable()

  init(calls: StepperClient, hub: ControlHub) { (self.calls, self.hub) = (calls, hub) }

  /// The number of holds.
  var count: Int { table.count(at: .now) }

  func press(
    _ id: String, of page: HoldTable.Page, _ control: String, _ gesture: HoldTable.Gesture
  ) async throws(Problem) -> Outcome {
    switch table.press(id, of: page, control, gesture, at: .now) {
    case .pressed: break
    case .renewed: return try await repeatPress(id)
    case .tapped: return try await tap(id, of: page, control, gesture)
    case .taken: throw .invalidParameter("hold", "this hold belongs to another control or action")
    case .full(let limit):
      throw Problem(
        .tooManyRequests, "there are \(limit) holds already, and no more are allowed", retryAfter: 1)
    }
    guard let hold = table.holds[id] else { throw .stopping }
    do throws(StepperClientError) {
      return try await send(hold)
    } catch {
      if Problem.isMissingMethod(error) {
        table.fallBack(id)
        return try await fallBack(control, gesture)
      }
      // It is unknown whether the daemon pressed it.
      if let hold = table.holds[id] { await end(hold) }
      table.withdraw(id)
      throw Problem(error)
    }
  }

  /// A repeated press, for example after a lost answer, renews the hold.
  private func repeatPress(_ id: String) async throws(Problem) -> Outcome {
    guard let hold = table.holds[id] else { throw .noSuchHold }
    do throws(StepperClientError) {
      return try await renew(hold)
    } catch {
      if error.code == .noSuchHold { table.withdraw(id) }
      throw Problem(error)
    }
  }

  private func tap(
    _ id: String, of page: HoldTable.Page, _ control: String, _ gesture: HoldTable.Gesture
  ) async throws(Problem) -> Outcome {
    let hold = HoldTable.Hold(id: id, page: page, control: control, gesture: gesture, deadline: .now)
    do throws(StepperClientError) {
      let outcome = try await send(hold)
      await end(hold)
      return Outcome(state: outcome.state, held: false, mode: outcome.mode)
    } catch {
      if Problem.isMissingMethod(error) { return try await fallBack(control, gesture) }
      // It is unknown whether the daemon pressed it.
      await end(hold)
      throw Problem(error)
    }
  }

  /// Presses a hold, or moves its fader.
  private func send(_ hold: HoldTable.Hold) async throws(StepperClientError) -> Outcome {
    switch hold.gesture {
    case .action(let action):
      let reply = try await calls.call(
        ControlInterface.Press.self,
        .init(
          control: hold.control, action: action, hold: hold.id, leaseMilliseconds: Self.leaseMilliseconds))
      return Outcome(state: reply.state, held: reply.held, mode: .engine)
    case .position(let position) where hold.isEngine:
      let reply = try await calls.call(
        ControlInterface.Slide.self,
        .init(
          control: hold.control, position: position, hold: hold.id,
          leaseMilliseconds: Self.leaseMilliseconds))
      return Outcome(state: reply.state, held: true, mode: .engine)
    case .position(let position):
      return Outcome(state: try await set(hold.control, at: position), held: true, mode: .set)
    }
  }

  /// Renews a hold in the daemon. This presses nothing there, because a release may overtake it.
  private func renew(_ hold: HoldTable.Hold) async throws(StepperClientError) -> Outcome {
    guard hold.isEngine else {
      return Outcome(state: try await calls.get(hold.control), held: true, mode: .set)
    }
    do throws(StepperClientError) {
      let reply = try await calls.renew(hold.control, hold: hold.id, lease: HoldTable.lease)
      return Outcome(state: reply.state, held: reply.held, mode: .engine)
    } catch {
      // An older daemon renews by pressing. A hold that was released in the meantime would be pressed again.
      guard Problem.isMissingMethod(error), let present = table.holds[hold.id] else { throw error }
      return try await send(present)
    }
  }

  /// Does a single step, or sets a single value. It does not imitate what the control would do.
  private func fallBack(_ control: String, _ gesture: HoldTable.Gesture) async throws(Problem) -> Outcome {
    if case .action(.push) = gesture {
      throw Problem(.notImplemented, "stepperd is too old to press the buttons of controls; update it")
    }
    do throws(StepperClientError) {
      let state =
        switch gesture {
        case .action(.increment): try await calls.step(control, by: 1).state
        case .action(.decrement): try await calls.step(control, by: -1).state
        case .action(.pageIncrement): try await calls.step(control, by: 1, unit: .page).state
        case .action(.pageDecrement): try await calls.step(control, by: -1, unit: .page).state
        case .action(.toMinimum): try await set(control, at: 0)
        case .action(.toMaximum): try await set(control, at: 1)
        case .action(.reset), .action(.push): try await calls.reset(control)
        case .position(let position): try await set(control, at: position)
        }
      return Outcome(state: state, held: !gesture.isAction, mode: gesture.isAction ? .step : .set)
    } catch {
      throw Problem(error)
    }
  }

  /// Without both ends of the range there is no position, and the state stays as it is.
  private func set(
    _ control: String, at position: Double
  ) async throws(StepperClientError) -> ControlInterface.State {
    guard let value = hub.value(of: control, at: position) else { return try await calls.get(control) }
    return try await calls.set(control, to: value, clamp: true)
  }
}

extension HoldKeeper {
  /// Renews those of `ids` that are held, and returns them, each once.
  func renew(_ ids: [String]) async -> [String] {
    let (alive, due) = table.renew(ids, at: .now)
    let ended = await withTaskGroup(of: String?.self) { group in
      for hold in due {
        group.addTask {
          // A hold that cannot be renewed is not alive; the page lets it lapse, and the lease ends it.
          (try? await self.renew(hold))?.held == true ? nil : hold.id
        }
      }
      var ended: Set<String> = []
      for await id in group { if let id { ended.insert(id) } }
      return ended
    }
    for id in ended { table.withdrawRenewal(id) }
    return alive.map(\.id).filter { !ended.contains($0) }
  }

  /// Moves a fader.
  func move(_ id: String, to position: Double) async throws(Problem) -> Outcome {
    guard let hold = table.move(id, to: position, at: .now) else { throw .noSuchHold }
    do throws(StepperClientError) {
      return try await send(hold)
    } catch {
      throw Problem(error)
    }
  }

  /// Releases a hold, and returns the resulting state; nil: there was no such hold.
  func release(_ id: String, from address: String) async -> ControlInterface.State? {
    guard let hold = table.release(id, from: address, at: .now) else { return nil }
    return await end(hold)
  }

  /// Releases everything held by the page whose stream of events, `stream`, has ended.
  func end(of stream: String) async {
    let ended = table.end(of: stream)
    await withTaskGroup(of: Void.self) { group in
      for hold in ended { group.addTask { await self.end(hold) } }
    }
  }

  /// The connection is lost: the daemon has released everything.
  func forgetAll() { table.endAll() }

  /// Called immediately when a hold is removed from the table, so that the release reaches the daemon before a press with the same name.
  @discardableResult
  private func end(_ hold: HoldTable.Hold) async -> ControlInterface.State? {
    guard hold.isEngine else { return try? await calls.get(hold.control) }  // The state is optional.
    // If this fails, the lease or the lost connection releases the hold.
    return try? await calls.release(hold.control, hold: hold.id)
  }
}

extension Problem {
  static let noSuchHold = Problem(.notFound, "there is no such hold, or it has ended")
}

extension ControlHub {
  /// The value at `position` of the range, from 0 to 1, rounded to a step; nil: the range lacks an end.
  func value(of control: String, at position: Double) -> Double? {
    read { table in
      guard let description = table.entry(control)?.description, let minimum = description.minimum,
        let maximum = description.maximum
      else { return nil }
      let offset = (maximum - minimum) * min(max(position, 0), 1)
      guard let step = description.step, step > 0 else { return minimum + offset }
      return min(minimum + (offset / step).rounded() * step, maximum)
    }
  }
}
