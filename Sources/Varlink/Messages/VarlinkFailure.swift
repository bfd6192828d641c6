/// An error reply: the name of an error and its parameters, of whatever interface.
public struct VarlinkFailure: Error, Hashable, Sendable, CustomStringConvertible {
  /// The fully qualified name: `org.stepperd.control.NoSuchControl`.
  public let name: String
  /// The parameters of the error.
  public let parameters: VarlinkParameters

  /// The error `name` with `parameters`.
  public init(name: String, parameters: VarlinkParameters = .empty) {
    self.name = name
    self.parameters = parameters
  }

  /// `error` as it goes into a reply. Parameters that cannot be encoded are left out.
  public init<Failure: VarlinkError>(_ error: Failure) {
    // The name alone says what happened; a caller could do nothing else with this error.
    self.init(name: Failure.name, parameters: (try? VarlinkParameters(encoding: error)) ?? .empty)
  }

  /// The typed error; nil if the name differs or its parameters do not decode.
  public func decode<Failure: VarlinkError>(_ type: Failure.Type) -> Failure? {
    guard name == Failure.name else { return nil }
    // Asking "is it this error?" has two answers; parameters that do not fit are a no.
    return try? parameters.decode(type)
  }

  /// The name and the parameters as JSON.
  public var description: String { "\(name) \(parameters)" }
}
