internal import HTTPTypes
internal import HummingbirdCore
internal import NIOCore
internal import Varlink

/// The JSON objects in the bodies of requests.
enum JSONBody {
  /// The most bytes of a body.
  static let byteLimit = 8 << 10
  /// The deepest nesting of objects and arrays.
  static let depthLimit = 8

  /// Parses the body of `request` with `read`. A member that `read` does not take is refused, because it may be misspelt. `example` is
  /// JSON, shown when another body is refused.
  static func read<Value>(
    _ request: WebRequest, like example: String,
    _ read: (inout JSONMembers) throws(JSONMisfit) -> Value
  ) async throws(Problem) -> Value {
    let bytes = try await bytes(of: request)
    // The body may have taken seconds to arrive, and the token may have been removed since.
    try request.checkToken()
    guard depth(of: bytes) <= depthLimit else {
      throw Problem(.badRequest, "the JSON of the body is nested more than \(depthLimit) deep")
    }
    let parameters: VarlinkParameters
    do throws(VarlinkMessageError) {
      parameters = try VarlinkParameters(json: bytes)
    } catch {
      throw Problem(.badRequest, "the body must be a JSON object such as \(example): \(error.reason)")
    }
    do throws(JSONMisfit) {
      var members = try JSONMembers(try parameters.read(JSONValue.self))
      let value = try read(&members)
      try members.end()
      return value
    } catch {
      throw .invalidParameter(
        error.member ?? "body", "the body must be a JSON object such as \(example): \(error)")
    }
  }

  private static func bytes(of request: WebRequest) async throws(Problem) -> [UInt8] {
    do {
      let buffer = try await request.body.collect(upTo: byteLimit)
      if !request.connection.hasRoom { try await request.connection.takeRoom(AnswerRoom.least) }
      return Array(buffer.readableBytesView)
    } catch is NIOTooManyBytesError {
      throw .tooLong
    } catch {
      throw Problem(.badRequest, "the body is shorter than announced")
    }
  }

  /// The nesting depth of brackets outside of strings.
  static func depth(of bytes: [UInt8]) -> Int {
    var (depth, deepest, isInString, isEscaped) = (0, 0, false, false)
    for byte in bytes {
      switch byte {
      case _ where isEscaped: isEscaped = false
      case UInt8(ascii: "\\") where isInString: isEscaped = true
      case UInt8(ascii: "\""): isInString.toggle()
      case UInt8(ascii: "{") where !isInString, UInt8(ascii: "[") where !isInString:
        depth += 1
        deepest = max(deepest, depth)
      case UInt8(ascii: "}") where !isInString, UInt8(ascii: "]") where !isInString: depth -= 1
      default: break
      }
    }
    return deepest
  }
}

extension Response {
  /// A JSON answer that is never cached.
  init(json: [UInt8], status: HTTPResponse.Status = .ok, entityTag: String? = nil) {
    var headers = HTTPFields()
    headers[.contentType] = "application/json"
    headers[.cacheControl] = "no-store"
    if let entityTag { headers[.eTag] = entityTag }
    self.init(status: status, headers: headers, body: .init(byteBuffer: ByteBuffer(bytes: json)))
  }
}
