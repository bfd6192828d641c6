import StepperCore
import StepperInterfaces
import Varlink

/// The methods of `org.stepperd.control` with which clients press buttons, turn knobs and slide faders.
extension Methods {
  func pressControl(_ parameters: ControlInterface.Press.Parameters) throws(VarlinkFailure) -> Answer {
    let id = try movableControl(parameters.control)
    let action = PressAction(parameters.action)
    guard world.adjustedSettings(of: id).action(of: action) != nil else { throw invalid("action") }
    let (hold, isNew) = try hold(
      parameters.hold, .button(action), on: (parameters.control, id), parameters.leaseMilliseconds)
    if isNew { world.advance(to: now, applying: .press(id, hold.number, action)) }
    return reply(with: id, held: isHeld(hold, on: id))
  }

  func renewHold(_ parameters: ControlInterface.Renew.Parameters) throws(VarlinkFailure) -> Answer {
    let id = try movableControl(parameters.control)
    try check(parameters.hold)
    daemon.holds.noteRenewal(of: session.id)
    let lease = parameters.leaseMilliseconds.map { now + .milliseconds($0) }
    guard let hold = daemon.holds.hold(parameters.hold, of: session.id),
      hold.control == parameters.control, !hold.hasEnded
    else {
      throw VarlinkFailure(
        ControlInterface.NoSuchHold(control: parameters.control, hold: parameters.hold))
    }
    daemon.holds.renew(parameters.hold, of: session.id, until: lease)
    return reply(with: id, held: hold.input == .fader || isHeld(hold, on: id))
  }

  func releaseControl(_ parameters: ControlInterface.Release.Parameters) throws(VarlinkFailure) -> Answer {
    // A hold is released even if its control is gone or the client may no longer change it.
    if let hold = daemon.holds.hold(parameters.hold, of: session.id), hold.control == parameters.control {
      _ = daemon.holds.remove(parameters.hold, of: session.id)
      if !hold.hasEnded { world.advance(to: now, applying: .release(hold.id, hold.number)) }
      return reply(with: try control(parameters.control))
    }
    return reply(with: try movableControl(parameters.control))
  }

  func turnControl(_ parameters: ControlInterface.Turn.Parameters) throws(VarlinkFailure) -> Answer {
    let id = try movableControl(parameters.control)
    guard world.adjustedSettings(of: id).kind != .button else { throw invalid("control") }
    world.advance(to: now, applying: .turn(id, detents: parameters.detents))
    return reply(with: id)
  }

  func slideControl(_ parameters: ControlInterface.Slide.Parameters) throws(VarlinkFailure) -> Answer {
    let id = try movableControl(parameters.control)
    guard world.adjustedSettings(of: id).hasFaders else { throw invalid("control") }
    let (hold, _) = try hold(
      parameters.hold, .fader, on: (parameters.control, id), parameters.leaseMilliseconds)
    let position = min(max(parameters.position, 0), 1) * Double(Input.faderTravel)
    world.advance(to: now, applying: .slide(id, hold.number, position: Int64(position.rounded())))
    return reply(with: id)
  }

  // MARK: Holds

  /// The hold with that name, renewed, or a new hold.
  private func hold(
    _ name: String, _ input: ClientHolds.Input, on control: (name: String, id: ControlID),
    _ leaseMilliseconds: Int64?
  ) throws(VarlinkFailure) -> (hold: ClientHolds.Hold, isNew: Bool) {
    try check(name)
    let lease = leaseMilliseconds.map { now + .milliseconds($0) }
    // From version 1.0 on, this will be so on all connections: see the description of Press.
    let isStrict = input != .fader && daemon.holds.hasRenewed(session.id)
    if isStrict, let hold = daemon.holds.hold(name, of: session.id) {
      guard hold.hasEnded else {
        throw VarlinkFailure(ControlInterface.HoldInUse(control: hold.control, hold: name))
      }
      _ = daemon.holds.remove(name, of: session.id)
    }
    if let hold = daemon.holds.hold(name, of: session.id) {
      guard hold.input == input, hold.control == control.name else { throw invalid("hold") }
      daemon.holds.renew(name, of: session.id, until: lease)
      return (hold, false)
    }
    guard let hold = daemon.holds.add(name, of: session.id, input, on: control, until: lease) else {
      throw VarlinkFailure(ControlInterface.TooManyHolds(limit: Int64(ClientHolds.most)))
    }
    return (hold, true)
  }

  /// Throws if `hold` is not a valid name of a hold.
  private func check(_ hold: String) throws(VarlinkFailure) {
    guard !hold.isEmpty, hold.utf8.allSatisfy(\.isNameByte) else { throw invalid("hold") }
  }

  private func isHeld(_ hold: ClientHolds.Hold, on id: ControlID) -> Bool {
    guard !hold.hasEnded else { return false }
    // A reset is complete at the press, and reaching an end of the range does not undo it.
    if hold.input == .button(.reset) { return world.adjustedSettings(of: id).isEnabled }
    return world.engine.isHeld(hold.number, on: id)
  }
}

extension PressAction {
  fileprivate init(_ action: ControlInterface.Action) {
    self =
      switch action {
      case .increment: .increment
      case .decrement: .decrement
      case .pageIncrement: .pageIncrement
      case .pageDecrement: .pageDecrement
      case .toMinimum: .toMinimum
      case .toMaximum: .toMaximum
      case .reset: .reset
      case .push: .push
      }
  }
}
