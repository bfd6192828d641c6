public import StepperInterfaces

/// The methods that suspend the task until the daemon has answered.
extension StepperClient {
  /// All controls with description and state, or those whose names match the shell pattern `pattern`.
  public func list(_ pattern: String? = nil) async throws(StepperClientError) -> [ControlInterface.Control] {
    try await call(ControlInterface.List.self, .init(match: pattern)).controls
  }

  /// The present state of `control`.
  public func get(_ control: String) async throws(StepperClientError) -> ControlInterface.State {
    try await call(ControlInterface.Get.self, .init(control: control)).state
  }

  /// Sets `control` to `value`, and returns its state after that: the value is rounded to its digits.
  ///
  /// A value outside the range is an error, or the bound if `clamp` is true. With `ifSequence`, the sequence of
  /// a state read before, it is an error if the control was changed in between.
  @discardableResult
  public func set(
    _ control: String, to value: Double, clamp: Bool = false, ifSequence: Int64? = nil
  ) async throws(StepperClientError) -> ControlInterface.State {
    try await call(
      ControlInterface.Set.self,
      .init(control: control, value: value, clamp: clamp ? true : nil, ifSequence: ifSequence)
    ).state
  }

  /// Sets `control` to what `text` says: a decimal, the name of a choice, `on` or `off`.
  ///
  /// Otherwise as with a number.
  @discardableResult
  public func set(
    _ control: String, to text: String, clamp: Bool = false, ifSequence: Int64? = nil
  ) async throws(StepperClientError) -> ControlInterface.State {
    try await call(
      ControlInterface.Set.self,
      .init(control: control, text: text, clamp: clamp ? true : nil, ifSequence: ifSequence)
    ).state
  }

  /// Moves `control` by `steps`, down if negative, in steps or pages.
  ///
  /// `applied` in the result is smaller than asked for when the end of the range was reached.
  @discardableResult
  public func step(
    _ control: String, by steps: Int64, unit: ControlInterface.StepUnit = .step
  ) async throws(StepperClientError) -> ControlInterface.Step.Reply {
    try await call(
      ControlInterface.Step.self, .init(control: control, steps: steps, unit: unit == .step ? nil : unit))
  }

  /// Sets `control` back to its configured default.
  @discardableResult
  public func reset(_ control: String) async throws(StepperClientError) -> ControlInterface.State {
    try await call(ControlInterface.Reset.self, .init(control: control)).state
  }

  /// Changes the range or the steps of `control` while the daemon runs, until its next reload; nil means unchanged.
  ///
  /// All are in the unit of the control's value. What happens to a value outside the new range, and when the
  /// minimum would exceed the maximum, is the control's configuration. Throws `invalidRange` if the daemon refuses
  /// the range or a step that is not greater than 0. The reply has the description and the state after that.
  @discardableResult
  public func adjust(
    _ control: String, minimum: Double? = nil, maximum: Double? = nil, step: Double? = nil,
    page: Double? = nil
  ) async throws(StepperClientError) -> ControlInterface.Adjust.Reply {
    try await call(
      ControlInterface.Adjust.self,
      .init(control: control, minimum: minimum, maximum: maximum, step: step, page: page))
  }

  /// What a screen reader says of `control`, with its description and state.
  ///
  /// `language` is a tag such as `de` or `pt-BR` and chooses the title, for example the first one of
  /// ``PreferredLanguages/current``. The numbers are in the C locale.
  public func describe(
    _ control: String, language: String? = nil
  ) async throws(StepperClientError) -> ControlInterface.Describe.Reply {
    try await call(ControlInterface.Describe.self, .init(control: control, language: language))
  }

  /// The devices of the machine and of the configuration, the used ones first.
  public func devices() async throws(StepperClientError) -> [DeviceInterface.Device] {
    try await call(DeviceInterface.List.self, .init()).devices
  }

  /// Turns an encoder of a virtual device by `detents`, clockwise if positive.
  public func turn(_ input: InputName, by detents: Int64) async throws(StepperClientError) {
    _ = try await call(
      DeviceInterface.Turn.self, .init(device: input.device, input: input.input, detents: detents))
  }

  /// Presses a button of a virtual device, and holds it until it is released by ``StepperClient/release(_:)`` or
  /// this client's connection ends.
  public func press(_ input: InputName) async throws(StepperClientError) {
    _ = try await call(DeviceInterface.Press.self, .init(device: input.device, input: input.input))
  }

  /// Releases a button that this client holds; no error if it holds none.
  public func release(_ input: InputName) async throws(StepperClientError) {
    _ = try await call(DeviceInterface.Release.self, .init(device: input.device, input: input.input))
  }

  /// Presses a button of a virtual device for `milliseconds`, else for as long as the daemon thinks a click
  /// takes. It returns at once.
  public func click(_ input: InputName, milliseconds: Int64? = nil) async throws(StepperClientError) {
    _ = try await call(
      DeviceInterface.Click.self,
      .init(device: input.device, input: input.input, milliseconds: milliseconds))
  }

  /// Moves an axis of a virtual device to `position`, 0 to 1 of its travel.
  public func move(_ input: InputName, to position: Double) async throws(StepperClientError) {
    _ = try await call(
      DeviceInterface.Move.self, .init(device: input.device, input: input.input, position: position))
  }

  /// How the daemon is.
  public func status() async throws(StepperClientError) -> ManagerInterface.GetStatus.Reply {
    try await call(ManagerInterface.GetStatus.self, .init())
  }

  /// Has the daemon read its configuration again, and returns its warnings.
  ///
  /// Throws `configurationInvalid` with all problems if it has errors; then nothing changes.
  @discardableResult
  public func reload() async throws(StepperClientError) -> [ManagerInterface.Problem] {
    try await call(ManagerInterface.Reload.self, .init()).problems
  }

  /// What is wrong with the configuration `text`, which is not used; `file` is what the problems call it.
  public func check(
    _ text: String, file: String? = nil
  ) async throws(StepperClientError) -> [ManagerInterface.Problem] {
    try await call(ManagerInterface.Check.self, .init(text: text, file: file)).problems
  }

  /// Has the daemon write the remembered values to disk now.
  public func save() async throws(StepperClientError) {
    _ = try await call(ManagerInterface.Save.self, .init())
  }
}
