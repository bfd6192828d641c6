/// The interface `org.varlink.service` of a service, and the errors for unknown interfaces, methods and
/// parameters.
public struct VarlinkService: Sendable {
  /// The reply to `GetInfo`.
  public let info: ServiceInterface.GetInfo.Reply
  private let interfaces: [String: InterfaceDescription]
  /// The limits of the parameters of each known method.
  private let methods: [String: Method]

  private struct Method {
    /// Whether the method belongs to `org.varlink.service`.
    let isOwn: Bool
    let parameters: [LimitedParameter]
  }

  /// A service that provides `interfaces` and `org.varlink.service`.
  public init(
    vendor: String, product: String, version: String, url: String, interfaces: [InterfaceDescription]
  ) {
    let all: [InterfaceDescription] = [.service] + interfaces
    self.interfaces = Dictionary(all.map { ($0.name, $0) }) { first, _ in first }
    let known = all.flatMap { interface in
      interface.limits.map { limits in
        let parameters = limits.parameters.map { LimitedParameter($0.name, $0.limit) }
        return (limits.method, Method(isOwn: interface.name == ServiceInterface.name, parameters: parameters))
      }
    }
    methods = Dictionary(known) { first, _ in first }
    info = ServiceInterface.GetInfo.Reply(
      vendor: vendor, product: product, version: version, url: url, interfaces: all.map(\.name))
  }

  /// The reply to `call` if this type answers it: a call of `org.varlink.service`, of an unknown interface or method,
  /// with parameters beyond their limits, or with a request to upgrade the connection. nil if the caller must reply.
  public func answer(_ call: VarlinkCall) -> VarlinkReply? {
    do {
      return try reply(to: call)
    } catch {
      return VarlinkReply(error)
    }
  }

  private func reply(to call: VarlinkCall) throws(VarlinkFailure) -> VarlinkReply? {
    guard let method = methods[call.method] else {
      try find(call)
      return nil
    }
    try refuseUpgrade(of: call)
    do {
      try call.parameters.check(against: method.parameters)
    } catch {
      throw VarlinkFailure(error)
    }
    return method.isOwn ? try ownReply(to: call) : nil
  }

  private func ownReply(to call: VarlinkCall) throws(VarlinkFailure) -> VarlinkReply? {
    switch call.method {
    case ServiceInterface.GetInfo.name:
      _ = try call.parameters(of: ServiceInterface.GetInfo.self)
      return try VarlinkReply(encoding: info)
    case ServiceInterface.GetInterfaceDescription.name:
      let wanted = try call.parameters(of: ServiceInterface.GetInterfaceDescription.self).interface
      guard let text = interfaces[wanted]?.text else {
        throw VarlinkFailure(ServiceInterface.InterfaceNotFound(interface: wanted))
      }
      return try VarlinkReply(encoding: ServiceInterface.GetInterfaceDescription.Reply(description: text))
    default:
      return nil
    }
  }

  /// Throws unless `call` is for a known method without limits and does not request an upgrade.
  private func find(_ call: VarlinkCall) throws(VarlinkFailure) {
    guard let dot = call.method.utf8.lastIndex(of: UInt8(ascii: ".")) else {
      throw VarlinkFailure(ServiceInterface.InvalidParameter(parameter: "method"))
    }
    let name = String(call.method[..<dot])
    guard let interface = interfaces[name] else {
      throw VarlinkFailure(ServiceInterface.InterfaceNotFound(interface: name))
    }
    guard interface.methods.contains(call.method) else {
      throw VarlinkFailure(ServiceInterface.MethodNotFound(method: call.method))
    }
    try refuseUpgrade(of: call)
  }

  private func refuseUpgrade(of call: VarlinkCall) throws(VarlinkFailure) {
    guard call.mode == .upgrade else { return }
    throw VarlinkFailure(ServiceInterface.MethodNotImplemented(method: call.method))
  }
}

extension VarlinkReply {
  /// The final reply with `results`. If they cannot be encoded, throws the error to answer with instead.
  fileprivate init(encoding results: some JSONWritable) throws(VarlinkFailure) {
    do {
      self.init(parameters: try VarlinkParameters(encoding: results))
    } catch {
      throw VarlinkFailure(ServiceInterface.InvalidParameter(parameter: "parameters"))
    }
  }
}
