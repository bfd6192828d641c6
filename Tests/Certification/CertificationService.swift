import StepperCore
import StepperDaemon
import StepperLinux
import Varlink

/// Serves the certification over the daemon's own server code.
@MainActor final class CertificationService: ReplySource {
  /// How many of ten replies to `Test10` were sent, of each of its calls.
  private var sent: [Int] = []

  func answer(_ call: VarlinkCall, from session: Session) throws(VarlinkFailure) -> Answer {
    let method = String(call.method.split(separator: ".").last ?? "")
    if method == "Start" { return .reply(["client_id": "client-\(session.id)"]) }
    do {
      try check(call, method, "client-\(session.id)")
      switch method {
      case "Test10": return .stream(beginTen())
      case "Test11": return .reply([String: AnyJSON]())
      case "End": return .reply(["all_ok": true])
      default:
        let results = Script.results.first { $0.method == method }?.results ?? "{}"
        return .reply(try Script.object(results))
      }
    } catch let error as CertificationError {
      throw VarlinkFailure(error)
    } catch {
      throw VarlinkFailure(ServiceInterface.InvalidParameter(parameter: "parameters"))
    }
  }

  private func check(_ call: VarlinkCall, _ method: String, _ client: String) throws {
    var wanted = try Script.parameters(of: method)
    wanted["client_id"] = .string(client)
    let got = try call.parameters.decode([String: AnyJSON].self).filter { $0.value != .null }
    let modes: [String: VarlinkCall.Mode] = ["Test10": .more, "Test11": .oneway]
    guard got == wanted, call.mode == modes[method] ?? .single else {
      throw CertificationError(wants: .object(wanted), got: .object(got))
    }
  }

  // MARK: Test10

  private func beginTen() -> Int {
    sent.append(0)
    return sent.count - 1
  }

  func due(_ row: Int) -> Instant? { sent[row] < Script.replyCount ? Instant(nanoseconds: 0) : nil }

  func sendReply(_ row: Int, on connection: inout VarlinkServerConnection, at now: Instant) -> Instant? {
    let reply = Script.lastReplies[sent[row]]
    connection.reply(["string": reply], continues: sent[row] + 1 < Script.replyCount)
    sent[row] += 1
    return nil
  }

  func stopping(_ row: Int) -> VarlinkFailure { VarlinkFailure(ServiceInterface.PermissionDenied()) }
}
