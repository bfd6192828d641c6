import Varlink

/// Answers the calls of all clients. It knows connections, but no sockets.
struct CounterService {
  private let service = VarlinkService(
    vendor: "Example", product: "counter", version: "1", url: "https://example.org",
    interfaces: [
      InterfaceDescription(
        name: CounterInterface.name,
        text: String(decoding: PackageResources.org_example_counter_varlink, as: UTF8.self),
        limits: [
          MethodLimits(CounterInterface.Add.self, ["name": .text(bytes: 64), "by": .integer(-100...100)]),
          MethodLimits(CounterInterface.Countdown.self, ["from": .integer(0...10)]),
        ])
    ])
  private var counts: [String: Int64] = [:]
  private static let mostCounters = 100

  /// Answers every call that was received completely.
  mutating func answer(_ connection: inout VarlinkServerConnection) {
    while let call = connection.nextCall() {
      // Calls of org.varlink.service, of methods that there are not, and with parameters beyond their limits.
      if let reply = service.answer(call) {
        connection.send(reply)
        continue
      }
      do throws(VarlinkFailure) {
        switch call.method {
        case CounterInterface.Add.name:
          connection.reply(try add(call.parameters(of: CounterInterface.Add.self)))
        case CounterInterface.Countdown.name:
          let first = try call.parameters(of: CounterInterface.Countdown.self).from
          for left in (0...first).reversed() {
            connection.reply(CounterInterface.Countdown.Reply(left: left), continues: left > 0)
          }
        default:
          connection.fail(ServiceInterface.MethodNotImplemented(method: call.method))
        }
      } catch {
        connection.fail(error)
      }
    }
  }

  private mutating func add(
    _ parameters: CounterInterface.Add.Parameters
  ) throws(VarlinkFailure) -> CounterInterface.Add.Reply {
    guard counts[parameters.name] != nil || counts.count < Self.mostCounters else {
      throw VarlinkFailure(CounterInterface.TooManyCounters(limit: Int64(Self.mostCounters)))
    }
    let count = counts[parameters.name, default: 0] + (parameters.by ?? 1)
    counts[parameters.name] = count
    return CounterInterface.Add.Reply(counter: .init(name: parameters.name, count: count))
  }
}
