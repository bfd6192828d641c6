/// An error reply: the name of an error and its parameters, of any interface.
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

  /// `error` in the form of a reply. Parameters that cannot be encoded are left out.
  public init<Failure: VarlinkError>(_ error: Failure) {
    // The name alone says what happened; the caller could not handle an error here in any other way.
    self.init(name: Failure.name, parameters: (try? VarlinkParameters(encoding: error)) ?? .empty)
  }

  /// The typed error; nil if the name differs or the parameters do not decode.
  public func decode<Failure: VarlinkError>(_ type: Failure.Type) -> Failure? {
    guard name == Failure.name else { return nil }
    // The question is only whether it is this error; if the parameters do not fit, it is not.
    return try? parameters.decode(type)
  }

  /// The name and the parameters as JSON.
  public var description: String { "\(name) \(parameters)" }
}
