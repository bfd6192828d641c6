/// A reply from a service to a client.
public struct VarlinkReply: Hashable, Sendable {
  /// The results of the method, or the parameters of the error.
  public var parameters: VarlinkParameters
  /// Whether more replies to the same call follow.
  public var continues: Bool
  /// The fully qualified name of the error; nil if the reply is not an error.
  public var error: String?

  /// A reply with `parameters`.
  public init(parameters: VarlinkParameters = .empty, continues: Bool = false) {
    self.parameters = parameters
    self.continues = continues
  }

  /// A reply with the error `failure`.
  public init(_ failure: VarlinkFailure) {
    parameters = failure.parameters
    continues = false
    error = failure.name
  }

  /// The error of the reply; nil if the reply is not an error.
  public var failure: VarlinkFailure? { error.map { VarlinkFailure(name: $0, parameters: parameters) } }

  /// The message, with the NUL that ends it.
  public func encoded() -> [UInt8] {
    var bytes: [UInt8] = []
    encode(into: &bytes)
    return bytes
  }

  /// Appends the message, with the NUL that ends it.
  func encode(into bytes: inout [UInt8]) {
    Self.begin(error: error, in: &bytes)
    bytes += parameters.text
    Self.end(continues: continues, in: &bytes)
  }

  /// Appends the part of the message before the parameters.
  static func begin(error: String?, in bytes: inout [UInt8]) {
    guard let error else { return JSONText.append(literal: "{\"parameters\":", to: &bytes) }
    JSONText.append(literal: "{\"error\":", to: &bytes)
    JSONText.append(error, to: &bytes)
    JSONText.append(literal: ",\"parameters\":", to: &bytes)
  }

  /// Appends the part of the message after the parameters.
  static func end(continues: Bool, in bytes: inout [UInt8]) {
    JSONText.append(literal: continues ? ",\"continues\":true}\0" : "}\0", to: &bytes)
  }

  /// Decodes the reply in a message without its NUL. Unknown members are ignored.
  public init(decoding message: some Sequence<UInt8>) throws(VarlinkMessageError) {
    let bytes = Array(message)
    self.init()
    for member in try JSONScanner.members(of: bytes) {
      switch (Member(member, in: bytes.span), member.kind) {
      case (.parameters, .object): parameters = VarlinkParameters(of: bytes, at: member.value)
      case (.continues, .boolean): continues = bytes[member.value.lowerBound] == UInt8(ascii: "t")
      case (.error, .string):
        guard let name = member.nameOfASCII(in: bytes, atMost: Self.longestError) else {
          throw VarlinkMessageError("'error' of a reply is not the name of an error")
        }
        error = name
      case (.other, _), (_, .null): break
      case (let member, _): throw VarlinkMessageError("'\(member)' of a reply is of the wrong type")
      }
    }
  }

  private static let longestError = 255

  /// The members of a reply.
  private enum Member {
    case parameters, continues, error, other

    init(_ member: JSONScanner.Member, in bytes: Span<UInt8>) {
      if member.isNamed("parameters", in: bytes) {
        self = .parameters
      } else if member.isNamed("continues", in: bytes) {
        self = .continues
      } else if member.isNamed("error", in: bytes) {
        self = .error
      } else {
        self = .other
      }
    }
  }

  /// The results of the call: `reply.decode(ControlInterface.Get.Reply.self)`.
  ///
  /// Throws ``VarlinkReplyError/failed(_:)`` if the reply is an error.
  public func decode<Results: JSONReadable>(_ type: Results.Type) throws(VarlinkReplyError) -> Results {
    if let failure { throw .failed(failure) }
    do {
      return try parameters.decode(type)
    } catch {
      throw .malformed(error)
    }
  }
}

/// Why a reply has no results.
public enum VarlinkReplyError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The service answered with an error.
  case failed(VarlinkFailure)
  /// The reply does not have the form of the method's results.
  case malformed(VarlinkMessageError)

  /// The name and the parameters of the error, or the fault of the reply.
  public var description: String {
    switch self {
    case .failed(let failure): failure.description
    case .malformed(let error): error.description
    }
  }
}
