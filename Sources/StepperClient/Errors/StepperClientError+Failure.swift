internal import StepperInterfaces
internal import Varlink

extension StepperClientError {
  /// The error for what the daemon answered.
  package init(_ failure: VarlinkFailure) {
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
      return (.noSuchValue, Self.text(error), [])
    }
    if let error = failure.decode(ControlInterface.InvalidRange.self) {
      return (.invalidRange, Self.text(error), [])
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
    if let error = failure.decode(DeviceInterface.NoSuchOutput.self) {
      return (.noSuchOutput, Self.text(error), [])
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
        .permissionDenied,
        "permission denied: this needs root, the daemon's admin-group, or to be the user whose daemon it is",
        []
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

  /// An older daemon does not send `problem`.
  private static func text(_ error: ControlInterface.NoSuchValue) -> String {
    let choices = error.choices.map { "it can be " + $0.joined(separator: ", ") }
    guard let problem = error.problem else {
      return
        "\(error.control) cannot be '\(error.text)'\(choices.map { ": \($0)" } ?? ", which is no number")"
    }
    return "'\(error.text)' is no value of \(error.control): \(problem)\(choices.map { "; \($0)" } ?? "")"
  }

  private static func text(_ error: ControlInterface.InvalidRange) -> String {
    let refused = [
      error.minimum.map { "minimum \(text($0))" }, error.maximum.map { "maximum \(text($0))" },
      error.step.map { "step \(text($0))" }, error.page.map { "page \(text($0))" },
    ].compactMap { $0 }.joined(separator: ", ")
    let reason = (error.problem ?? problem(of: error)).map { ": \($0)" } ?? ""
    return "\(error.control) cannot have \(refused.isEmpty ? "this range" : refused)\(reason)"
  }

  /// The value for a field that an older daemon does not send.
  private static func problem(of error: ControlInterface.InvalidRange) -> String? {
    let isStep = [error.step, error.page].contains { $0.map { $0 <= 0 } ?? false }
    guard !isStep else { return "a step must be greater than 0" }
    return error.minimum == nil && error.maximum == nil ? nil : "the minimum would exceed the maximum"
  }

  /// Without a name the best output was asked for.
  private static func text(_ error: DeviceInterface.NoSuchOutput) -> String {
    guard !error.output.isEmpty else { return "\(error.device) has no output" }
    let outputs = error.outputs.isEmpty ? "it has none" : "it has \(error.outputs.joined(separator: ", "))"
    return "\(error.device) has no output '\(error.output)'; \(outputs)"
  }

  /// The shortest decimal: `0.0000001`; only what is very large or small keeps its exponent.
  private static func text(_ value: Double) -> String {
    guard value != value.rounded() || value.magnitude >= 1e15 else { return String(Int64(value)) }
    let parts = String(value).split(separator: "e")
    guard parts.count == 2, let exponent = Int(parts[1]), (-20..<0).contains(exponent),
      var number = PlainDecimal(String(parts[0]))
    else { return String(value) }
    number.movePoint(right: exponent)
    return number.text
  }
}
