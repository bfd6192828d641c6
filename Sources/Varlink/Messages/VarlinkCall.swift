/// A call from a client to a service.
public struct VarlinkCall: Hashable, Sendable {
  /// The number of replies that the client requests.
  public enum Mode: String, Hashable, Sendable {
    /// One.
    case single
    /// None, not even an error.
    case oneway
    /// Any number with `continues`, and a last one.
    case more
    /// One, after which the connection is no longer Varlink.
    case upgrade
  }

  /// The fully qualified name: `org.stepperd.control.Get`.
  public var method: String
  /// The parameters.
  public var parameters: VarlinkParameters
  /// The number of replies that the client requests.
  public var mode: Mode

  /// A call of `method`.
  public init(_ method: String, parameters: VarlinkParameters = .empty, mode: Mode = .single) {
    self.method = method
    self.parameters = parameters
    self.mode = mode
  }

  /// A call of `method` with typed parameters; with `more` if the method expects it and no mode is given.
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

  /// The call in a message without its NUL.
  ///
  /// Throws if the connection must be closed: the message is not one JSON object in UTF-8 with unique names,
  /// has no `method`, a flag that is not a boolean, two flags, `parameters` that are neither an object nor
  /// null, or an unknown member that is not a vendor's (a dot in the name, an object as the value).
  public init(decoding message: some Sequence<UInt8>) throws(VarlinkMessageError) {
    let bytes = Array(message)
    var method: String?
    var parameters = VarlinkParameters.empty
    var mode = Mode.single
    let (members, inner) = try JSONScanner.members(of: bytes, noting: "parameters")
    for member in members {
      let name = member.name(in: bytes)
      switch (name, member.kind) {
      case ("method", .string):
        method = JSONScanner.string(in: bytes, at: member.value)
      case ("parameters", .object):
        parameters = VarlinkParameters(of: bytes, at: member.value, members: inner)
      case ("parameters", .null):
        break
      case ("oneway", .boolean), ("more", .boolean), ("upgrade", .boolean):
        guard bytes[member.value.lowerBound] == UInt8(ascii: "t"), let flag = Mode(rawValue: name)
        else { break }
        guard mode == .single else { throw VarlinkMessageError("both '\(mode)' and '\(flag)'") }
        mode = flag
      case ("method", _), ("parameters", _), ("oneway", _), ("more", _), ("upgrade", _):
        throw VarlinkMessageError("'\(name)' is of the wrong type")
      case (_, .object) where name.utf8.contains(UInt8(ascii: ".")):
        break
      default:
        throw VarlinkMessageError("unknown member '\(name.clipped(toBytes: 64))'")
      }
    }
    guard let method else { throw VarlinkMessageError("no 'method'") }
    self.init(method, parameters: parameters, mode: mode)
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
      return try Method.decode(parameters)
    } catch {
      throw VarlinkFailure(error)
    }
  }
}

extension JSONScanner {
  /// The text of the string whose quotes are the ends of `range`.
  static func string(in bytes: [UInt8], at range: Range<Int>) -> String {
    JSONString.string(of: bytes[range].dropFirst().dropLast())
  }
}
