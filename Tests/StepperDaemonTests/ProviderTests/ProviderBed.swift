import StepperInterfaces
import TestSupport
import Varlink

typealias Provider = ProviderInterface

/// A daemon without devices of the kernel, and programs that attach some.
struct ProviderBed {
  let daemon: RunningDaemon

  static let table = """
    [device.knob]
    match = { provider = "test" }

    """

  /// `configuration` comes after ``table``.
  init(_ configuration: String) throws { daemon = try RunningDaemon(Self.table + configuration) }

  func client() throws -> WireClient { try daemon.client() }

  func follower() throws -> WireClient {
    let client = try client()
    try client.subscribe()
    _ = try client.next()
    return client
  }

  func device(_ name: String) throws -> DeviceInterface.Device? {
    try client().call(DeviceInterface.List.self, NoParameters()).devices.first { $0.device == name }
  }

  func problems() throws -> [String] {
    try client().call(ManagerInterface.GetStatus.self, NoParameters()).problems
  }

  func reload(_ configuration: String) throws {
    try daemon.folder.write(configuration, to: "stepperd.toml")
    _ = try client().call(ManagerInterface.Reload.self, NoParameters())
  }

  /// A program that has attached a device.
  func attach(_ declaration: Provider.Attach.Parameters = .knob()) throws -> AttachedKnob {
    let client = try client()
    return AttachedKnob(client, try client.call(Provider.Attach.self, declaration))
  }
}

extension ProviderInterface.Attach.Parameters {
  /// A knob with two buttons, unless told.
  static func knob(
    _ name: String = "Knob", provider: String = "test", path: String? = nil, serial: String? = nil,
    keys: [String] = ["BTN_0", "KEY_VOLUMEUP"], relative: [Provider.RelativeAxis] = [.init(code: "REL_DIAL")],
    absolute: [Provider.AbsoluteAxis] = [], outputs: [Provider.Output] = [], lease: Int64? = nil
  ) -> Self {
    Self(
      identity: .init(provider: provider, name: name, path: path, serial: serial), keys: keys,
      relative: relative, absolute: absolute, outputs: outputs, leaseMilliseconds: lease)
  }
}

/// A device and the connection that has attached it.
final class AttachedKnob {
  let client: WireClient
  let reply: Provider.Attach.Reply

  init(_ client: WireClient, _ reply: Provider.Attach.Reply) { (self.client, self.reply) = (client, reply) }

  /// Reports frames such as `REL_DIAL=1 BTN_0=1`.
  func report(_ frames: String..., time: Int64? = nil, lost: Provider.Lost? = nil) throws {
    try client.call(Provider.Report.self, parameters(frames, time: time, lost: lost))
  }

  /// The error that a report is answered with; nil: none.
  func failure(_ frames: String..., lost: Provider.Lost? = nil) throws -> VarlinkFailure? {
    try client.send(Provider.Report.self, parameters(frames, time: nil, lost: lost))
    return try client.reply().failure
  }

  func parameters(_ frames: [String], time: Int64?, lost: Provider.Lost?) -> Provider.Report.Parameters {
    .init(
      handle: reply.handle,
      frames: ShortList(
        frames.map { frame in
          let events = frame.split(separator: " ").map { event in
            let parts = event.split(separator: "=")
            return Provider.Event(code: String(parts[0]), value: Int64(parts[1]) ?? 0)
          }
          return Provider.Frame(time: time, events: ShortList(events))
        }), lost: lost)
  }
}

/// A client that follows the orders for devices.
final class OrderFollower {
  let client: WireClient

  init(_ bed: ProviderBed, _ handles: [String]) throws {
    client = try bed.client()
    try client.send(Provider.Subscribe.self, .init(handles: handles))
  }

  func next(within seconds: Double = 60) throws -> [Provider.Order] {
    try client.reply(within: seconds).decode(Provider.Subscribe.Reply.self).orders
  }

  /// Reads until an order fits.
  @discardableResult
  func order(where fits: (Provider.Order) -> Bool) throws -> Provider.Order {
    while true {
      if let order = try next().first(where: fits) { return order }
    }
  }
}
