/// A method of a Varlink interface, with the types of its parameters and its reply.
public protocol VarlinkMethod: Sendable {
  /// The parameters of a call.
  associatedtype Parameters: JSONReadable & JSONWritable & Hashable & Sendable
  /// The parameters of a reply that is not an error.
  associatedtype Reply: JSONReadable & JSONWritable & Hashable & Sendable

  /// The fully qualified name: `org.stepperd.control.Set`.
  static var name: String { get }
  /// Whether the method is answered with a stream of replies, and therefore must be called with `more`.
  static var expectsMore: Bool { get }
}

extension VarlinkMethod {
  /// Most methods have one reply.
  public static var expectsMore: Bool { false }
}

/// An error of a Varlink interface; its properties are the error's parameters.
public protocol VarlinkError: Error, JSONReadable, JSONWritable, Hashable, Sendable {
  /// The fully qualified name: `org.stepperd.control.NoSuchControl`.
  static var name: String { get }
}

/// The parameters of a method or reply that has none.
public struct NoParameters: Hashable, Sendable {
  /// The empty object `{}`.
  public init() {}
}

extension NoParameters: JSONReadable {
  /// Reads an object without members.
  public init(json value: JSONValue) throws(JSONMisfit) { try JSONMembers(value).end() }
}

extension NoParameters: JSONWritable {
  /// Appends `{}`.
  public func appendJSON(to buffer: inout [UInt8]) { buffer.append(contentsOf: "{}".utf8) }
}
