import StepperCore
import StepperInterfaces
import Varlink

/// Performs every method of the daemon.
struct Methods {
  unowned let daemon: Daemon

  private static let controlPrefix = "\(ControlInterface.name)."
  private static let devicePrefix = "\(DeviceInterface.name)."

  /// Throws the error of the reply.
  func answer(_ call: VarlinkCall, from session: Session, at now: Instant) throws(VarlinkFailure) -> Answer {
    let authorization = daemon.world.authorization
    if MethodRight(of: call.method) == .administrators, !authorization.isAdministrator(session.peer) {
      throw VarlinkFailure(ServiceInterface.PermissionDenied())
    }
    guard let answer = try find(call, session, now) else {
      throw VarlinkFailure(ServiceInterface.MethodNotFound(method: call.method))
    }
    return answer
  }

  private func find(_ call: VarlinkCall, _ session: Session, _ now: Instant) throws(VarlinkFailure) -> Answer?
  {
    if call.method.hasPrefix(Self.controlPrefix) {
      return try ControlMethods(world: daemon.world, followers: daemon.followers).answer(
        call, from: session.peer, at: now)
    }
    if call.method.hasPrefix(Self.devicePrefix) {
      let outputs = OutputMethods(devices: daemon.devices, lights: daemon.feedback.lights)
      if let answer = try outputs.answer(call, from: session) { return answer }
      return try DeviceMethods(devices: daemon.devices, followers: daemon.followers).answer(
        call, from: session)
    }
    if let answer = try ManagerMethods(daemon: daemon).answer(call) { return answer }
    return try MetricsMethods(daemon: daemon).answer(call)
  }
}
