/// What a parameter of a call may be. A call that exceeds it is answered with `org.varlink.service.InvalidParameter`,
/// which names the parameter, before anything is done for it.
public enum ParameterLimit: Hashable, Sendable {
  /// A text of at most so many bytes in UTF-8.
  case text(bytes: Int)
  /// A list of at most `count` texts of at most `bytes` each.
  case texts(count: Int, bytes: Int)
  /// A whole number of this range.
  case integer(ClosedRange<Int64>)
  /// A number of this range.
  case number(ClosedRange<Double>)
  /// `true` or `false`.
  case boolean

  /// What an integer of a message may be at all: what a double counts exactly, because many clients know no others.
  public static let wholeNumbers: ClosedRange<Int64> = -(1 << 53)...(1 << 53)
  /// Every number that JSON can say and a double can hold.
  public static let finiteNumbers = -Double.greatestFiniteMagnitude...Double.greatestFiniteMagnitude
}

extension ParameterLimit: CustomStringConvertible {
  /// In the words of the documentation: `text of at most 255 bytes`.
  public var description: String {
    switch self {
    case .text(let bytes): "text of at most \(bytes) bytes"
    case .texts(let count, let bytes): "at most \(count) texts of at most \(bytes) bytes each"
    case .integer(let range): "whole number from \(range.lowerBound) to \(range.upperBound)"
    case .number(Self.finiteNumbers): "finite number"
    case .number(let range): "number from \(Self.text(range.lowerBound)) to \(Self.text(range.upperBound))"
    case .boolean: "true or false"
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
    /// What it may be; null is allowed besides where the interface description says so.
    public let limit: ParameterLimit
  }

  /// Of `method`, with all of its parameters.
  public init<Method: VarlinkMethod>(
    _ method: Method.Type, _ parameters: KeyValuePairs<String, ParameterLimit> = [:]
  ) {
    self.method = Method.name
    self.parameters = parameters.map { Parameter(name: $0.key, limit: $0.value) }
  }
}
