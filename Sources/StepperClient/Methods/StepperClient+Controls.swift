public import StepperInterfaces

/// Reading and changing controls.
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
  /// Throws `outOfRange` for a value outside the range; with `clamp` it becomes the bound instead. With `ifSequence`, the
  /// sequence of a state read before, throws `changed` if the control was changed in between.
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
  /// Throws `noSuchValue` for another text; otherwise as with a number.
  @discardableResult
  public func set(
    _ control: String, to text: String, clamp: Bool = false, ifSequence: Int64? = nil
  ) async throws(StepperClientError) -> ControlInterface.State {
    try await call(
      ControlInterface.Set.self,
      .init(control: control, text: text, clamp: clamp ? true : nil, ifSequence: ifSequence)
    ).state
  }

  /// Throws what ``set(_:to:clamp:ifSequence:)`` of `text` would throw, and sets nothing.
  public func check(
    _ control: String, _ text: String, clamp: Bool = false
  ) async throws(StepperClientError) {
    _ = try await call(
      ControlInterface.Set.self,
      .init(control: control, text: text, clamp: clamp ? true : nil, check: true))
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
}
