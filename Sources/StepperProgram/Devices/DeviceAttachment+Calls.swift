package import StepperClient
internal import StepperInterfaces
package import Varlink

/// The calls of a ``DeviceAttachment`` and their answers.
extension DeviceAttachment.Call {
  package var varlink: VarlinkCall {
    get throws(VarlinkMessageError) {
      switch self {
      case .attach(let parameters): try VarlinkCall(ProviderInterface.Attach.self, parameters)
      case .report(let parameters): try VarlinkCall(ProviderInterface.Report.self, parameters)
      case .detach(let parameters): try VarlinkCall(ProviderInterface.Detach.self, parameters)
      }
    }
  }
}

extension DeviceAttachment.Answer {
  package init(
    of call: DeviceAttachment.Call, _ outcome: Result<VarlinkReply, StepperClientError>
  ) throws(StepperClientError) {
    let reply = try outcome.get()
    switch call {
    case .attach: self = .attached(handle: try reply.results(of: ProviderInterface.Attach.self).handle)
    case .report:
      _ = try reply.results(of: ProviderInterface.Report.self)
      self = .done
    case .detach:
      _ = try reply.results(of: ProviderInterface.Detach.self)
      self = .done
    }
  }

  package init(_ error: StepperClientError) {
    self = error.isAbsence ? .absent : .refused(code: error.code.description, message: error.message)
  }
}
