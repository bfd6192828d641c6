import StepperConfiguration
import StepperCore
import StepperInterfaces
import StepperLinux
import Varlink

/// `org.stepperd.control`.
extension Methods {
  func listControls(_ parameters: ControlInterface.List.Parameters) -> ControlInterface.List.Reply {
    let matching = world.controls(matching: NamePatterns(parameters.match.map { [$0] }))
    var room = ReplyRoom()
    let found = matching.map { id in
      let description = world.description(of: id, isWritable: mayChange(id))
      return ControlInterface.Control(
        description: description.fitted(into: &room), state: world.wireState(of: id))
    }
    return .init(instance: world.instance, sequence: world.sequence, controls: found)
  }

  func get(_ parameters: ControlInterface.Get.Parameters) throws(VarlinkFailure) -> Answer {
    reply(with: try control(parameters.control))
  }

  /// The reply of ``get(_:)`` and of the methods that change the value. It has the state as subscribers get it; for
  /// ``step(_:)`` the number of steps that were `applied`; for ``pressControl(_:)`` and ``renewHold(_:)`` whether the
  /// button is `held`; and the description if `describe` is true.
  func reply(with id: ControlID, applied: Int64? = nil, held: Bool? = nil, describe: Bool? = nil) -> Answer {
    .written { [world, session, entry = world.entry(of: id)] bytes throws(VarlinkMessageError) in
      JSONText.append(literal: "{\"state\":", to: &bytes)
      try entry.appendState(to: &bytes)
      JSONText.append(",\"applied\":", applied, to: &bytes)
      JSONText.append(",\"held\":", held, to: &bytes)
      if describe == true {
        let isWritable = world.mayChange(entry.id, session.peer)
        let description = world.description(of: entry.id, isWritable: isWritable).fitted
        try JSONText.append(",\"description\":", description, to: &bytes)
      }
      JSONText.append(literal: "}", to: &bytes)
    }
  }

  func set(_ parameters: ControlInterface.Set.Parameters) throws(VarlinkFailure) -> Answer {
    let id = try writableControl(parameters.control)
    if var request = try request(parameters, for: id) {
      request.ifSequence = parameters.ifSequence
      if parameters.check == true {
        if let refusal = world.engine.refusal(of: request, for: id) {
          throw failure(refusal, of: id, parameters)
        }
        return reply(with: id, describe: parameters.describe)
      }
      let former = world.state(of: id).sequence
      for case .refuse(_, let refusal) in world.advance(to: now, applying: .set(id, request)) {
        throw failure(refusal, of: id, parameters)
      }
      saveUnlessPublished(id, since: former)
    }
    return reply(with: id, describe: parameters.describe)
  }

  /// Saves a value that was chosen for a control even if the control already had it, so that nothing was published.
  private func saveUnlessPublished(_ id: ControlID, since sequence: Int64) {
    let entry = world.entry(of: id)
    if entry.state.sequence == sequence { daemon.store.keep(entry.state.value, of: entry, at: now) }
  }

  /// The requested `value` or `text`, exactly one of which must be present; nil if the request changes nothing.
  private func request(
    _ parameters: ControlInterface.Set.Parameters, for id: ControlID
  ) throws(VarlinkFailure) -> SetRequest? {
    let clamps = parameters.clamp ?? false
    switch (parameters.value, parameters.text) {
    case (let value?, nil):
      if let number = FixedPoint(nearest: value) { return SetRequest(number, clamps: clamps) }
      return try request(beyond: value, of: id, clamps: clamps)
    case (nil, let text?):
      let rules = TextEntry(settings: world.adjustedSettings(of: id), unit: world.configuration(of: id).unit)
      return try rules.request(text, clamps: clamps)
    case (nil, nil): throw invalid("value")
    case (_?, _?): throw invalid("text")
    }
  }

  /// The request for a number that is too large for any value: the end of the range in its direction.
  private func request(beyond value: Double, of id: ControlID, clamps: Bool) throws(VarlinkFailure)
    -> SetRequest
  {
    let settings = world.adjustedSettings(of: id)
    guard let end = value < 0 ? settings.minimumValue : settings.maximumValue else { throw invalid("value") }
    guard clamps else { throw outOfRange(value, settings) }
    return SetRequest(end, clamps: true)
  }

  private func outOfRange(_ value: Double, _ settings: ControlSettings) -> VarlinkFailure {
    VarlinkFailure(
      ControlInterface.OutOfRange(
        control: settings.name, value: value, minimum: settings.minimumValue?.doubleValue,
        maximum: settings.maximumValue?.doubleValue))
  }

  func invalid(_ parameter: String) -> VarlinkFailure {
    VarlinkFailure(ServiceInterface.InvalidParameter(parameter: parameter))
  }

  private func failure(
    _ refusal: Effect.Refusal, of id: ControlID, _ parameters: ControlInterface.Set.Parameters
  ) -> VarlinkFailure {
    let name = parameters.control
    switch refusal {
    case .outOfRange(let value):
      return outOfRange(value.doubleValue, world.adjustedSettings(of: id))
    case .changed(let sequence):
      return VarlinkFailure(ControlInterface.Changed(control: name, sequence: sequence))
    case .unset, .invalidRange, .unknownControl:
      return VarlinkFailure(ControlInterface.NoSuchValue(control: name, text: parameters.text ?? ""))
    }
  }

  func step(_ parameters: ControlInterface.Step.Parameters) throws(VarlinkFailure) -> Answer {
    let id = try writableControl(parameters.control)
    let input = Input.step(id, parameters.steps, parameters.unit == .page ? .page : .step)
    var applied: Int64 = 0
    for case .applied(_, let steps) in world.advance(to: now, applying: input) { applied = steps }
    return reply(with: id, applied: applied, describe: parameters.describe)
  }

  func reset(_ parameters: ControlInterface.Reset.Parameters) throws(VarlinkFailure) -> Answer {
    let id = try writableControl(parameters.control)
    let former = world.state(of: id).sequence
    world.advance(to: now, applying: .reset(id))
    saveUnlessPublished(id, since: former)
    return reply(with: id, describe: parameters.describe)
  }

  func adjust(_ parameters: ControlInterface.Adjust.Parameters) throws(VarlinkFailure)
    -> ControlInterface.Adjust.Reply
  {
    let id = try writableControl(parameters.control)
    let range = RangeEntry(settings: world.adjustedSettings(of: id), parameters: parameters)
    for case .refuse in world.advance(to: now, applying: .adjust(id, try range.adjustment)) {
      throw range.refusal("the minimum would exceed the maximum")
    }
    return .init(
      description: world.description(of: id, isWritable: true).fitted, state: world.wireState(of: id))
  }

  func describe(_ parameters: ControlInterface.Describe.Parameters) throws(VarlinkFailure)
    -> ControlInterface.Describe.Reply
  {
    let id = try control(parameters.control)
    let description = world.description(of: id, isWritable: mayChange(id))
    let state = world.wireState(of: id)
    let accessibility = ControlInterface.Accessibility(
      description, state, world.configuration(of: id).presentation, language: parameters.language)
    return .init(description: description.fitted, state: state, accessibility: accessibility)
  }

  func subscribe(_ parameters: ControlInterface.Subscribe.Parameters) -> Answer {
    let patterns = NamePatterns(parameters.match)
    let options = Subscription.StateOptions(
      peer: session.peer, includesDescriptions: parameters.descriptions ?? false,
      language: parameters.language)
    var changed: [ControlID]?
    if parameters.instance == world.instance, let since = parameters.sinceSequence {
      changed = world.controls(matching: patterns).filter { world.state(of: $0).sequence > since }
    }
    let interval = Duration.milliseconds(max(parameters.minimumIntervalMilliseconds ?? 0, 0))
    return .stream(
      daemon.subscriptions.add(
        Subscription(
          .states(options), of: session.id, matching: patterns, minimumInterval: interval, resuming: changed)
      ))
  }

  func subscribeMoments(_ parameters: ControlInterface.SubscribeMoments.Parameters) -> Answer {
    .stream(
      daemon.subscriptions.add(
        Subscription(.moments, of: session.id, matching: NamePatterns(parameters.match))))
  }

  // MARK: Rights

  func control(_ name: String) throws(VarlinkFailure) -> ControlID {
    guard let id = world.control(named: name) else {
      throw VarlinkFailure(ControlInterface.NoSuchControl(control: name))
    }
    return id
  }

  /// A control whose value the client may set.
  private func writableControl(_ name: String) throws(VarlinkFailure) -> ControlID {
    let id = try movableControl(name)
    // A button follows its inputs alone.
    guard world.adjustedSettings(of: id).kind != .button else {
      throw VarlinkFailure(ControlInterface.NotWritable(control: name))
    }
    return id
  }

  /// A control that the client may press, turn and slide.
  func movableControl(_ name: String) throws(VarlinkFailure) -> ControlID {
    let id = try control(name)
    guard world.configuration(of: id).writableBy != .nobody else {
      throw VarlinkFailure(ControlInterface.NotWritable(control: name))
    }
    guard mayChange(id) else { throw VarlinkFailure(ServiceInterface.PermissionDenied()) }
    return id
  }

  private func mayChange(_ id: ControlID) -> Bool {
    world.mayChange(id, session.peer)
  }
}

extension World {
  /// Whether a client may change a control.
  func mayChange(_ id: ControlID, _ peer: PeerCredentials) -> Bool {
    authorization.mayChange(configuration(of: id).writableBy, peer)
  }
}
