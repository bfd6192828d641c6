import StepperInterfaces

extension Methods {
  /// All methods of the daemon. Their parameters are within the limits of ``MethodLimits``.
  static let table = [
    Entry(ControlInterface.List.self, .everyone, Methods.listControls),
    Entry(ControlInterface.Get.self, .everyone, Methods.get),
    Entry(ControlInterface.Set.self, .writers, Methods.set),
    Entry(ControlInterface.Step.self, .writers, Methods.step),
    Entry(ControlInterface.Reset.self, .writers, Methods.reset),
    Entry(ControlInterface.Adjust.self, .writers, Methods.adjust),
    Entry(ControlInterface.Press.self, .writers, Methods.pressControl),
    Entry(ControlInterface.Renew.self, .writers, Methods.renewHold),
    Entry(ControlInterface.Release.self, .writers, Methods.releaseControl),
    Entry(ControlInterface.Turn.self, .writers, Methods.turnControl),
    Entry(ControlInterface.Slide.self, .writers, Methods.slideControl),
    Entry(ControlInterface.Describe.self, .everyone, Methods.describe),
    Entry(ControlInterface.Subscribe.self, .everyone, Methods.subscribe),
    Entry(ControlInterface.SubscribeMoments.self, .everyone, Methods.subscribeMoments),
    Entry(DeviceInterface.List.self, .everyone, Methods.listDevices),
    Entry(DeviceInterface.Subscribe.self, .everyone, Methods.subscribeDevices),
    Entry(DeviceInterface.Monitor.self, .administrators, Methods.monitor),
    Entry(DeviceInterface.Turn.self, .administrators, Methods.turn),
    Entry(DeviceInterface.Press.self, .administrators, Methods.press),
    Entry(DeviceInterface.Release.self, .administrators, Methods.release),
    Entry(DeviceInterface.Click.self, .administrators, Methods.click),
    Entry(DeviceInterface.Move.self, .administrators, Methods.move),
    Entry(DeviceInterface.PlayEffect.self, .administrators, Methods.playEffect),
    Entry(DeviceInterface.SetLight.self, .administrators, Methods.setLight),
    Entry(ManagerInterface.GetStatus.self, .everyone, Methods.status),
    Entry(ManagerInterface.Check.self, .everyone, Methods.check),
    Entry(ManagerInterface.Reload.self, .administrators, Methods.reload),
    Entry(ManagerInterface.Save.self, .administrators, Methods.save),
    Entry(MetricsInterface.List.self, .everyone, Methods.listMetrics),
    Entry(MetricsInterface.Describe.self, .everyone, Methods.describeMetrics),
  ]
}
