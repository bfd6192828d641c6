import StepperCore
import StepperInterfaces
import Varlink

/// Performs the methods of the daemon for one client: each is a function of an extension of its interface.
struct Methods {
  let daemon: Daemon
  let session: Session
  /// The time of the wakeup.
  let now: Instant

  var world: World { daemon.world }
  var devices: Devices { daemon.devices }

  /// Throws the error of the reply.
  func answer(_ call: VarlinkCall) throws(VarlinkFailure) -> Answer {
    guard let method = Self.byName[call.method] else {
      throw VarlinkFailure(ServiceInterface.MethodNotFound(method: call.method))
    }
    guard isAllowed(method.right) else {
      if method.name == ProviderInterface.Attach.name { daemon.refuseProvider(session.peer) }
      throw VarlinkFailure(ServiceInterface.PermissionDenied())
    }
    // A provider that has closed its connection reports the same again on the next one. Nobody reads this error.
    if session.isAbandoned, method.right == .providers, call.mode != .oneway {
      throw VarlinkFailure(ServiceInterface.PermissionDenied())
    }
    return try method.answer(self, call)
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
    private let work: (Methods, VarlinkCall) throws(VarlinkFailure) -> Answer

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

    func answer(_ methods: Methods, _ call: VarlinkCall) throws(VarlinkFailure) -> Answer {
      try work(methods, call)
    }
  }
}
