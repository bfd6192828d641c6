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
  /// The daemon's error with its parameters, if the refusal comes from the daemon.
  var failure: VarlinkFailure?
  /// A sentence for people.
  package let detail: String
  /// In how many seconds the client may try again.
  var retryAfter: Int?
  var headers = HTTPFields()

  /// The HTTP status code.
  package var code: Int { status.code }

  init(_ status: HTTPResponse.Status, _ detail: String, retryAfter: Int? = nil) {
    (self.status, self.detail, self.retryAfter) = (status, detail, retryAfter)
  }

  /// A problem with the HTTP status code `code` and its standard phrase.
  init(_ code: Int, _ detail: String) {
    let words = HTTPResponseStatus(statusCode: code).reasonPhrase
    self.init(HTTPResponse.Status(code: code, reasonPhrase: words), detail)
  }

  static let notFound = Problem(.notFound, "there is nothing at this address")
  static let needsToken = Problem(.unauthorized, "a token is needed")
  static let stopping = Problem(.serviceUnavailable, "the web program is stopping", retryAfter: 1)

  /// The URL has only `methods`.
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
  /// The daemon's error for a call that changes something, or the reason for a missing answer. The status for `Changed` depends on
  /// whether the condition was a member of the body or `If-Match`.
  init(_ error: StepperClientError, ifMatch: Bool = false) {
    var (status, retryAfter): (HTTPResponse.Status, Int?) =
      switch error.code {
      case .noSuchControl, .noSuchHold: (.notFound, nil)
      case .holdInUse: (.conflict, nil)
      case .notWritable, .permissionDenied: (.forbidden, nil)
      case .invalidParameter: (.badRequest, nil)
      case .outOfRange, .noSuchValue, .invalidRange: (.unprocessableContent, nil)
      case .changed: (ifMatch ? .preconditionFailed : .conflict, nil)
      case .tooManySubscriptions, .tooManyConnections, .stopping, .cannotConnect: (.serviceUnavailable, 1)
      // The daemon may have received the call.
      case .disconnected, .timedOut, .cancelled: (.gatewayTimeout, nil)
      default: (.badGateway, nil)
      }
    switch error.failure?.name {
    case ControlInterface.TooManyHolds.name?: (status, retryAfter) = (.tooManyRequests, 1)
    case ServiceInterface.MethodNotFound.name?, ServiceInterface.MethodNotImplemented.name?:
      (status, retryAfter) = (.notImplemented, nil)
    default: break
    }
    let isUnknown = status == .gatewayTimeout
    self.init(
      status, error.line + (isUnknown ? "; it is unknown whether it was done: ask for the state" : ""),
      retryAfter: retryAfter)
    failure = error.failure
  }

  /// Whether the daemon lacks the method.
  static func isMissingMethod(_ error: StepperClientError) -> Bool {
    [ServiceInterface.MethodNotFound.name, ServiceInterface.MethodNotImplemented.name]
      .contains(error.failure?.name)
  }

  /// The body of the answer.
  var text: [UInt8] {
    JSON.object([
      "type": "about:blank", "title": status.reasonPhrase, "status": code, "error": failure?.name,
      "parameters": (failure?.parameters.json).map(JSONFragment.init), "detail": detail,
    ])
  }

  var response: Response {
    var headers = self.headers
    headers[.contentType] = "application/problem+json"
    headers[.cacheControl] = "no-store"
    if status == .unauthorized { headers[.wwwAuthenticate] = "Bearer" }
    if let retryAfter { headers[.retryAfter] = String(retryAfter) }
    return Response(status: status, headers: headers, body: .init(byteBuffer: ByteBuffer(bytes: text)))
  }
}
