/// What the inputs of a device drive at present, for devices that follow their controls.
extension Engine {
  /// The position that an absolute axis has to take.
  package struct AxisTarget: Hashable, Sendable {
    /// The control that the axis drives at present.
    package var control: ControlID
    /// The axis value that corresponds to the value of the control.
    package var report: Int32
  }

  /// The control that an input of a device drives at present; nil: none. If there are several, it is the first one
  /// whose layer is live.
  package func control(drivenBy usage: EvdevUsage, of device: DeviceNumber) -> ControlID? {
    route(of: usage, of: device).map { controls.id($0.control) }
  }

  /// The axis position that corresponds to the value of the control that the axis drives at present; nil: the axis
  /// drives no control, or one without a value or without a range.
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

  /// The detents of a relative axis of a device, according to the control that it drives at present; nil: it drives
  /// no control with a value.
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
