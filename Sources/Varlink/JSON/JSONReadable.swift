/// A value that reads itself from JSON, directly from the members that the scanner has found.
///
/// The types that `varlink-generate` makes conform to this protocol.
public protocol JSONReadable {
  /// Reads this from one JSON value.
  init(json value: JSONValue) throws(JSONMisfit)
}

/// A JSON value that does not have the wanted type.
public struct JSONMisfit: Error, Hashable, Sendable, CustomStringConvertible {
  /// The member of the outermost object that does not fit, or that contains the misfit; nil: the object itself does
  /// not fit.
  public private(set) var member: String?
  /// What is wrong with the value, such as `not an object`.
  public let reason: String

  /// A misfit of a value, with the `reason`.
  public init(_ reason: String) { self.reason = reason }

  fileprivate init(_ member: String, _ reason: String) { (self.member, self.reason) = (member, reason) }

  fileprivate func inside(_ name: StaticString) -> JSONMisfit { JSONMisfit("\(name)", reason) }

  /// `'control': not a string`.
  public var description: String { (member.map { "'\($0)': " } ?? "") + reason }
}

/// The members of an object from which a value is read. Each is taken by its name.
public struct JSONMembers {
  private let object: JSONValue
  private let members: JSONScanner.Members
  /// Where the search for the next member begins: most objects have their members in the order of the interface
  /// description.
  private var next = 0
  private var takenCount = 0
  /// Which of the first 64 members are taken.
  private var taken: UInt64 = 0

  /// Throws if `value` is not an object.
  public init(_ value: JSONValue) throws(JSONMisfit) {
    guard value.kind == .object else { throw JSONMisfit("not an object") }
    object = value
    members = value.members
  }

  /// Takes a member that must be there.
  public mutating func value<Value: JSONReadable>(_ name: StaticString) throws(JSONMisfit) -> Value {
    guard let member = take(name) else { throw JSONMisfit("missing").inside(name) }
    return try read(member, name)
  }

  /// Takes a member that may be absent or null; nil in that case.
  public mutating func optional<Value: JSONReadable>(_ name: StaticString) throws(JSONMisfit) -> Value? {
    guard let member = take(name), member.kind != .null else { return nil }
    return try read(member, name)
  }

  private func read<Value: JSONReadable>(
    _ member: JSONScanner.Member, _ name: StaticString
  ) throws(JSONMisfit) -> Value {
    do throws(JSONMisfit) {
      return try Value(json: object.value(member))
    } catch {
      throw error.inside(name)
    }
  }

  /// Throws if the rules are strict and a member was not taken.
  public func end() throws(JSONMisfit) {
    guard object.rules == .strict, takenCount < members.count else { return }
    let unknown = members.indices.first { $0 >= UInt64.bitWidth || taken & 1 << $0 == 0 } ?? 0
    throw JSONMisfit(members[unknown].shownName(in: object.bytes), "unknown field")
  }

  private mutating func take(_ name: StaticString) -> JSONScanner.Member? {
    for offset in 0..<members.count {
      let index = next + offset < members.count ? next + offset : next + offset - members.count
      guard members[index].isNamed(name, in: object.bytes.span) else { continue }
      next = index + 1 < members.count ? index + 1 : 0
      takenCount += 1
      if index < UInt64.bitWidth { taken |= 1 << index }
      return members[index]
    }
    return nil
  }
}

extension JSONReadable where Self: RawRepresentable<String> {
  /// Reads one of the words of the type.
  public init(json value: JSONValue) throws(JSONMisfit) {
    guard let known = Self(rawValue: try String(json: value)) else {
      throw JSONMisfit("not one of its words")
    }
    self = known
  }
}

extension JSONValue: JSONReadable {
  /// Takes any value, to be read later.
  public init(json value: JSONValue) { self = value }
}

extension String: JSONReadable {
  /// Reads a string.
  public init(json value: JSONValue) throws(JSONMisfit) {
    guard let string = value.string else { throw JSONMisfit("not a string of \(OutsideText.requirement)") }
    self = string
  }
}

extension Bool: JSONReadable {
  /// Reads `true` or `false`.
  public init(json value: JSONValue) throws(JSONMisfit) {
    guard let boolean = value.boolean else { throw JSONMisfit("neither true nor false") }
    self = boolean
  }
}

extension JSONReadable where Self: FixedWidthInteger {
  /// Reads a whole number.
  public init(json value: JSONValue) throws(JSONMisfit) {
    guard let integer = value.integer(Self.self) else {
      throw JSONMisfit("not a whole number of \(Self.self)\(value.rules == .strict ? " within ±2^53" : "")")
    }
    self = integer
  }
}

extension Int64: JSONReadable {}
extension Int: JSONReadable {}

extension Double: JSONReadable {
  /// Reads a number.
  public init(json value: JSONValue) throws(JSONMisfit) {
    guard let double = value.double else { throw JSONMisfit("not a number that a double holds") }
    self = double
  }
}

extension Optional: JSONReadable where Wrapped: JSONReadable {
  /// Reads `null`, or a value.
  public init(json value: JSONValue) throws(JSONMisfit) {
    self = value.kind == .null ? nil : try Wrapped(json: value)
  }
}

extension JSONReadable where Self: RangeReplaceableCollection, Element: JSONReadable {
  /// Reads an array.
  public init(json value: JSONValue) throws(JSONMisfit) {
    guard value.kind == .array else { throw JSONMisfit("not an array") }
    self.init()
    var position = value.range.lowerBound + 1
    while let element = JSONScanner.element(of: value.bytes, at: position) {
      append(try Element(json: value.value(element)))
      position = element.value.upperBound
    }
  }
}

extension Array: JSONReadable where Element: JSONReadable {}

extension Dictionary: JSONReadable where Key == String, Value: JSONReadable {
  /// Reads an object.
  public init(json value: JSONValue) throws(JSONMisfit) {
    guard value.kind == .object else { throw JSONMisfit("not an object") }
    self = [:]
    for member in value.members {
      guard let name = member.name(in: value.bytes) else {
        throw JSONMisfit("a name is not \(OutsideText.requirement)")
      }
      // Names with different bytes can be equal texts; the first one counts.
      if self[name] == nil { self[name] = try Value(json: value.value(member)) }
    }
  }
}
