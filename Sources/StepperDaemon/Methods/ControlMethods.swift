import StepperConfiguration
import StepperCore
import StepperSystem
import StepperWire

/// Answers `org.stepperd.control`.
struct ControlMethods {
  unowned let controls: Controls
  var authorization: Authorization

  static let subscriptionsPerDaemon = 256

  /// nil: no method of this interface.
  func answer(_ call: VarlinkCall, from peer: PeerCredentials, at now: Instant) throws(VarlinkFailure)
    -> Answer?
  {
    switch call.method {
    case ControlInterface.List.name: try list(call, peer)
    case ControlInterface.Get.name: try get(call)
    case ControlInterface.Set.name: try set(call, peer, now)
    case ControlInterface.Step.name: try step(call, peer, now)
    case ControlInterface.Reset.name: try reset(call, peer, now)
    case ControlInterface.Subscribe.name: try subscribe(call, peer)
    default: nil
    }
  }

  private func list(_ call: VarlinkCall, _ peer: PeerCredentials) throws(VarlinkFailure) -> Answer {
    let parameters = try call.parameters(of: ControlInterface.List.self)
    let matching = controls.controls(matching: [parameters.match ?? "*"])
    let found = controls.ids.filter(matching.contains).map { id in
      ControlInterface.Control(
        description: controls.description(of: id, isWritable: mayChange(id, peer)),
        state: controls.wireState(of: id))
    }
    let results = ControlInterface.List.Reply(
      instance: controls.instance, sequence: controls.sequence, controls: found)
    return .reply(ControlInterface.List.self, results)
  }

  private func get(_ call: VarlinkCall) throws(VarlinkFailure) -> Answer {
    let parameters = try call.parameters(of: ControlInterface.Get.self)
    let id = try control(parameters.control)
    return .reply(ControlInterface.Get.self, .init(state: controls.wireState(of: id)))
  }

  private func set(_ call: VarlinkCall, _ peer: PeerCredentials, _ now: Instant) throws(VarlinkFailure)
    -> Answer
  {
    let parameters = try call.parameters(of: ControlInterface.Set.self)
    let id = try writableControl(parameters.control, peer)
    let wanted = try number(parameters)
    let input = Input.set(
      id, wanted, clamps: parameters.clamp ?? false, ifSequence: parameters.ifSequence)
    for case .refuse(_, let refusal) in controls.advance(to: now, applying: input) {
      throw failure(refusal, parameters.control)
    }
    return .reply(ControlInterface.Set.self, .init(state: controls.wireState(of: id)))
  }

  /// The number that is to be set: `value` or `text`, exactly one of them.
  private func number(_ parameters: ControlInterface.Set.Parameters) throws(VarlinkFailure) -> FixedPoint {
    switch (parameters.value, parameters.text) {
    case (let value?, nil):
      guard let number = FixedPoint(nearest: value) else { throw invalid("value") }
      return number
    case (nil, let text?):
      guard let number = FixedPoint(text) else {
        throw VarlinkFailure(ControlInterface.NoSuchValue(control: parameters.control, text: text))
      }
      return number
    case (nil, nil): throw invalid("value")
    case (_?, _?): throw invalid("text")
    }
  }

  private func step(_ call: VarlinkCall, _ peer: PeerCredentials, _ now: Instant) throws(VarlinkFailure)
    -> Answer
  {
    let parameters = try call.parameters(of: ControlInterface.Step.self)
    let id = try writableControl(parameters.control, peer)
    let input = Input.step(id, parameters.steps, parameters.unit == .page ? .page : .step)
    var applied: Int64 = 0
    for case .applied(_, let steps) in controls.advance(to: now, applying: input) { applied = steps }
    return .reply(
      ControlInterface.Step.self, .init(state: controls.wireState(of: id), applied: applied))
  }

  private func reset(_ call: VarlinkCall, _ peer: PeerCredentials, _ now: Instant) throws(VarlinkFailure)
    -> Answer
  {
    let parameters = try call.parameters(of: ControlInterface.Reset.self)
    let id = try writableControl(parameters.control, peer)
    controls.advance(to: now, applying: .reset(id))
    return .reply(ControlInterface.Reset.self, .init(state: controls.wireState(of: id)))
  }

  private func subscribe(_ call: VarlinkCall, _ peer: PeerCredentials) throws(VarlinkFailure) -> Answer {
    let parameters = try call.parameters(of: ControlInterface.Subscribe.self)
    guard controls.subscriptionCount < Self.subscriptionsPerDaemon else {
      throw VarlinkFailure(
        ControlInterface.TooManySubscriptions(limit: Int64(Self.subscriptionsPerDaemon)))
    }
    let feed = ControlFeed(of: controls, parameters) { mayChange($0, peer) }
    controls.add(feed)
    return .stream(feed)
  }

  // MARK: Who and what

  private func control(_ name: String) throws(VarlinkFailure) -> ControlID {
    guard let id = controls.control(named: name) else {
      throw VarlinkFailure(ControlInterface.NoSuchControl(control: name))
    }
    return id
  }

  private func writableControl(_ name: String, _ peer: PeerCredentials) throws(VarlinkFailure) -> ControlID {
    let id = try control(name)
    let access = controls.configuration(of: id).writableBy
    guard access != .nobody else { throw VarlinkFailure(ControlInterface.NotWritable(control: name)) }
    guard authorization.mayChange(access, peer) else {
      throw VarlinkFailure(ServiceInterface.PermissionDenied())
    }
    return id
  }

  private func mayChange(_ id: ControlID, _ peer: PeerCredentials) -> Bool {
    authorization.mayChange(controls.configuration(of: id).writableBy, peer)
  }

  private func invalid(_ parameter: String) -> VarlinkFailure {
    VarlinkFailure(ServiceInterface.InvalidParameter(parameter: parameter))
  }

  private func failure(_ refusal: Effect.Refusal, _ name: String) -> VarlinkFailure {
    switch refusal {
    case .outOfRange(let value):
      let settings = controls.control(named: name).map { controls.configuration(of: $0).settings }
      return VarlinkFailure(
        ControlInterface.OutOfRange(
          control: name, value: value.doubleValue, minimum: settings?.minimumValue?.doubleValue,
          maximum: settings?.maximumValue?.doubleValue))
    case .changed(let sequence):
      return VarlinkFailure(ControlInterface.Changed(control: name, sequence: sequence))
    }
  }
}
