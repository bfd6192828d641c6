internal import StepperClient

/// A change of a control that a key requests.
struct ControlCall: Hashable {
  enum Change: Hashable {
    case step(Int64, ControlInterface.StepUnit)
    case setValue(Double)
    case setText(String)
    case reset
  }

  var control: String
  var change: Change

  /// Makes the call and waits for the reply.
  func perform(with client: StepperClient) throws(StepperClientError) {
    switch change {
    case .step(let steps, let unit): try client.step(control, by: steps, unit: unit)
    case .setValue(let value): try client.set(control, to: value)
    case .setText(let text): try client.set(control, to: text)
    case .reset: try client.reset(control)
    }
  }

  /// Both calls merged into one, if both are steps of the same unit for the same control; nil otherwise.
  func merged(with next: ControlCall) -> ControlCall? {
    guard next.control == control, case .step(let steps, let unit) = change,
      case .step(let more, let nextUnit) = next.change, nextUnit == unit
    else { return nil }
    let (sum, isTooLarge) = steps.addingReportingOverflow(more)
    return isTooLarge ? nil : ControlCall(control: control, change: .step(sum, unit))
  }
}
