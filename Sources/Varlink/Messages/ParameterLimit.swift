/// The limit of a parameter of a call. A call that exceeds the limit has no effect; the reply is
/// `org.varlink.service.InvalidParameter` with the name of the parameter.
public enum ParameterLimit: Hashable, Sendable {
  /// A text of at most this many bytes in UTF-8.
  case text(bytes: Int)
  /// A list of at most `count` texts of at most `bytes` each.
  case texts(count: Int, bytes: Int)
  /// A whole number in this range.
  case integer(ClosedRange<Int64>)
  /// A number in this range.
  case number(ClosedRange<Double>)
  /// `true` or `false`.
  case boolean
  /// An object, whose members the method checks.
  case object
  /// A list of at most `count` objects.
  case objects(count: Int)

  /// The range of integers in messages: those that a double represents exactly, because many clients use
  /// doubles.
  public static let wholeNumbers: ClosedRange<Int64> = -(1 << 53)...(1 << 53)
  /// Every finite double.
  public static let finiteNumbers = -Double.greatestFiniteMagnitude...Double.greatestFiniteMagnitude
}

extension ParameterLimit: CustomStringConvertible {
  /// The limit as in the documentation: `text of at most 255 bytes`.
  public var description: String {
    switch self {
    case .text(let bytes): "text of at most \(bytes) bytes"
    case .texts(let count, let bytes): "at most \(count) texts of at most \(bytes) bytes each"
    case .integer(let range): "whole number from \(range.lowerBound) to \(range.upperBound)"
    case .number(Self.finiteNumbers): "finite number"
    case .number(let range): "number from \(Self.text(range.lowerBound)) to \(Self.text(range.upperBound))"
    case .boolean: "true or false"
    case .object: "object"
    case .objects(let count): "at most \(count) objects"
    }
  }

  private static func text(_ number: Double) -> String {
    Int64(exactly: number).map { "\($0)" } ?? "\(number)"
  }
}

/// The limits of the parameters of one method.
public struct MethodLimits: Hashable, Sendable {
  /// The fully qualified name of the method.
  public let method: String
  /// Every parameter, in the order of the interface description.
  public let parameters: [Parameter]

  /// One parameter of a method.
  public struct Parameter: Hashable, Sendable {
    /// The name of the parameter.
    public let name: String
    /// The accepted values; null is also accepted if the interface description permits it.
    public let limit: ParameterLimit
  }

  /// The limits of all parameters of `method`.
  public init<Method: VarlinkMethod>(
    _ method: Method.Type, _ parameters: KeyValuePairs<String, ParameterLimit> = [:]
  ) {
    self.method = Method.name
    self.parameters = parameters.map { Parameter(name: $0.key, limit: $0.value) }
  }
}
