import StepperInterfaces
import Varlink

/// A method of our interfaces without its type, and what must hold for its messages.
package struct Method: Sendable {
  package let name: String
  /// A call's parameters, decoded as the service does.
  let checkParameters: @Sendable (VarlinkParameters) throws -> Void
  /// A reply's, decoded as a client does.
  let checkReply: @Sendable (VarlinkParameters) throws -> Void

  private init<M: VarlinkMethod>(_ method: M.Type) {
    name = M.name
    checkParameters = { json in
      let call = VarlinkCall(M.name, parameters: json, mode: .more)
      // As the service does before any handler: what exceeds its limits goes no further.
      if let reply = Self.service.answer(call) { return try Self.check(refusal: reply.failure) }
      guard let first = try Self.accepted({ () throws(VarlinkFailure) in try call.parameters(of: method) })
      else { return }
      let again = try VarlinkCall(method, first, mode: .more)
      let second = try Self.accepted { () throws(VarlinkFailure) in try again.parameters(of: method) }
      try require(
        second == first, "\(M.name): \(first) is \(String(describing: second)) when it is sent again")
      try require(
        try VarlinkCall(decoding: again.encoded().dropLast()) == again,
        "\(M.name): \(again) is sent as another")
    }
    checkReply = { json in
      let first: M.Reply
      // Lenient, but still typed.
      do { first = try json.decode(M.Reply.self) } catch { return }
      let sent = try VarlinkParameters(encoding: first)
      try require(try sent.decode(M.Reply.self) == first, "\(M.name): a reply is sent as another: \(first)")
    }
  }

  /// nil if they are refused, for which there are two ways.
  private static func accepted<Value>(_ decode: () throws(VarlinkFailure) -> Value) throws -> Value? {
    do {
      return try decode()
    } catch {
      try check(refusal: error)
      return nil
    }
  }

  /// Nothing else is said of wrong parameters than which of them it is, in few words.
  private static func check(refusal: VarlinkFailure?) throws {
    guard let refusal, refusal.name != ServiceInterface.InterfaceNotFound.name else { return }
    let parameter = refusal.decode(ServiceInterface.InvalidParameter.self)?.parameter
    try require(parameter.map { $0.utf8.count <= 64 } ?? false, "parameters are refused with \(refusal)")
  }

  /// In the order of the interfaces' descriptions, which inputs name them by.
  package static let all: [Method] =
    ofService + control + device + provider + manager + metrics
    + systemdService

  private static let ofService = [
    Method(ServiceInterface.GetInfo.self),
    Method(ServiceInterface.GetInterfaceDescription.self),
  ]
  private static let control = [
    Method(ControlInterface.List.self), Method(ControlInterface.Get.self), Method(ControlInterface.Set.self),
    Method(ControlInterface.Step.self), Method(ControlInterface.Reset.self),
    Method(ControlInterface.Adjust.self), Method(ControlInterface.Press.self),
    Method(ControlInterface.Renew.self), Method(ControlInterface.Release.self),
    Method(ControlInterface.Turn.self),
    Method(ControlInterface.Slide.self), Method(ControlInterface.Describe.self),
    Method(ControlInterface.Subscribe.self), Method(ControlInterface.SubscribeMoments.self),
  ]
  private static let device = [
    Method(DeviceInterface.List.self), Method(DeviceInterface.Subscribe.self),
    Method(DeviceInterface.Monitor.self), Method(DeviceInterface.Turn.self),
    Method(DeviceInterface.Press.self),
    Method(DeviceInterface.Release.self), Method(DeviceInterface.Click.self),
    Method(DeviceInterface.Move.self), Method(DeviceInterface.PlayEffect.self),
    Method(DeviceInterface.SetLight.self),
  ]
  private static let provider = [
    Method(ProviderInterface.Attach.self), Method(ProviderInterface.Report.self),
    Method(ProviderInterface.Subscribe.self), Method(ProviderInterface.Detach.self),
  ]
  private static let manager = [
    Method(ManagerInterface.GetStatus.self), Method(ManagerInterface.Reload.self),
    Method(ManagerInterface.Check.self), Method(ManagerInterface.Save.self),
    Method(ManagerInterface.Restrict.self),
  ]
  private static let metrics = [
    Method(MetricsInterface.List.self), Method(MetricsInterface.Describe.self),
  ]
  private static let systemdService = [
    Method(SystemdServiceInterface.Ping.self), Method(SystemdServiceInterface.SetLogLevel.self),
    Method(SystemdServiceInterface.GetLogLevel.self), Method(SystemdServiceInterface.GetEnvironment.self),
  ]
  private static let service = VarlinkService(
    vendor: "v", product: "p", version: "1", url: "u", interfaces: InterfaceDescription.stepperd)
}

extension FuzzTarget {
  /// The first byte names a method, the rest is the JSON of its parameters.
  static let parameters = FuzzTarget("parameters", upTo: 1_024, within: .milliseconds(300)) { input in
    var source = ByteSource(input)
    let method = Method.all[source.index(below: Method.all.count)]
    let json: VarlinkParameters
    // What is no JSON object never gets as far as a method.
    do { json = try VarlinkParameters(json: source.remainder()) } catch { return }
    do {
      _ = try json.decode(NoParameters.self)
    } catch {
      throw Finding("what the scanner lets pass is no JSON to the library: \(error)")
    }
    try method.checkParameters(json)
    try method.checkReply(json)
  }
}
