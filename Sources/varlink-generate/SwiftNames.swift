import Varlink

/// What descriptions name, in Swift. Fields and words keep their names.
enum SwiftNames {
  /// `ControlInterface` for `org.stepperd.control`.
  static func namespace(_ interface: String) -> String { folder(interface) + "Interface" }

  /// `Control` for `org.stepperd.control`, and `SystemdService` for `io.systemd.service`: the `ServiceInterface` that
  /// the module Varlink has is that of `org.varlink.service`.
  static func folder(_ interface: String) -> String {
    let parts = interface.split(separator: ".")
    let isAmbiguous = parts.last == "service" && interface != "org.varlink.service"
    return parts.suffix(isAmbiguous ? 2 : 1).flatMap { $0.split(separator: "-") }
      .map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
  }

  /// `name`, between backticks if it means something in Swift.
  static func escaped(_ name: String) -> String { keywords.contains(name) ? "`\(name)`" : name }

  private static let keywords = Set(
    """
    as associatedtype break case catch class continue default defer deinit do else enum extension fallthrough false \
    fileprivate for func guard if import in init inout internal is let nil operator precedencegroup private protocol \
    public repeat rethrows return self static struct subscript super switch throw throws true try typealias var where \
    while
    """.split(separator: " ").map(String.init))
}

extension VarlinkType {
  /// `[String]?` for `?[]string`, of a field with `comment`.
  func swiftName(saying comment: String) throws(UnsupportedType) -> String {
    switch self {
    case .boolean: "Bool"
    case .integer: "Int64"
    case .float: "Double"
    case .string: "String"
    case .named(let name): name
    case .optional(let type): "\(try type.swiftName(saying: comment))?"
    case .array(let type) where comment.inOneLine.contains("most often one"):
      "ShortList<\(try type.swiftName(saying: comment))>"
    case .array(let type): "[\(try type.swiftName(saying: comment))]"
    case .map(let type): "[String: \(try type.swiftName(saying: comment))]"
    case .object where comment.inOneLine.contains("whose members are strings"): "[String: String]"
    case .object:
      throw UnsupportedType(
        what: "'object' has no Swift type, unless the comment says \"whose members are strings\"")
    case .structure, .enumeration:
      throw UnsupportedType(what: "a type inside of another needs a name: declare it")
    }
  }

  var isOptional: Bool { if case .optional = self { true } else { false } }

  /// The name of the declared type that a value of it is, or is a list of.
  var declaredName: String? {
    switch self {
    case .named(let name): name
    case .optional(let type): type.declaredName
    default: nil
    }
  }

  /// Whether writing a value of it may throw.
  var writingThrows: Bool {
    switch self {
    case .boolean, .integer, .string: false
    case .optional(let type): type.writingThrows
    default: true
    }
  }
}

/// A type of an interface that there is no Swift for.
struct UnsupportedType: Error, CustomStringConvertible {
  let what: String

  var description: String { what }
}
