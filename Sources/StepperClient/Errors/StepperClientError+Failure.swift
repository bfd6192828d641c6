internal import StepperInterfaces
internal import Varlink

extension StepperClientError {
  /// The error for a failure that the daemon answered with.
  package init(_ failure: VarlinkFailure) {
    self =
      Self.known.lazy.compactMap { $0(failure) }.first
      ?? StepperClientError(.unknown, "the daemon answered \(failure)", failure: failure)
  }

  /// One function for each error that this library knows; it returns nil for another failure.
  private static let known: [@Sendable (VarlinkFailure) -> StepperClientError?] = [
    explained(.noSuchControl, ControlInterface.NoSuchControl.self) { "there is no control '\($0.control)'" },
    explained(.notWritable, ControlInterface.NotWritable.self) {
      "\($0.control) may not be changed: it is a button, or its configuration makes it read-only"
    },
    explained(.outOfRange, ControlInterface.OutOfRange.self) {
      "\($0.control) cannot be \(text($0.value))\(range($0.minimum, $0.maximum))"
    },
    explained(.noSuchValue, ControlInterface.NoSuchValue.self, text),
    explained(.invalidRange, ControlInterface.InvalidRange.self, text),
    explained(.changed, ControlInterface.Changed.self) {
      "\($0.control) was changed by another client or device in between"
    },
    explained(.stopping, ControlInterface.Stopping.self) { _ in stopping },
    explained(.tooManySubscriptions, ControlInterface.TooManySubscriptions.self) { noRoom($0.limit) },
    explained(.tooManyHolds, ControlInterface.TooManyHolds.self) {
      "this client holds \($0.limit) buttons and faders, as many as it may; release one"
    },
    explained(.holdInUse, ControlInterface.HoldInUse.self) {
      "this client already holds '\($0.hold)' of \($0.control); release it, or take another name"
    },
    explained(.noSuchHold, ControlInterface.NoSuchHold.self) {
      "this client has no hold named '\($0.hold)' of \($0.control), or the hold has ended; press again"
    },
    explained(.noSuchDevice, DeviceInterface.NoSuchDevice.self) { "there is no device '\($0.device)'" },
    explained(.noSuchInput, DeviceInterface.NoSuchInput.self) {
      let inputs = $0.inputs.isEmpty ? "" : "; it has \($0.inputs.joined(separator: ", "))"
      return "\($0.device) has no input '\($0.input)' of the right kind\(inputs)"
    },
    explained(.noSuchOutput, DeviceInterface.NoSuchOutput.self, text),
    explained(.notVirtual, DeviceInterface.NotVirtual.self) {
      "\($0.device) is a real device: programs can move only virtual ones"
    },
    explained(.stopping, DeviceInterface.Stopping.self) { _ in stopping },
    explained(.tooManySubscriptions, DeviceInterface.TooManySubscriptions.self) { noRoom($0.limit) },
    explained(.invalidDevice, ProviderInterface.InvalidDevice.self) {
      "the device cannot be attached: \($0.field): \($0.message)"
    },
    explained(.deviceInUse, ProviderInterface.DeviceInUse.self) {
      "process \($0.process) has attached this device as \($0.device) already; end that program, or give this one another path or serial number"
    },
    explained(.tooManyDevices, ProviderInterface.TooManyDevices.self) {
      "the daemon has no room for more than \($0.limit) attached devices; detach others"
    },
    explained(.noSuchHandle, ProviderInterface.NoSuchHandle.self) { _ in
      "the daemon no longer has this device; attach it again"
    },
    explained(.invalidReport, ProviderInterface.InvalidReport.self) {
      "the report is invalid, and no part of it has an effect: \($0.field): \($0.message)"
    },
    explained(.stopping, ProviderInterface.Stopping.self) { _ in stopping },
    explained(.tooManyConnections, ManagerInterface.TooManyConnections.self) {
      "the daemon has no room for another connection of this user, who has \($0.open) open; end a program that has one"
    },
    explained(.configurationInvalid, ManagerInterface.ConfigurationInvalid.self, problems: \.problems) { _ in
      "the configuration has errors; the daemon keeps the former one"
    },
    explained(.saveFailed, ManagerInterface.SaveFailed.self) {
      "the values could not be written to \($0.path): \($0.message)"
    },
    explained(.invalidParameter, ServiceInterface.InvalidParameter.self) {
      "the daemon does not accept the parameter '\($0.parameter)': its value exceeds a limit or does not suit the control, or the daemon is older than this program"
    },
    explained(.unknown, ServiceInterface.MethodNotFound.self) { isOlder("\($0.method)") },
    explained(.unknown, ServiceInterface.InterfaceNotFound.self) { isOlder("\($0.interface)") },
    explained(.permissionDenied, ServiceInterface.PermissionDenied.self) { _ in
      "permission denied: this needs root, the daemon's admin-group, or to be the user whose daemon it is"
    },
  ]

  private static func explained<Failure: VarlinkError>(
    _ code: Code, _ type: Failure.Type,
    problems: @escaping @Sendable (Failure) -> [ManagerInterface.Problem] = { _ in [] },
    _ message: @escaping @Sendable (Failure) -> String
  ) -> @Sendable (VarlinkFailure) -> StepperClientError? {
    { failure in
      failure.decode(type).map {
        StepperClientError(code, message($0), failure: failure, problems: problems($0))
      }
    }
  }

  private static func isOlder(_ unknown: String) -> String {
    "the daemon does not know \(unknown): it is older than this program; restart it, as with 'sudo systemctl restart stepperd'"
  }

  private static let stopping = "the daemon is stopping or restarting; try again in a moment"

  private static func noRoom(_ limit: Int64) -> String {
    "the daemon has no room for more than \(limit) subscriptions"
  }

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
    return "'\(error.text)' is not a value of \(error.control): \(problem)\(choices.map { "; \($0)" } ?? "")"
  }

  private static func text(_ error: ControlInterface.InvalidRange) -> String {
    let refused = [
      error.minimum.map { "minimum \(text($0))" }, error.maximum.map { "maximum \(text($0))" },
      error.step.map { "step \(text($0))" }, error.page.map { "page \(text($0))" },
    ].compactMap { $0 }.joined(separator: ", ")
    let reason = (error.problem ?? problem(of: error)).map { ": \($0)" } ?? ""
    return "\(error.control) cannot have \(refused.isEmpty ? "this range" : refused)\(reason)"
  }

  /// The text for the field `problem`, which an older daemon does not send.
  private static func problem(of error: ControlInterface.InvalidRange) -> String? {
    let isStep = [error.step, error.page].contains { $0.map { $0 <= 0 } ?? false }
    guard !isStep else { return "a step must be greater than 0" }
    return error.minimum == nil && error.maximum == nil ? nil : "the minimum would exceed the maximum"
  }

  /// An empty name asked for the best output.
  private static func text(_ error: DeviceInterface.NoSuchOutput) -> String {
    guard !error.output.isEmpty else { return "\(error.device) has no output" }
    let outputs = error.outputs.isEmpty ? "it has none" : "it has \(error.outputs.joined(separator: ", "))"
    return "\(error.device) has no output '\(error.output)'; \(outputs)"
  }

  /// The shortest decimal: `0.0000001`; only very large and very small values have an exponent.
  private static func text(_ value: Double) -> String {
    let isUsual = value == 0 || (1e-20..<1e40).contains(value.magnitude)
    return isUsual ? PlainDecimal(value)?.text ?? String(value) : String(value)
  }
}
