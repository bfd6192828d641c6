// What swift-argument-parser uses of Swift's module FoundationEssentials, for release builds: see Scripts/build/programs.

/// An error with a description for people.
public protocol LocalizedError: Error {
  var errorDescription: String? { get }
}

/// Takes the place of the encoder behind `--experimental-dump-help`, which describes the commands to programs that write
/// documents. It encodes nothing: a debug build has the real one.
public final class JSONEncoder {
  public struct OutputFormatting: OptionSet, Sendable {
    public let rawValue: UInt

    public init(rawValue: UInt) { self.rawValue = rawValue }

    public static let prettyPrinted = OutputFormatting(rawValue: 1)
    public static let sortedKeys = OutputFormatting(rawValue: 2)
  }

  public var outputFormatting: OutputFormatting = []

  public init() {}

  /// The JSON of an object with an error, whatever `value` is.
  public func encode(_ value: some Encodable) throws -> [UInt8] {
    Array(#"{"error": "the help is described by a debug build only"}"#.utf8)
  }
}

extension String {
  public enum Encoding: Sendable { case utf8 }

  public init?(data: [UInt8], encoding: Encoding) { self.init(validating: data, as: UTF8.self) }
}
