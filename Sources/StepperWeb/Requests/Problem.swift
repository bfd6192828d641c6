internal import HTTPTypes
internal import HummingbirdCore
internal import NIOCore
internal import NIOHTTP1
internal import StepperClient
internal import StepperInterfaces
internal import Varlink

/// Why a request is refused: an answer of type `application/problem+json` (RFC 9457).
package struct Problem: Error {
  let status: HTTPResponse.Status
  /// The daemon's error with its parameters, if it is one of the daemon's.
  var failure: VarlinkFailure?
  /// A sentence for people.
  package let detail: String
  /// In how many seconds it may work.
  var retryAfter: Int?
  var headers = HTTPFields()

  /// The status code of HTTP.
  package var code: Int { status.code }

  init(_ status: HTTPResponse.Status, _ detail: String, retryAfter: Int? = nil) {
    (self.status, self.detail, self.retryAfter) = (status, detail, retryAfter)
  }

  /// With the status code `code` of HTTP, and the words for it.
  init(_ code: Int, _ detail: String) {
    let words = HTTPResponseStatus(statusCode: code).reasonPhrase
    self.init(HTTPResponse.Status(code: code, reasonPhrase: words), detail)
  }

  static let notFound = Problem(.notFound, "there is nothing at this address")
  static let needsToken = Problem(.unauthorized, "a token is needed")
  static let stopping = Problem(.serviceUnavailable, "the web program is stopping", retryAfter: 1)

  /// There are only `methods` at the address.
  static func otherMethod(_ detail: String, _ methods: [String]) -> Problem {
    var problem = Problem(.methodNotAllowed, detail)
    problem.headers[.allow] = methods.joined(separator: ", ")
    return problem
  }

  static func noDaemon(_ problem: String) -> Problem {
    Problem(.serviceUnavailable, "not connected to stepperd: \(problem)", retryAfter: 1)
  }

  static func noSuchControl(_ control: String) -> Problem {
    var problem = Problem(.notFound, "there is no control '\(control)'")
    problem.failure = VarlinkFailure(ControlInterface.NoSuchControl(control: control))
    return problem
  }

  static func invalidParameter(_ name: String, _ detail: String) -> Problem {
    var problem = Problem(.badRequest, detail)
    problem.failure = VarlinkFailure(ServiceInterface.InvalidParameter(parameter: name))
    return problem
  }
}

extension Problem {
  /// What the daemon answered, or why it did not. A `Changed` is one status for a member of the body, and another for
  /// `If-Match`.
  init(_ error: StepperClientError, ifMatch: Bool = false) {
    var (status, retryAfter): (HTTPResponse.Status, Int?) =
      switch error.code {
      case .noSuchControl, .noSuchHold: (.notFound, nil)
      case .holdInUse: (.conflict, nil)
      case .notWritable, .permissionDenied: (.forbidden, nil)
      case .invalidParameter: (.badRequest, nil)
      case .outOfRange, .noSuchValue, .invalidRange: (.unprocessableContent, nil)
      case .changed: (ifMatch ? .preconditionFailed : .conflict, nil)
      case .tooManySubscriptions, .tooManyConnections, .stopping, .cannotConnect, .disconnected, .timedOut,
        .cancelled:
        (.serviceUnavailable, 1)
      default: (.badGateway, nil)
      }
    switch error.failure?.name {
    case ControlInterface.TooManyHolds.name?: (status, retryAfter) = (.tooManyRequests, 1)
    case ServiceInterface.MethodNotFound.name?, ServiceInterface.MethodNotImplemented.name?:
      (status, retryAfter) = (.notImplemented, nil)
    default: break
    }
    self.init(status, error.line, retryAfter: retryAfter)
    failure = error.failure
  }

  /// Whether the daemon does not have the method.
  static func isMissingMethod(_ error: StepperClientError) -> Bool {
    [ServiceInterface.MethodNotFound.name, ServiceInterface.MethodNotImplemented.name]
      .contains(error.failure?.name)
  }

  /// The body of the answer.
  var text: [UInt8] {
    JSON.object { buffer throws(VarlinkMessageError) in
      JSONText.append(",\"type\":", "about:blank", to: &buffer)
      JSONText.append(",\"title\":", status.reasonPhrase, to: &buffer)
      JSONText.append(",\"status\":", Int64(code), to: &buffer)
      JSONText.append(",\"error\":", failure?.name, to: &buffer)
      if let failure {
        JSONText.append(literal: ",\"parameters\":", to: &buffer)
        buffer += failure.parameters.json
      }
      JSONText.append(",\"detail\":", detail, to: &buffer)
    }
  }

  var response: Response {
    var headers = self.headers
    headers[.contentType] = "application/problem+json"
    headers[.cacheControl] = "no-store"
    if let retryAfter { headers[.retryAfter] = String(retryAfter) }
    return Response(status: status, headers: headers, body: .init(byteBuffer: ByteBuffer(bytes: text)))
  }
}
