import StepperInterfaces

/// The permission that a method requires. The settings of a control may restrict it further.
enum MethodRight: Hashable {
  /// Every client: reading.
  case everyone
  /// The clients that `writable-by` of the control permits.
  case writers
  /// Administrators: moving inputs, using outputs, managing.
  case administrators

  /// The right for the method with this fully qualified name: administrators, unless the table contains it.
  init(of method: String) { self = Self.table[method] ?? .administrators }

  private static let table: [String: MethodRight] = [
    ControlInterface.List.name: .everyone,
    ControlInterface.Get.name: .everyone,
    ControlInterface.Set.name: .writers,
    ControlInterface.Step.name: .writers,
    ControlInterface.Reset.name: .writers,
    ControlInterface.Adjust.name: .writers,
    ControlInterface.Describe.name: .everyone,
    ControlInterface.Subscribe.name: .everyone,
    ControlInterface.SubscribeMoments.name: .everyone,
    DeviceInterface.List.name: .everyone,
    DeviceInterface.Subscribe.name: .everyone,
    DeviceInterface.Turn.name: .administrators,
    DeviceInterface.Press.name: .administrators,
    DeviceInterface.Release.name: .administrators,
    DeviceInterface.Click.name: .administrators,
    DeviceInterface.Move.name: .administrators,
    DeviceInterface.PlayEffect.name: .administrators,
    DeviceInterface.SetLight.name: .administrators,
    ManagerInterface.GetStatus.name: .everyone,
    ManagerInterface.Check.name: .everyone,
    ManagerInterface.Reload.name: .administrators,
    ManagerInterface.Save.name: .administrators,
    MetricsInterface.List.name: .everyone,
    MetricsInterface.Describe.name: .everyone,
  ]
}
