import Varlink

/// The Swift names for the names in descriptions. Fields and words keep their names.
enum SwiftNames {
  /// `ControlInterface` for `org.stepperd.control`.
  static func namespace(_ interface: String) -> String { folder(interface) + "Interface" }

  /// `Control` for `org.stepperd.control`, and `SystemdService` for `io.systemd.service`: the module Varlink already
  /// has a `ServiceInterface`, that of `org.varlink.service`.
  static func folder(_ interface: String) -> String {
    let parts = interface.split(separator: ".")
    let isAmbiguous = parts.last == "service" && interface != "org.varlink.service"
    return parts.suffix(isAmbiguous ? 2 : 1).flatMap { $0.split(separator: "-") }
      .map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
  }

  /// `name`, in backticks if it is a Swift keyword.
  static func escaped(_ name: String) -> String { keywords.contains(name) ? "`\(name)`" : name }

  /// Throws if the name of a type, method or error is used for something else in the generated source.
  static func check(member name: String) throws(UnsupportedType) {
    guard !taken.contains(name) else {
      throw UnsupportedType(what: "'\(name)' means something else in Swift")
    }
  }

  /// Throws if no property can have the name of the field.
  static func check(field name: String) throws(UnsupportedType) {
    guard name != "self" else { throw UnsupportedType(what: "a field 'self' cannot be a property in Swift") }
  }

  /// Throws if no constant of an enumeration can have the name of the word.
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
  /// The Swift type of a field with `comment`: `[String]?` for `?[]string`.
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

  /// The name of the declared type that this type is, or that it makes optional.
  var declaredName: String? {
    switch self {
    case .named(let name): name
    case .optional(let type): type.declaredName
    default: nil
    }
  }

  /// The name of the declared type that a value, of a field with `comment`, stores inline.
  func contained(saying comment: String) -> String? {
    switch self {
    case .named(let name): name
    case .optional(let type): type.contained(saying: comment)
    // A short list stores its first element inline.
    case .array(let type) where isShortList(saying: comment): type.contained(saying: comment)
    default: nil
    }
  }

  private func isShortList(saying comment: String) -> Bool {
    if case .array = self { comment.inOneLine.contains("most often one") } else { false }
  }

  /// Whether writing a value of this type may throw.
  var writingThrows: Bool {
    switch self {
    case .boolean, .integer, .string: false
    case .optional(let type): type.writingThrows
    default: true
    }
  }
}

/// A type of an interface for which there is no Swift source.
struct UnsupportedType: Error, CustomStringConvertible {
  let what: String

  var description: String { what }
}
