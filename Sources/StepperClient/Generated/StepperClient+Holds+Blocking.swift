// Made by Scripts/generate from StepperClient+Holds.swift: its blocking forms; do not edit.

internal import StepperCore
public import StepperInterfaces

/// Moving controls as a person does: with this client's own buttons, knob and faders.
extension StepperClient {
  /// Presses a button of `control` that does `action`, and holds it until ``release(_:hold:)``, until `lease` has
  /// passed, or until this client's connection ends. The control's configuration decides when the button steps and
  /// repeats.
  ///
  /// `hold` is a name of your choice, of letters, digits, `_` and `-`; ``renew(_:hold:lease:)`` renews the lease.
  /// `held` in the result tells whether the control counts the button as held.
  @discardableResult
  public func press(
    _ control: String, _ action: ControlInterface.Action, hold: String, lease: Duration? = nil
  ) throws(StepperClientError) -> ControlInterface.Press.Reply {
    try call(
      ControlInterface.Press.self,
      .init(control: control, action: action, hold: hold, leaseMilliseconds: lease?.milliseconds))
  }

  /// Renews the lease of the button or the fader of `control` that this client holds as `hold`. It presses nothing:
  /// if the hold has ended, it throws ``StepperClientError/Code/noSuchHold``.
  @discardableResult
  public func renew(
    _ control: String, hold: String, lease: Duration? = nil
  ) throws(StepperClientError) -> ControlInterface.Renew.Reply {
    try call(
      ControlInterface.Renew.self,
      .init(control: control, hold: hold, leaseMilliseconds: lease?.milliseconds))
  }

  /// Releases the button or the fader of `control` that this client holds as `hold`; no error if there is no such
  /// hold.
  @discardableResult
  public func release(
    _ control: String, hold: String
  ) throws(StepperClientError) -> ControlInterface.State {
    try call(ControlInterface.Release.self, .init(control: control, hold: hold)).state
  }

  /// Turns a knob of `control` by `detents`, clockwise if positive.
  @discardableResult
  public func turn(
    _ control: String, by detents: Int64
  ) throws(StepperClientError) -> ControlInterface.State {
    try call(ControlInterface.Turn.self, .init(control: control, detents: detents)).state
  }

  /// Moves a fader of `control` to `position`, 0 to 1 of its travel, and holds it as ``press(_:_:hold:lease:)`` holds a
  /// button.
  @discardableResult
  public func slide(
    _ control: String, to position: Double, hold: String, lease: Duration? = nil
  ) throws(StepperClientError) -> ControlInterface.State {
    try call(
      ControlInterface.Slide.self,
      .init(control: control, position: position, hold: hold, leaseMilliseconds: lease?.milliseconds)
    ).state
  }
}
