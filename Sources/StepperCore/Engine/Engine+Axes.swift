/// What inputs of a device drive at present, as devices that follow their controls need it.
extension Engine {
  /// Where an absolute axis has to be.
  package struct AxisTarget: Hashable, Sendable {
    /// The control that the axis drives at present.
    package var control: ControlID
    /// What the axis reports at the value of the control.
    package var report: Int32
  }

  /// The control that an input of a device drives at present; nil: none. Of several it is the first one whose layer is live.
  package func control(drivenBy usage: EvdevUsage, of device: DeviceNumber) -> ControlID? {
    route(of: usage, of: device).map { controls.id($0.control) }
  }

  /// Where an axis of a device has to be to be where the value is of the control that it drives at present; nil: it drives
  /// none that has a value and a range.
  package func target(of usage: EvdevUsage, of device: DeviceNumber) -> AxisTarget? {
    guard let axis = devices[device]?.faderAxes[usage], let route = route(of: usage, of: device) else {
      return nil
    }
    let control = controls.controls[route.control]
    guard let units = control.target.value.units, let span = control.rules.range.span else { return nil }
    let part = Double(units - span.lowerBound) / Double(span.upperBound - span.lowerBound)
    let travel = control.rules.feel.curve.travel(at: min(max(part, 0), 1))
    return AxisTarget(control: controls.id(route.control), report: axis.report(at: travel))
  }

  /// The detents of a relative axis of a device, as the control has them that it drives at present; nil: it drives none that
  /// has a value.
  package func detents(of usage: EvdevUsage, of device: DeviceNumber) -> AxisDetents? {
    guard let isInverted = devices[device]?.settings.isInverted, let route = route(of: usage, of: device)
    else { return nil }
    let control = controls.controls[route.control]
    guard let units = control.target.value.units else { return nil }
    let range = control.rules.range
    let size = range.multiplied(
      control.buttons.detentUnit == .page ? range.page : range.step, by: route.multiplier)
    let detents = control.rules.detents(at: units, size: size)
    return isInverted ? detents.mirrored : detents
  }

  private func route(of usage: EvdevUsage, of device: DeviceNumber) -> Route? {
    devices[device]?.routes.all(of: usage.coarse).first { $0.layer.isLive { controls.controls[$0].value } }
  }
}
