import StepperCore
import StepperDaemon
import StepperLinux
import Varlink

/// Serves the certification over the daemon's own server code.
@MainActor final class CertificationService {
  func answer(_ call: VarlinkCall, from session: Session) throws(VarlinkFailure) -> Answer {
    let method = String(call.method.split(separator: ".").last ?? "")
    if method == "Start" { return .reply(["client_id": "client-\(session.id)"]) }
    do {
      try check(call, method, "client-\(session.id)")
      switch method {
      case "Test10": return .stream(TenReplies())
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
}

/// `Test10`.
private final class TenReplies: ReplyStream {
  private var sent = 0

  init() {}

  var due: Instant? { sent < Script.replyCount ? Instant(nanoseconds: 0) : nil }

  func sendReply(on connection: inout VarlinkServerConnection, at now: Instant) -> Instant? {
    connection.reply(["string": Script.lastReplies[sent]], continues: sent + 1 < Script.replyCount)
    sent += 1
    return nil
  }

  var stopping: VarlinkFailure { VarlinkFailure(ServiceInterface.PermissionDenied()) }
}
