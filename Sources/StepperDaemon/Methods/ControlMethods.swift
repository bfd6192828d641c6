import StepperConfiguration
import StepperCore
import StepperInterfaces
import StepperSystem
import Varlink

/// Answers `org.stepperd.control`.
struct ControlMethods {
  unowned let world: World
  unowned let followers: Followers

  /// nil if this interface does not have the method.
  func answer(_ call: VarlinkCall, from peer: PeerCredentials, at now: Instant) throws(VarlinkFailure)
    -> Answer?
  {
    switch call.method {
    case ControlInterface.List.name: try list(call, peer)
    case ControlInterface.Get.name: try get(call)
    case ControlInterface.Set.name: try set(call, peer, now)
    case ControlInterface.Step.name: try step(call, peer, now)
    case ControlInterface.Reset.name: try reset(call, peer, now)
    case ControlInterface.Adjust.name: try adjust(call, peer, now)
    case ControlInterface.Describe.name: try describe(call, peer)
    case ControlInterface.Subscribe.name: try subscribe(call, peer)
    case ControlInterface.SubscribeMoments.name: try subscribeMoments(call)
    default: nil
    }
  }

  private func list(_ call: VarlinkCall, _ peer: PeerCredentials) throws(VarlinkFailure) -> Answer {
    let parameters = try call.parameters(of: ControlInterface.List.self)
    let matching = world.controls(matching: parameters.match.map { NamePatterns([$0]) } ?? .all)
    var room = ReplyRoom()
    let found = world.ids.filter(matching.contains).map { id in
      let description = world.description(of: id, isWritable: mayChange(id, peer))
      return ControlInterface.Control(
        description: description.fitted(into: &room), state: world.wireState(of: id))
    }
    let results = ControlInterface.List.Reply(
      instance: world.instance, sequence: world.sequence, controls: found)
    return .reply(ControlInterface.List.self, results)
  }

  private func get(_ call: VarlinkCall) throws(VarlinkFailure) -> Answer {
    let parameters = try call.parameters(of: ControlInterface.Get.self)
    let id = try control(parameters.control)
    return .reply(ControlInterface.Get.self, .init(state: world.wireState(of: id)))
  }

  private func set(_ call: VarlinkCall, _ peer: PeerCredentials, _ now: Instant) throws(VarlinkFailure)
    -> Answer
  {
    let parameters = try call.parameters(of: ControlInterface.Set.self)
    let id = try writableControl(parameters.control, peer)
    guard var request = try request(parameters, for: id) else {
      return .reply(ControlInterface.Set.self, .init(state: world.wireState(of: id)))
    }
    request.ifSequence = parameters.ifSequence
    for case .refuse(_, let refusal) in world.advance(to: now, applying: .set(id, request)) {
      throw failure(refusal, parameters)
    }
    return .reply(ControlInterface.Set.self, .init(state: world.wireState(of: id)))
  }

  /// The requested `value` or `text`, exactly one of which must be present; nil if the request changes nothing.
  private func request(
    _ parameters: ControlInterface.Set.Parameters, for id: ControlID
  ) throws(VarlinkFailure) -> SetRequest? {
    let clamps = parameters.clamp ?? false
    switch (parameters.value, parameters.text) {
    case (let value?, nil):
      guard let number = FixedPoint(nearest: value) else { throw invalid("value") }
      return SetRequest(number, clamps: clamps)
    case (nil, let text?):
      let rules = TextEntry(settings: world.adjustedSettings(of: id), unit: world.configuration(of: id).unit)
      return try rules.request(text, clamps: clamps)
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
    for case .applied(_, let steps) in world.advance(to: now, applying: input) { applied = steps }
    return .reply(
      ControlInterface.Step.self, .init(state: world.wireState(of: id), applied: applied))
  }

  private func reset(_ call: VarlinkCall, _ peer: PeerCredentials, _ now: Instant) throws(VarlinkFailure)
    -> Answer
  {
    let parameters = try call.parameters(of: ControlInterface.Reset.self)
    let id = try writableControl(parameters.control, peer)
    world.advance(to: now, applying: .reset(id))
    return .reply(ControlInterface.Reset.self, .init(state: world.wireState(of: id)))
  }

  private func adjust(_ call: VarlinkCall, _ peer: PeerCredentials, _ now: Instant) throws(VarlinkFailure)
    -> Answer
  {
    let parameters = try call.parameters(of: ControlInterface.Adjust.self)
    let id = try writableControl(parameters.control, peer)
    let range = RangeEntry(settings: world.adjustedSettings(of: id), parameters: parameters)
    let adjustment = try range.adjustment
    for case .refuse in world.advance(to: now, applying: .adjust(id, adjustment)) {
      throw range.refusal("the minimum would exceed the maximum")
    }
    return .reply(
      ControlInterface.Adjust.self,
      .init(
        description: world.description(of: id, isWritable: true), state: world.wireState(of: id)))
  }

  private func describe(_ call: VarlinkCall, _ peer: PeerCredentials) throws(VarlinkFailure) -> Answer {
    let parameters = try call.parameters(of: ControlInterface.Describe.self)
    let id = try control(parameters.control)
    let description = world.description(of: id, isWritable: mayChange(id, peer))
    let state = world.wireState(of: id)
    let accessibility = ControlInterface.Accessibility(
      description, state, world.configuration(of: id).presentation, language: parameters.language)
    return .reply(
      ControlInterface.Describe.self,
      .init(description: description, state: state, accessibility: accessibility))
  }

  private func subscribe(_ call: VarlinkCall, _ peer: PeerCredentials) throws(VarlinkFailure) -> Answer {
    let parameters = try call.parameters(of: ControlInterface.Subscribe.self)
    let follower = StateFollower(of: world, among: followers, parameters) { mayChange($0, peer) }
    followers.add(follower)
    return .stream(follower)
  }

  private func subscribeMoments(_ call: VarlinkCall) throws(VarlinkFailure) -> Answer {
    let follower = MomentFollower(try call.parameters(of: ControlInterface.SubscribeMoments.self))
    followers.add(follower)
    return .stream(follower)
  }

  // MARK: Requests

  private func control(_ name: String) throws(VarlinkFailure) -> ControlID {
    guard let id = world.control(named: name) else {
      throw VarlinkFailure(ControlInterface.NoSuchControl(control: name))
    }
    return id
  }

  private func writableControl(_ name: String, _ peer: PeerCredentials) throws(VarlinkFailure) -> ControlID {
    let id = try control(name)
    let access = world.configuration(of: id).writableBy
    guard access != .nobody else { throw VarlinkFailure(ControlInterface.NotWritable(control: name)) }
    guard world.authorization.mayChange(access, peer) else {
      throw VarlinkFailure(ServiceInterface.PermissionDenied())
    }
    return id
  }

  private func mayChange(_ id: ControlID, _ peer: PeerCredentials) -> Bool {
    world.authorization.mayChange(world.configuration(of: id).writableBy, peer)
  }

  private func invalid(_ parameter: String) -> VarlinkFailure {
    VarlinkFailure(ServiceInterface.InvalidParameter(parameter: parameter))
  }

  private func failure(_ refusal: Effect.Refusal, _ parameters: ControlInterface.Set.Parameters)
    -> VarlinkFailure
  {
    let name = parameters.control
    switch refusal {
    case .outOfRange(let value):
      let settings = world.control(named: name).map(world.adjustedSettings)
      return VarlinkFailure(
        ControlInterface.OutOfRange(
          control: name, value: value.doubleValue, minimum: settings?.minimumValue?.doubleValue,
          maximum: settings?.maximumValue?.doubleValue))
    case .changed(let sequence):
      return VarlinkFailure(ControlInterface.Changed(control: name, sequence: sequence))
    case .unset, .invalidRange, .unknownControl:
      return VarlinkFailure(ControlInterface.NoSuchValue(control: name, text: parameters.text ?? ""))
    }
  }
}
