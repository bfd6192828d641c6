// Made by Scripts/generate from StepperClient+Controls.swift: its blocking forms; do not edit.

public import StepperInterfaces

/// Reading and changing controls.
extension StepperClient {
  /// All controls with description and state, or those whose names match the shell pattern `pattern`.
  public func list(_ pattern: String? = nil) throws(StepperClientError) -> [ControlInterface.Control] {
    try call(ControlInterface.List.self, .init(match: pattern)).controls
  }

  /// The present state of `control`.
  public func get(_ control: String) throws(StepperClientError) -> ControlInterface.State {
    try call(ControlInterface.Get.self, .init(control: control)).state
  }

  /// Sets `control` to `value`, rounded to the digits of the control, and returns the state after that.
  ///
  /// Throws `outOfRange` for a value outside the range; with `clamp` the nearest bound is set instead. With
  /// `ifSequence`, the sequence of a state read before, throws `changed` if the control was changed in between.
  @discardableResult
  public func set(
    _ control: String, to value: Double, clamp: Bool = false, ifSequence: Int64? = nil
  ) throws(StepperClientError) -> ControlInterface.State {
    try call(
      ControlInterface.Set.self,
      .init(control: control, value: value, clamp: clamp ? true : nil, ifSequence: ifSequence)
    ).state
  }

  /// Sets `control` to the value of `text`: a decimal, the name of a choice, `on` or `off`.
  ///
  /// Throws `noSuchValue` for another text; the other errors are those of setting a number.
  @discardableResult
  public func set(
    _ control: String, to text: String, clamp: Bool = false, ifSequence: Int64? = nil
  ) throws(StepperClientError) -> ControlInterface.State {
    try call(
      ControlInterface.Set.self,
      .init(control: control, text: text, clamp: clamp ? true : nil, ifSequence: ifSequence)
    ).state
  }

  /// Throws the error that ``set(_:to:clamp:ifSequence:)`` would throw for `text`, and sets nothing.
  public func check(
    _ control: String, _ text: String, clamp: Bool = false
  ) throws(StepperClientError) {
    _ = try call(
      ControlInterface.Set.self,
      .init(control: control, text: text, clamp: clamp ? true : nil, check: true))
  }

  /// Moves `control` by `steps` steps or pages, down if negative.
  ///
  /// `applied` in the result is smaller than requested when the end of the range was reached.
  @discardableResult
  public func step(
    _ control: String, by steps: Int64, unit: ControlInterface.StepUnit = .step
  ) throws(StepperClientError) -> ControlInterface.Step.Reply {
    try call(
      ControlInterface.Step.self, .init(control: control, steps: steps, unit: unit == .step ? nil : unit))
  }

  /// Sets `control` back to its configured default.
  @discardableResult
  public func reset(_ control: String) throws(StepperClientError) -> ControlInterface.State {
    try call(ControlInterface.Reset.self, .init(control: control)).state
  }

  /// Changes the range or the steps of `control` while the daemon runs, until its next reload; nil means unchanged.
  ///
  /// All parameters are in the unit of the control's value. The control's configuration decides what happens to a
  /// value outside the new range, and when the minimum would exceed the maximum. Throws `invalidRange` if the daemon
  /// refuses the range or a step that is not greater than 0. The reply has the description and the state after the
  /// change.
  @discardableResult
  public func adjust(
    _ control: String, minimum: Double? = nil, maximum: Double? = nil, step: Double? = nil,
    page: Double? = nil
  ) throws(StepperClientError) -> ControlInterface.Adjust.Reply {
    try call(
      ControlInterface.Adjust.self,
      .init(control: control, minimum: minimum, maximum: maximum, step: step, page: page))
  }

  /// What a screen reader says about `control`, with its description and state.
  ///
  /// `language` is a tag such as `de` or `pt-BR` and selects the language of the title; take for example the first
  /// one of ``PreferredLanguages/current``. The numbers are in the C locale.
  public func describe(
    _ control: String, language: String? = nil
  ) throws(StepperClientError) -> ControlInterface.Describe.Reply {
    try call(ControlInterface.Describe.self, .init(control: control, language: language))
  }
}
