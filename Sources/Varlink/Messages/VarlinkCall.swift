/// A call from a client to a service.
public struct VarlinkCall: Hashable, Sendable {
  /// The number of replies that the client requests.
  public enum Mode: String, Hashable, Sendable {
    /// One reply.
    case single
    /// No reply, not even an error.
    case oneway
    /// Any number of replies with `continues`, and a last one without.
    case more
    /// One reply, after which the connection is no longer Varlink.
    case upgrade
  }

  /// The fully qualified name: `org.stepperd.control.Get`. Empty for a call from outside whose `method` cannot be the
  /// name of a method, because it has more than 255 bytes or is not printable ASCII.
  public var method: String
  /// The parameters.
  public var parameters: VarlinkParameters
  /// The number of replies that the client requests.
  public var mode: Mode

  private static let longestMethod = 255

  /// A call of `method`.
  public init(_ method: String, parameters: VarlinkParameters = .empty, mode: Mode = .single) {
    self.method = method
    self.parameters = parameters
    self.mode = mode
  }

  /// A call of `method` with typed parameters. If no mode is given, it is `more` if the method expects that, else
  /// `single`.
  ///
  /// Throws if a parameter cannot be encoded: a number that is not finite.
  public init<Method: VarlinkMethod>(
    _ method: Method.Type, _ parameters: Method.Parameters, mode: Mode? = nil
  ) throws(VarlinkMessageError) {
    self.init(
      Method.name, parameters: try VarlinkParameters(encoding: parameters),
      mode: mode ?? (Method.expectsMore ? .more : .single))
  }

  /// The message, with the NUL that ends it.
  public func encoded() -> [UInt8] {
    var bytes = Array("{\"method\":".utf8)
    JSONText.append(method, to: &bytes)
    bytes += Array(",\"parameters\":".utf8)
    bytes += parameters.text
    if mode != .single { bytes += Array(",\"\(mode.rawValue)\":true".utf8) }
    bytes += [UInt8(ascii: "}"), 0]
    return bytes
  }

  /// Decodes the call in a message without its NUL.
  ///
  /// Throws if the connection must be closed: the message is not one JSON object in UTF-8 with unique names, has no
  /// `method`, a flag that is not a boolean, two flags, `parameters` that are neither an object nor null, or an
  /// unknown member that is not a vendor's (a dot in the name, an object as the value).
  public init(decoding message: some Sequence<UInt8>) throws(VarlinkMessageError) {
    let bytes = Array(message)
    var notes = JSONScanner.Notes()
    try self.init(scanning: bytes, in: bytes.indices, noting: &notes)
  }

  /// Decodes the call in `range` of `bytes`, which the call shares. If its method is `former`, it shares that string.
  init(
    scanning bytes: [UInt8], in range: Range<Int>, noting notes: inout JSONScanner.Notes, former: String = ""
  ) throws(VarlinkMessageError) {
    try JSONScanner.scan(bytes, in: range, noting: "parameters", in: &notes)
    var method: String?
    var parameters = VarlinkParameters.empty
    var mode = Mode.single
    for member in notes.members {
      switch (Member(member, in: bytes.span), member.kind) {
      case (.method, .string):
        method =
          member.isString(former, in: bytes.span)
          ? former : member.nameOfASCII(in: bytes, atMost: Self.longestMethod) ?? ""
      case (.parameters, .object):
        parameters = VarlinkParameters(of: bytes, at: member.value, members: notes.inner)
      case (.parameters, .null):
        break
      case (.mode(let flag), .boolean):
        guard bytes[member.value.lowerBound] == UInt8(ascii: "t") else { break }
        guard mode == .single else { throw VarlinkMessageError("both '\(mode)' and '\(flag)'") }
        mode = flag
      case (.method, _), (.parameters, _), (.mode, _):
        throw VarlinkMessageError("'\(member.shownName(in: bytes))' is of the wrong type")
      case (.other, let kind):
        guard kind == .object, member.isVendors(in: bytes) else {
          throw VarlinkMessageError("unknown member '\(member.shownName(in: bytes))'")
        }
      }
    }
    guard let method else { throw VarlinkMessageError("no 'method'") }
    self.init(method, parameters: parameters, mode: mode)
  }

  /// The members of a call.
  private enum Member {
    case method, parameters, mode(Mode), other

    init(_ member: JSONScanner.Member, in bytes: Span<UInt8>) {
      if member.isNamed("method", in: bytes) {
        self = .method
      } else if member.isNamed("parameters", in: bytes) {
        self = .parameters
      } else if member.isNamed("oneway", in: bytes) {
        self = .mode(.oneway)
      } else if member.isNamed("more", in: bytes) {
        self = .mode(.more)
      } else if member.isNamed("upgrade", in: bytes) {
        self = .mode(.upgrade)
      } else {
        self = .other
      }
    }
  }

  /// The typed parameters of this call of `method`, for a service.
  ///
  /// Throws the error to answer with: `ExpectedMore`, or `InvalidParameter` with the name of a parameter that
  /// is unknown, missing or of the wrong type.
  public func parameters<Method: VarlinkMethod>(of method: Method.Type) throws(VarlinkFailure)
    -> Method.Parameters
  {
    guard !Method.expectsMore || mode == .more else { throw VarlinkFailure(ServiceInterface.ExpectedMore()) }
    do {
      return try parameters.decodeStrictly(Method.Parameters.self)
    } catch {
      throw VarlinkFailure(error)
    }
  }
}
