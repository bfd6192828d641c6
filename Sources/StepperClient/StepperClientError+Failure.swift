internal import StepperWire

extension StepperClientError {
  /// The error for what the daemon answered.
  init(_ failure: VarlinkFailure) {
    let known =
      Self.ofControl(failure) ?? Self.ofDevice(failure) ?? Self.ofManager(failure) ?? Self.ofService(failure)
    let (code, message, problems) = known ?? (.unknown, "the daemon answered \(failure)", [])
    self.init(code, message, failure: failure, problems: problems)
  }

  private typealias Known = (Code, String, [ManagerInterface.Problem])

  private static func ofControl(_ failure: VarlinkFailure) -> Known? {
    if let error = failure.decode(ControlInterface.NoSuchControl.self) {
      return (.noSuchControl, "there is no control '\(error.control)'", [])
    }
    if let error = failure.decode(ControlInterface.NotWritable.self) {
      return (.notWritable, "\(error.control) may not be changed: its configuration makes it read-only", [])
    }
    if let error = failure.decode(ControlInterface.OutOfRange.self) {
      let range = Self.range(error.minimum, error.maximum)
      return (.outOfRange, "\(error.control) cannot be \(Self.text(error.value))\(range)", [])
    }
    if let error = failure.decode(ControlInterface.NoSuchValue.self) {
      let choices = error.choices.map { ": it can be " + $0.joined(separator: ", ") }
      return (
        .noSuchValue, "\(error.control) cannot be '\(error.text)'\(choices ?? ", which is no number")", []
      )
    }
    if let error = failure.decode(ControlInterface.Changed.self) {
      return (.changed, "\(error.control) was changed by somebody else in between", [])
    }
    if failure.decode(ControlInterface.Stopping.self) != nil { return (.stopping, stoppingMessage, []) }
    if let error = failure.decode(ControlInterface.TooManySubscriptions.self) {
      return (.tooManySubscriptions, "the daemon has no room for more than \(error.limit) subscriptions", [])
    }
    return nil
  }

  private static func ofDevice(_ failure: VarlinkFailure) -> Known? {
    if let error = failure.decode(DeviceInterface.NoSuchDevice.self) {
      return (.noSuchDevice, "there is no device '\(error.device)'", [])
    }
    if let error = failure.decode(DeviceInterface.NoSuchInput.self) {
      let inputs = error.inputs.isEmpty ? "" : "; it has \(error.inputs.joined(separator: ", "))"
      return (.noSuchInput, "\(error.device) has no input '\(error.input)' that can do that\(inputs)", [])
    }
    if let error = failure.decode(DeviceInterface.NotVirtual.self) {
      return (.notVirtual, "\(error.device) is real: only virtual devices can be moved by a program", [])
    }
    if failure.decode(DeviceInterface.Stopping.self) != nil { return (.stopping, stoppingMessage, []) }
    if let error = failure.decode(DeviceInterface.TooManySubscriptions.self) {
      return (.tooManySubscriptions, "the daemon has no room for more than \(error.limit) subscriptions", [])
    }
    return nil
  }

  private static func ofManager(_ failure: VarlinkFailure) -> Known? {
    if let error = failure.decode(ManagerInterface.ConfigurationInvalid.self) {
      let message = "the configuration has errors; the daemon goes on with the one it had"
      return (.configurationInvalid, message, error.problems)
    }
    if let error = failure.decode(ManagerInterface.SaveFailed.self) {
      return (.saveFailed, "the values could not be written to \(error.path): \(error.message)", [])
    }
    return nil
  }

  private static func ofService(_ failure: VarlinkFailure) -> Known? {
    if let error = failure.decode(ServiceInterface.InvalidParameter.self) {
      return (.invalidParameter, "the daemon does not accept the parameter '\(error.parameter)'", [])
    }
    if failure.decode(ServiceInterface.PermissionDenied.self) != nil {
      return (
        .permissionDenied, "permission denied: this needs the daemon's user, root or its admin group", []
      )
    }
    return nil
  }

  private static let stoppingMessage = "the daemon is stopping or restarting; try again in a moment"

  private static func range(_ minimum: Double?, _ maximum: Double?) -> String {
    switch (minimum, maximum) {
    case (let minimum?, let maximum?): ": it goes from \(text(minimum)) to \(text(maximum))"
    case (let minimum?, nil): ": it starts at \(text(minimum))"
    case (nil, let maximum?): ": it ends at \(text(maximum))"
    case (nil, nil): ""
    }
  }

  private static func text(_ value: Double) -> String {
    value == value.rounded() && value.magnitude < 1e15 ? String(Int64(value)) : String(value)
  }
}
