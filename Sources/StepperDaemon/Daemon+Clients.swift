import StepperConfiguration
import StepperCore
import StepperInterfaces
package import StepperSystem
import SystemPackage
package import Varlink

extension Daemon: VarlinkHandler {
  package func answer(_ call: VarlinkCall, from session: Session) throws(VarlinkFailure) -> Answer {
    // What devices did in this wakeup comes before what clients want in it.
    devices.applyPending()
    if MethodRight(of: call.method) == .administrators, !authorization.isAdministrator(session.peer) {
      throw VarlinkFailure(ServiceInterface.PermissionDenied())
    }
    let controlMethods = ControlMethods(controls: controls, authorization: authorization)
    if let answer = try controlMethods.answer(call, from: session.peer, at: now) { return answer }
    if call.method == ControlInterface.SubscribeMoments.name { return try followMoments(call) }
    let outputMethods = OutputMethods(devices: devices, lights: feedback.lights)
    if let answer = try outputMethods.answer(call, from: session) { return answer }
    let deviceMethods = DeviceMethods(devices: devices)
    if let answer = try deviceMethods.answer(call, from: session) { return answer }
    let managerMethods = ManagerMethods(daemon: self)
    if let answer = try managerMethods.answer(call) { return answer }
    if let answer = try MetricsMethods(daemon: self).answer(call) { return answer }
    throw VarlinkFailure(ServiceInterface.MethodNotFound(method: call.method))
  }

  private func followMoments(_ call: VarlinkCall) throws(VarlinkFailure) -> Answer {
    let parameters = try call.parameters(of: ControlInterface.SubscribeMoments.self)
    let feed = MomentFeed(parameters)
    feedback.add(feed)
    return .stream(feed)
  }

  package func ended(_ session: Session) {
    devices.release(all: session.id)
    feedback.lights.release(all: session.id)
  }

  package func ended(_ stream: any ReplyStream) {
    switch stream {
    case let feed as ControlFeed: controls.remove(feed)
    case let feed as DeviceFeed: devices.remove(feed)
    case let feed as MomentFeed: feedback.remove(feed)
    default: break
    }
  }

  package func rank(of peer: PeerCredentials) -> ConnectionPlaces.Rank {
    peer.userID == 0 ? .root : authorization.isAdministrator(peer) ? .administrator : .user
  }

  func watchSocket() throws(Errno) {
    guard let descriptor = socket.rawDescriptor else { return }
    try loop.watch(descriptor, priority: .system) { [unowned self] _, now in mendSocket(at: now) }
  }

  /// Makes the socket's file again if somebody has removed it.
  func mendSocket(at now: Instant) {
    guard let server, let listener = socket.mend(isInPlace: server.listener.isInPlace, at: now) else {
      return
    }
    do throws(Errno) {
      try server.listen(on: listener, at: now)
    } catch {
      journal.error(.daemon, "clients cannot connect: \(error)")
    }
  }
}
