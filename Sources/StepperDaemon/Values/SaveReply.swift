import StepperCore
import StepperInterfaces
import Varlink

/// The reply to `Save`, sent at the end of the write that it requested.
final class SaveReply: ReplyStream {
  private let store: ValueStore
  private let write: Int64
  private let path: String
  private var isGiven = false
  var whenDue: (() -> Void)?

  init(_ store: ValueStore) {
    self.store = store
    path = store.path
    write = store.requestWrite()
    store.notify(of: write) { [weak self] in self?.whenDue?() }
  }

  var due: Instant? { isGiven || store.result(of: write) == nil ? nil : Instant(nanoseconds: 0) }

  func sendReply(on connection: inout VarlinkServerConnection, at now: Instant) -> Instant? {
    guard let result = store.result(of: write) else { return nil }
    isGiven = true
    switch result {
    case .success: connection.reply(NoParameters())
    case .failure(let failure):
      connection.fail(ManagerInterface.SaveFailed(path: path, message: failure.explanation))
    }
    return nil
  }

  var stopping: VarlinkFailure {
    let message = "stepperd was stopped before the disk had answered"
    return VarlinkFailure(ManagerInterface.SaveFailed(path: path, message: message))
  }
}
