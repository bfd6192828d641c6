internal import Glibc
internal import Varlink

extension StepperClient {
  /// Calls `method` on a thread of its own, so that no thread of the task's executor is blocked.
  ///
  /// Throws `cancelled` when the task is cancelled; the daemon may have done it all the same.
  public func call<Method: VarlinkMethod>(
    _ method: Method.Type, _ parameters: Method.Parameters
  ) async throws(StepperClientError) -> Method.Reply {
    let wakeup = try Wakeup()
    let result = await withTaskCancellationHandler {
      await withCheckedContinuation { (continuation: CheckedContinuation<Outcome<Method.Reply>, Never>) in
        let started = Thread.start { [self] in
          continuation.resume(returning: outcome(of: method, parameters, orWoken: wakeup))
        }
        if !started { continuation.resume(returning: .failure(.noThread)) }
      }
    } onCancel: {
      wakeup.signal()
    }
    return try result.get()
  }

  private func outcome<Method: VarlinkMethod>(
    of method: Method.Type, _ parameters: Method.Parameters, orWoken wakeup: Wakeup
  ) -> Outcome<Method.Reply> {
    do throws(StepperClientError) {
      return .success(try call(method, parameters, orWoken: wakeup))
    } catch {
      return .failure(error)
    }
  }
}

private typealias Outcome<Reply> = Result<Reply, StepperClientError>

extension StepperClientError {
  static let noThread = StepperClientError(.cannotConnect, "no thread could be started")
}
