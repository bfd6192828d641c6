import StepperConfiguration
import StepperCore
import StepperInterfaces
import StepperLinux
import Varlink

/// `org.stepperd.provider`.
extension Methods {
  func attach(_ parameters: ProviderInterface.Attach.Parameters) throws(VarlinkFailure)
    -> ProviderInterface.Attach.Reply
  {
    let declaration: ProvidedDevice.Declaration
    do throws(ProviderInterface.InvalidDevice) {
      declaration = try ProvidedDevice.Declaration(parameters)
    } catch {
      throw VarlinkFailure(error)
    }
    if let identity = declaration.identity, let other = devices.attached(like: identity) {
      throw VarlinkFailure(
        ProviderInterface.DeviceInUse(
          device: other.name, process: Int64(other.provided?.owner?.peer.processID ?? 0)))
    }
    if let limit = devices.attachLimit(of: session.peer.userID) {
      throw VarlinkFailure(ProviderInterface.TooManyDevices(limit: Int64(limit)))
    }
    let owner = ProvidedDevice.Owner(
      // 15 digits: each report contains the handle, and a string of this length needs no memory of its own.
      handle: String(World.makeInstance().dropLast()), session: session.id, peer: session.peer, since: now,
      lease: parameters.leaseMilliseconds.map { .milliseconds($0) })
    let entry = devices.attach(ProvidedDevice(declaration, of: owner))
    session.isProvider = true
    return .init(
      handle: owner.handle, device: entry.name, table: entry.table)
  }

  func report(_ parameters: ProviderInterface.Report.Parameters) throws(VarlinkFailure) {
    let entry = try device(withHandle: parameters.handle)
    guard let device = entry.provided else { return }
    do throws(ProviderInterface.InvalidReport) {
      try devices.received.read(parameters, of: device)
      devices.noteReceived(from: entry)
    } catch {
      throw VarlinkFailure(error)
    }
  }

  func detach(_ parameters: ProviderInterface.Detach.Parameters) throws(VarlinkFailure) {
    let entry = try device(withHandle: parameters.handle)
    devices.report("\(entry.name) is detached by its program")
    devices.detach(entry)
  }

  func subscribeOrders(_ parameters: ProviderInterface.Subscribe.Parameters) throws(VarlinkFailure) -> Answer
  {
    for handle in parameters.handles {
      guard devices.attached(handle)?.provided?.owner?.peer.userID == session.peer.userID else {
        throw VarlinkFailure(ProviderInterface.NoSuchHandle(handle: handle))
      }
    }
    guard !parameters.handles.isEmpty else { throw invalid("handles") }
    return .stream(daemon.subscriptions.add(Subscription(ofOrders: parameters.handles, of: session.id)))
  }

  /// The device that this connection has attached under that handle.
  private func device(withHandle handle: String) throws(VarlinkFailure) -> DeviceEntry {
    guard let entry = devices.attached(handle), entry.provided?.owner?.session == session.id else {
      throw VarlinkFailure(ProviderInterface.NoSuchHandle(handle: handle))
    }
    return entry
  }
}
