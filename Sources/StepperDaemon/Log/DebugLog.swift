import StepperCore
import StepperLinux
import Varlink

/// The messages of `--log-level debug`: every input, every call and every effect, in their order.
extension Daemon {
  /// Events of a frame that are logged; a knob sends one or two.
  private static let mostEvents = 8

  func logInput(_ input: Input) { journal.debug(.device, text(of: input)) }

  func logCall(_ call: VarlinkCall, from session: Session) {
    journal.debug(.client, "process \(session.peer.processID) calls \(call.method)")
  }

  func logEffect(_ effect: Effect) { journal.debug(.daemon, text(of: effect)) }

  private func text(of input: Input) -> String {
    switch input {
    case .deviceAdded(let id, _): "\(name(of: id)) is connected"
    case .deviceRemoved(let id): "\(name(of: id)) is disconnected"
    case .frame(let id, let events): "\(name(of: id)): \(text(of: events))"
    case .resynchronized(let id, let events, let keysDown):
      "\(name(of: id)): resynchronized: \(text(of: events)); keys down: \(keysDown.map(\.name).sorted())"
    case .set(let id, let request): "\(world.name(of: id)): set to \(text(of: request.value))"
    case .step(let id, let count, let unit): "\(world.name(of: id)): \(count) steps of a \(unit)"
    case .reset(let id): "\(world.name(of: id)): reset"
    case .press(let id, let hold, let action):
      "\(world.name(of: id)): a client presses \(action.rawValue), hold \(hold.rawValue)"
    case .release(let id, let hold): "\(world.name(of: id)): a client releases hold \(hold.rawValue)"
    case .turn(let id, let detents): "\(world.name(of: id)): a client turns by \(detents)"
    case .slide(let id, let hold, let position):
      "\(world.name(of: id)): a client slides to \(position), hold \(hold.rawValue)"
    case .adjust(let id, _): "\(world.name(of: id)): range or steps adjusted"
    case .restored(let id, let value): "\(world.name(of: id)): restored to \(text(of: value))"
    case .configured: "another configuration"
    case .everythingReleased: "everything is released"
    case .timeSkipped(let time): "\(time.milliseconds) ms are skipped"
    }
  }

  private func text(of effect: Effect) -> String {
    switch effect {
    case .publish(let state):
      "\(world.name(of: state.control)): published \(text(of: state.value)), change \(state.sequence)"
    case .refuse(let id, let refusal): "\(world.name(of: id)): \(text(of: refusal))"
    case .applied(let id, let steps): "\(world.name(of: id)): \(steps) steps applied"
    case .adjusted(let id): "\(world.name(of: id)): adjusted"
    case .feedback(let feedback): "\(world.name(of: feedback.control)): moment \(feedback.moment.rawValue)"
    case .becameIdle: "the board is idle"
    case .becameActive(let device): "the board is active: \(device.map(name) ?? "a client")"
    }
  }

  private func text(of refusal: Effect.Refusal) -> String {
    switch refusal {
    case .outOfRange(let value): "refused: \(value.description) is out of range"
    case .changed(let sequence): "refused: changed since, by change \(sequence)"
    case .invalidRange: "refused: no valid range"
    case .unset: "refused: it cannot be unset"
    case .unknownControl: "refused: no control of this configuration"
    }
  }

  private func text(of events: EvdevEvents) -> String {
    let shown = events.prefix(Self.mostEvents).map { "\($0.usage.name) \($0.value)" }
    let rest = events.count > shown.count ? ["and \(events.count - shown.count) more"] : []
    return (shown + rest).joined(separator: ", ")
  }

  private func text(of value: FixedPoint?) -> String { value?.description ?? "unset" }

  private func name(of device: DeviceNumber) -> String {
    devices.index[device]?.name ?? "device \(device.rawValue)"
  }
}
