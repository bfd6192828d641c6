/// A method of a Varlink interface, with the types of what goes in and what comes out.
public protocol VarlinkMethod: Sendable {
  /// The parameters of a call.
  associatedtype Parameters: Codable & Hashable & Sendable
  /// The parameters of a reply that is not an error.
  associatedtype Reply: Codable & Hashable & Sendable

  /// The fully qualified name: `org.stepperd.control.Set`.
  static var name: String { get }
  /// Whether it is answered with a stream of replies, and so only when called with `more`.
  static var expectsMore: Bool { get }

  /// The parameters of a call, for a service: unknown fields are refused, and so are integers beyond ±2^53.
  ///
  /// Throws the first field that does not fit.
  static func decode(
    _ parameters: VarlinkParameters
  ) throws(ServiceInterface.InvalidParameter) -> Parameters
}

extension VarlinkMethod {
  /// Most methods have one reply.
  public static var expectsMore: Bool { false }

  /// Decodes them.
  public static func decode(
    _ parameters: VarlinkParameters
  ) throws(ServiceInterface.InvalidParameter) -> Parameters {
    try parameters.decodeStrictly(Parameters.self)
  }
}

extension VarlinkMethod where Parameters: JSONReadable {
  /// Lets them read themselves, and decodes them if that does not work.
  public static func decode(
    _ parameters: VarlinkParameters
  ) throws(ServiceInterface.InvalidParameter) -> Parameters {
    do throws(JSONMisfit) {
      return try Parameters(json: parameters.value(.strict))
    } catch {
      // It says what does not fit.
      return try parameters.decodeStrictly(Parameters.self)
    }
  }
}

/// An error of a Varlink interface; its properties are the error's parameters.
public protocol VarlinkError: Error, Codable, Hashable, Sendable {
  /// The fully qualified name: `org.stepperd.control.NoSuchControl`.
  static var name: String { get }
}

/// The parameters of a method or reply that has none.
public struct NoParameters: Codable, Hashable, Sendable {
  private enum CodingKeys: CodingKey {}

  /// `{}`.
  public init() {}

  /// From any object; a strict decoder refuses fields.
  public init(from decoder: any Decoder) throws { _ = try decoder.container(keyedBy: CodingKeys.self) }
}

extension NoParameters: JSONReadable {
  /// From an object without members.
  public init(json value: JSONValue) throws(JSONMisfit) { try JSONMembers(value).end() }
}

extension NoParameters: JSONWritable {
  /// Appends `{}`.
  public func appendJSON(to buffer: inout [UInt8]) { buffer.append(contentsOf: "{}".utf8) }
}
