internal import StepperCore
internal import StepperInterfaces
package import Varlink

typealias CallOutcome = Result<VarlinkReply?, StepperClientError>
typealias CallConnection = ClientConnection<CallMachine<Promise<CallOutcome>>, CallOutcome>

extension StepperClient {
  /// Calls `method` and returns its reply. For methods that this class does not have.
  ///
  /// Throws `cancelled` as soon as the task is cancelled; it is unknown whether the daemon performed the call.
  public func call<Method: VarlinkMethod>(
    _ method: Method.Type, _ parameters: Method.Parameters
  ) async throws(StepperClientError) -> Method.Reply {
    guard !Task.isCancelled else { throw .cancelled }
    let (id, promise) = try make(method, parameters)
    let outcome = await withTaskCancellationHandler {
      await promise.value
    } onCancel: {
      calls.perform { calls, _ in calls.withdraw(id) }
    }
    return try outcome.results(of: method)
  }

  /// Calls `method` and waits for its reply. For methods that this class does not have.
  public func call<Method: VarlinkMethod>(
    _ method: Method.Type, _ parameters: Method.Parameters
  ) throws(StepperClientError) -> Method.Reply {
    try make(method, parameters).promise.wait().results(of: method)
  }

  private func make<Method: VarlinkMethod>(
    _ method: Method.Type, _ parameters: Method.Parameters
  ) throws(StepperClientError) -> (id: CallMachine<Promise<CallOutcome>>.ID, promise: Promise<CallOutcome>) {
    // A stream of replies would occupy the connection: the daemon answers that the method expects `more`.
    let call = try VarlinkCall.of(method, parameters, mode: .single)
    try thread.start()
    let promise = Promise<CallOutcome>()
    // An attached device lasts as long as its connection.
    let endsConnection = call.method.hasPrefix("\(ProviderInterface.name).")
    let id = calls.make { calls, now in calls.make(call, promise, at: now, endsConnection: endsConnection) }
    thread.wake()
    return (id, promise)
  }

  /// Closes the connection, which releases the buttons and lights that this client holds. The next call opens a new one.
  ///
  /// Calls that other threads and tasks wait for throw `disconnected`.
  public func close() {
    calls.perform { calls, _ in calls.close() }
    thread.wake()
  }

  /// Waits, for example while a button is held, and throws `disconnected` if the daemon goes away meanwhile.
  ///
  /// Without `duration` it returns only by throwing.
  public func stayConnected(for duration: Duration? = nil) throws(StepperClientError) {
    let promise = Promise<CallOutcome>()
    calls.perform { calls, now in
      calls.stay(promise, until: duration.map { now + $0 })
    }
    thread.wake()
    _ = try promise.wait().get()
  }
}

extension CallOutcome {
  /// The results of `method`; throws the error that the daemon answered with.
  fileprivate func results<Method: VarlinkMethod>(
    of method: Method.Type
  ) throws(StepperClientError) -> Method.Reply {
    guard let reply = try get() else { throw .disconnected }
    return try reply.results(of: method)
  }
}

extension VarlinkReply {
  /// The results of `method`; throws the error that the daemon answered with.
  package func results<Method: VarlinkMethod>(of method: Method.Type) throws(StepperClientError)
    -> Method.Reply
  {
    if let failure { throw StepperClientError(failure) }
    do {
      return try parameters.decode(Method.Reply.self)
    } catch {
      throw .protocolViolation(error.reason)
    }
  }
}
