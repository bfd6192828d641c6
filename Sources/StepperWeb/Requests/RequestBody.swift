internal import HTTPTypes
internal import HummingbirdCore
internal import NIOCore
internal import Varlink

/// The JSON objects that requests bring.
enum JSONBody {
  /// The most bytes of one.
  static let byteLimit = 8 << 10
  /// The most objects and arrays within each other.
  static let depthLimit = 8

  /// What `read` makes of the body of `request`; a member that it does not take is refused, because it may be misspelt.
  /// `example` is JSON, for the refusal of another body.
  static func read<Value>(
    _ request: WebRequest, like example: String,
    _ read: (inout JSONMembers) throws(JSONMisfit) -> Value
  ) async throws(Problem) -> Value {
    let bytes = try await bytes(of: request)
    // The body may have taken seconds.
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
      var members = try parameters.read(AnyObject.self).members
      let value = try read(&members)
      try members.end()
      return value
    } catch {
      throw .invalidParameter(
        error.member ?? "body", "the body must be a JSON object such as \(example): \(error)")
    }
  }

  /// An object whose members are read later.
  private struct AnyObject: JSONReadable {
    let members: JSONMembers

    init(json value: JSONValue) throws(JSONMisfit) { members = try JSONMembers(value) }
  }

  private static func bytes(of request: WebRequest) async throws(Problem) -> [UInt8] {
    do {
      let buffer = try await request.body.collect(upTo: byteLimit)
      if !request.connection.hasRoom { try await request.connection.takeRoom(AnswerRoom.least) }
      return Array(buffer.readableBytesView)
    } catch is NIOTooManyBytesError {
      throw .tooLong
    } catch {
      throw Problem(.badRequest, "the body ended before its time")
    }
  }

  /// How deep brackets are within each other, outside of strings.
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
  /// An answer of JSON that is never kept.
  init(json: [UInt8], status: HTTPResponse.Status = .ok, entityTag: String? = nil) {
    var headers = HTTPFields()
    headers[.contentType] = "application/json"
    headers[.cacheControl] = "no-store"
    if let entityTag { headers[.eTag] = entityTag }
    self.init(status: status, headers: headers, body: .init(byteBuffer: ByteBuffer(bytes: json)))
  }
}
