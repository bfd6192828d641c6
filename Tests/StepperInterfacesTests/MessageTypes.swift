import StepperInterfaces
import Varlink

/// Every Swift type of a message with its fields, as an interface description would declare them.
enum MessageTypes {
  static func of(_ interface: String) -> [String: [String]] {
    switch interface {
    case ServiceInterface.name: service
    case ControlInterface.name: control
    case DeviceInterface.name: device
    case ManagerInterface.name: manager
    case MetricsInterface.name: metrics
    default: [:]
    }
  }

  private static var service: [String: [String]] {
    typealias I = ServiceInterface
    return merge(
      method(I.GetInfo.self), method(I.GetInterfaceDescription.self), error(I.InterfaceNotFound.self),
      error(I.MethodNotFound.self), error(I.MethodNotImplemented.self), error(I.InvalidParameter.self),
      error(I.PermissionDenied.self), error(I.ExpectedMore.self))
  }

  private static var control: [String: [String]] {
    typealias I = ControlInterface
    return merge(
      cases(I.Kind.self, [.continuous, .choice, .toggle, .button]),
      cases(I.Origin.self, [.startup, .restored, .device, .client, .configuration, .idle]),
      cases(I.Limit.self, [.none, .minimum, .maximum, .both]), cases(I.StepUnit.self, [.step, .page]),
      cases(I.NumberStyle.self, [.decimal, .percent, .currency]), type(I.NumberFormat.self),
      type(I.Description.self), type(I.State.self), cases(I.EditingOrigin.self, [.device, .client]),
      type(I.Control.self), method(I.List.self),
      method(I.Get.self), method(I.Adjust.self),
      cases(
        I.Action.self,
        [
          .increment, .decrement, .pageIncrement, .pageDecrement, .toMinimum, .toMaximum, .reset, .push,
        ]),
      method(I.Press.self), method(I.Renew.self), method(I.Release.self), method(I.Turn.self),
      method(I.Slide.self),
      cases(I.AccessibilityStyle.self, [.uikit, .appkit, .winui, .gtk, .slider]),
      error(I.TooManyHolds.self), error(I.HoldInUse.self), error(I.NoSuchHold.self),
      cases(
        I.AccessibilityRole.self,
        [.stepper, .incrementor, .spinner, .slider, .picker, .switch, .button]),
      cases(I.Announcement.self, [.off, .polite]), type(I.Accessibility.self), method(I.Describe.self),
      error(I.InvalidRange.self),
      cases(
        I.Moment.self,
        [
          .increment, .decrement, .limit, .minimum, .maximum, .wrap, .press, .release, .shortPress,
          .doublePress, .triplePress,
          .longPress, .reset,
          .set,
          .connect, .disconnect, .end, .idle,
        ]),
      cases(
        I.FeedbackEffect.self,
        [.none, .light, .medium, .heavy, .soft, .rigid, .selection, .success, .warning, .error]),
      type(I.MomentEvent.self), method(I.SubscribeMoments.self),
      method(I.Set.self), method(I.Step.self), method(I.Reset.self), method(I.Subscribe.self),
      error(I.NoSuchControl.self), error(I.NotWritable.self), error(I.OutOfRange.self),
      error(I.NoSuchValue.self),
      error(I.Changed.self), error(I.TooManySubscriptions.self), error(I.Stopping.self))
  }

  private static var device: [String: [String]] {
    typealias I = DeviceInterface
    return merge(
      cases(I.Role.self, [.button, .encoder, .axis]),
      cases(I.DeviceState.self, [.absent, .unused, .denied, .busy, .open, .grabbed]), type(I.Capability.self),
      cases(I.Effect.self, I.Effect.allCases), method(I.PlayEffect.self), method(I.SetLight.self),
      error(I.NoSuchOutput.self), type(I.Device.self), method(I.List.self), method(I.Subscribe.self),
      type(I.InputEvent.self), cases(I.Outcome.self, I.Outcome.allCases), type(I.Consequence.self),
      type(I.Frame.self), type(I.AbsoluteAxis.self), type(I.MonitoredDevice.self), method(I.Monitor.self),
      method(I.Turn.self),
      method(I.Press.self), method(I.Release.self), method(I.Click.self), method(I.Move.self),
      error(I.NoSuchDevice.self), error(I.NoSuchInput.self), error(I.NotVirtual.self),
      error(I.TooManySubscriptions.self), error(I.Stopping.self))
  }

  private static var manager: [String: [String]] {
    typealias I = ManagerInterface
    return merge(
      cases(I.Severity.self, [.warning, .error]), type(I.Problem.self), method(I.GetStatus.self),
      method(I.Reload.self), method(I.Check.self), method(I.Save.self), error(I.ConfigurationInvalid.self),
      error(I.SaveFailed.self), error(I.TooManyConnections.self),
      cases(I.MetricType.self, [.counter, .gauge]), type(I.Metric.self))
  }

  private static var metrics: [String: [String]] {
    typealias I = MetricsInterface
    return merge(
      cases(I.MetricFamilyType.self, [.counter, .gauge, .string]), type(I.Fields.self), method(I.List.self),
      method(I.Describe.self), error(I.NoSuchMetric.self))
  }

  private static func merge(_ parts: [String: [String]]...) -> [String: [String]] {
    parts.reduce(into: [:]) { $0.merge($1) { first, _ in first } }
  }

  private static func method<Method: VarlinkMethod>(_: Method.Type) -> [String: [String]] {
    let name = Method.name.split(separator: ".").last ?? ""
    return [
      "method \(name) in": FieldRecorder.fields(of: Method.Parameters.self),
      "method \(name) out": FieldRecorder.fields(of: Method.Reply.self),
    ]
  }

  private static func error<Failure: VarlinkError>(_: Failure.Type) -> [String: [String]] {
    ["error \(Failure.name.split(separator: ".").last ?? "")": FieldRecorder.fields(of: Failure.self)]
  }

  private static func type<Value: Decodable>(_: Value.Type) -> [String: [String]] {
    ["type \(Value.self)": FieldRecorder.fields(of: Value.self)]
  }

  private static func cases<Case: RawRepresentable<String>>(_: Case.Type, _ cases: [Case]) -> [String:
    [String]]
  {
    ["type \(Case.self)": cases.map(\.rawValue)]
  }
}
