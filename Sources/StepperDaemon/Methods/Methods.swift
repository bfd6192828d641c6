import StepperCore
import StepperInterfaces
import StepperLinux
import Varlink

/// Performs the methods of the daemon for one client. Each method is a function in the extension for its interface.
struct Methods {
  let daemon: Daemon
  let session: Session
  /// The time of the wakeup.
  let now: Instant

  var world: World { daemon.world }
  var devices: Devices { daemon.devices }

  /// Performs a call. Throws the error for the reply.
  func answer(_ call: VarlinkCall) throws(VarlinkFailure) -> Answer {
    guard let method = Self.byName[call.method] else {
      throw VarlinkFailure(ServiceInterface.MethodNotFound(method: call.method))
    }
    guard isAllowed(method.right) else {
      if method.name == ProviderInterface.Attach.name { daemon.refuseProvider(session.peer) }
      throw VarlinkFailure(ServiceInterface.PermissionDenied())
    }
    // A provider that has closed its connection makes this call again on its next one. Nobody reads this error.
    if session.isAbandoned, method.right == .providers, call.mode != .oneway {
      daemon.journal.info(
        .client,
        "process \(session.peer.processID) closed its connection before \(call.method) was performed; the call is ignored"
      )
      throw VarlinkFailure(ServiceInterface.PermissionDenied())
    }
    return try method.work(self, call)
  }

  /// Whether the client has a right; `writers` depend on the control.
  private func isAllowed(_ right: Right) -> Bool {
    switch right {
    case .everyone, .writers: true
    case .providers: world.authorization.mayProvide(session.peer)
    case .administrators: world.authorization.isAdministrator(session.peer)
    }
  }

  private static let byName = Dictionary(table.map { ($0.name, $0) }) { first, _ in first }
}

extension Methods {
  /// The permission that a method requires.
  enum Right: Hashable {
    /// Every client: reading.
    case everyone
    /// The clients that `writable-by` of the control permits, which the method checks.
    case writers
    /// Administrators, and the clients that `providers` names: attaching devices.
    case providers
    /// Administrators: moving inputs, using outputs, managing.
    case administrators
  }

  /// A method, its right and its work.
  final class Entry {
    let name: String
    let right: Right
    let work: (Methods, VarlinkCall) throws(VarlinkFailure) -> Answer

    /// `work` answers by itself: with a stream, or with several replies.
    init<Method: VarlinkMethod>(
      _ method: Method.Type, _ right: Right,
      _ work: @escaping (Methods) -> (Method.Parameters) throws(VarlinkFailure) -> Answer
    ) {
      name = method.name
      self.right = right
      self.work = { methods, call throws(VarlinkFailure) in try work(methods)(call.parameters(of: method)) }
    }

    convenience init<Method: VarlinkMethod>(
      _ method: Method.Type, _ right: Right,
      _ work: @escaping (Methods) -> (Method.Parameters) throws(VarlinkFailure) -> Method.Reply
    ) {
      self.init(method, right) { methods in
        { parameters throws(VarlinkFailure) in .reply(try work(methods)(parameters)) }
      }
    }

    convenience init<Method: VarlinkMethod>(
      _ method: Method.Type, _ right: Right,
      _ work: @escaping (Methods) -> (Method.Parameters) throws(VarlinkFailure) -> Void
    ) where Method.Reply == NoParameters {
      self.init(method, right) { methods in
        { parameters throws(VarlinkFailure) in
          try work(methods)(parameters)
          return NoParameters()
        }
      }
    }
  }
}

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
    Entry(ProviderInterface.Attach.self, .providers, Methods.attach),
    Entry(ProviderInterface.Report.self, .providers, Methods.report),
    Entry(ProviderInterface.Subscribe.self, .providers, Methods.subscribeOrders),
    Entry(ProviderInterface.Detach.self, .providers, Methods.detach),
    Entry(ManagerInterface.GetStatus.self, .everyone, Methods.status),
    Entry(ManagerInterface.Check.self, .everyone, Methods.check),
    Entry(ManagerInterface.Reload.self, .administrators, Methods.reload),
    Entry(ManagerInterface.Save.self, .administrators, Methods.save),
    Entry(ManagerInterface.Restrict.self, .everyone, Methods.restrict),
    Entry(MetricsInterface.List.self, .everyone, Methods.listMetrics),
    Entry(MetricsInterface.Describe.self, .everyone, Methods.describeMetrics),
    Entry(SystemdServiceInterface.Ping.self, .everyone, Methods.ping),
    Entry(SystemdServiceInterface.SetLogLevel.self, .administrators, Methods.setLogLevel),
    Entry(SystemdServiceInterface.GetLogLevel.self, .everyone, Methods.logLevel),
    Entry(SystemdServiceInterface.GetEnvironment.self, .administrators, Methods.environment),
  ]
}
