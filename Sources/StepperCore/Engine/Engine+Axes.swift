extension Engine {
  /// Where an absolute axis has to be.
  package struct AxisTarget: Hashable, Sendable {
    /// The control that the axis drives at present.
    package var control: ControlID
    /// What the axis reports at the value of the control.
    package var report: Int32
  }

  /// Where an axis of a device has to be to be where the value is of the control that it drives at present; nil: it drives
  /// none that has a value and a range. Of several controls it is the first one whose layer is live.
  package func target(of usage: EvdevUsage, of device: DeviceNumber) -> AxisTarget? {
    guard let device = devices[device], let axis = device.faderAxes[usage] else { return nil }
    let routes = device.routes.all(of: usage)
    guard let route = routes.first(where: { $0.layer.isLive { controls.controls[$0].value } }) else {
      return nil
    }
    let control = controls.controls[route.control]
    guard let units = control.target.value.units, let span = control.rules.range.span else { return nil }
    let part = Double(units - span.lowerBound) / Double(span.upperBound - span.lowerBound)
    let travel = control.rules.feel.curve.travel(at: min(max(part, 0), 1))
    return AxisTarget(control: controls.id(route.control), report: axis.report(at: travel))
  }
}
