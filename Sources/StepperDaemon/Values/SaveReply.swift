import StepperCore
import StepperInterfaces
import Varlink

/// The reply to `Save`, sent at the end of the write that it requested.
final class SaveReply: LateReply {
  let session: Int64
  private let store: ValueStore
  private let write: Int64
  private let path: String
  var isSent = false

  init(_ store: ValueStore, for session: Int64) {
    (self.store, self.session) = (store, session)
    path = store.path
    write = store.requestWrite()
  }

  var isReady: Bool { store.result(of: write) != nil }

  func send(on connection: inout VarlinkServerConnection) {
    switch store.result(of: write) {
    case nil: break
    case .success?: connection.reply(NoParameters())
    case .failure(let failure)?:
      connection.fail(ManagerInterface.SaveFailed(path: path, message: failure.explanation))
    }
  }

  var stopping: VarlinkFailure {
    let message = "stepperd was stopped before the disk had answered"
    return VarlinkFailure(ManagerInterface.SaveFailed(path: path, message: message))
  }
}
