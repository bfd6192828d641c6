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

  /// Throws for a type, method or error with a name that the generated source has for something else.
  static func check(member name: String) throws(UnsupportedType) {
    guard !taken.contains(name) else {
      throw UnsupportedType(what: "'\(name)' means something else in Swift")
    }
  }

  /// Throws for a field with a name that no property can have.
  static func check(field name: String) throws(UnsupportedType) {
    guard name != "self" else { throw UnsupportedType(what: "a field 'self' cannot be a property in Swift") }
  }

  /// Throws for a word with a name that no constant of an enumeration can have.
  static func check(word name: String) throws(UnsupportedType) {
    guard !["self", "rawValue", "allCases", "hashValue"].contains(name) else {
      throw UnsupportedType(what: "a word '\(name)' cannot be a constant in Swift")
    }
  }

  private static let taken = Set(
    """
    Any Bool CaseIterable Double Hashable Int64 JSONMembers JSONMisfit JSONReadable JSONText JSONValue JSONWritable \
    NoParameters Protocol RawRepresentable Self Sendable ShortList String Type UInt8 VarlinkError VarlinkMessageError \
    VarlinkMethod
    """.split(separator: " ").map(String.init))

  private static let keywords = Set(
    """
    Protocol Type as associatedtype break case catch class continue default defer deinit do else enum extension fallthrough false \
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
    case .array(let type) where isShortList(saying: comment):
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

  /// The name of the declared type that a value of it, of a field with `comment`, has in itself.
  func contained(saying comment: String) -> String? {
    switch self {
    case .named(let name): name
    case .optional(let type): type.contained(saying: comment)
    // It has its first element in itself.
    case .array(let type) where isShortList(saying: comment): type.contained(saying: comment)
    default: nil
    }
  }

  private func isShortList(saying comment: String) -> Bool {
    if case .array = self { comment.inOneLine.contains("most often one") } else { false }
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
