/// A value that reads itself from JSON: member by member where the scanner found them, without a `Decoder`. That takes a
/// tenth of the time.
///
/// `varlink-generate` makes the types of an interface such values. It is the short way to what their `Decodable` reads:
/// what it refuses is given to that, which says why.
public protocol JSONReadable {
  /// Reads this from one JSON value.
  init(json value: JSONValue) throws(JSONMisfit)
}

/// A value is not of the wanted type.
public struct JSONMisfit: Error, Hashable, Sendable {
  init() {}
}

/// The members of an object that a value is read from. Each is taken by its name.
public struct JSONMembers {
  private let object: JSONValue
  private let members: [JSONScanner.Member]
  /// Where the next member is looked for first: most objects have them in the order of the interface description.
  private var next = 0
  private var takenCount = 0

  /// Throws if `value` is no object.
  public init(_ value: JSONValue) throws(JSONMisfit) {
    guard value.kind == .object else { throw JSONMisfit() }
    object = value
    members = value.members
  }

  /// Takes a member that must be there.
  public mutating func value<Value: JSONReadable>(_ name: StaticString) throws(JSONMisfit) -> Value {
    guard let member = take(name) else { throw JSONMisfit() }
    return try Value(json: object.value(member))
  }

  /// Takes a member that may be absent or null, and is nil then.
  public mutating func optional<Value: JSONReadable>(_ name: StaticString) throws(JSONMisfit) -> Value? {
    guard let member = take(name), member.kind != .null else { return nil }
    return try Value(json: object.value(member))
  }

  /// Throws if a service may not ignore what was not taken.
  public func end() throws(JSONMisfit) {
    guard object.rules == .lenient || takenCount == members.count else { throw JSONMisfit() }
  }

  private mutating func take(_ name: StaticString) -> JSONScanner.Member? {
    for offset in 0..<members.count {
      let index = next + offset < members.count ? next + offset : next + offset - members.count
      guard members[index].isNamed(name, in: object.bytes.span) else { continue }
      next = index + 1 < members.count ? index + 1 : 0
      takenCount += 1
      return members[index]
    }
    return nil
  }
}

extension JSONReadable where Self: RawRepresentable<String> {
  /// From one of its words.
  public init(json value: JSONValue) throws(JSONMisfit) {
    guard let word = value.string, let known = Self(rawValue: word) else { throw JSONMisfit() }
    self = known
  }
}

extension String: JSONReadable {
  /// From a string.
  public init(json value: JSONValue) throws(JSONMisfit) {
    guard let string = value.string else { throw JSONMisfit() }
    self = string
  }
}

extension Bool: JSONReadable {
  /// From `true` or `false`.
  public init(json value: JSONValue) throws(JSONMisfit) {
    guard let boolean = value.boolean else { throw JSONMisfit() }
    self = boolean
  }
}

extension Int64: JSONReadable {
  /// From a whole number.
  public init(json value: JSONValue) throws(JSONMisfit) {
    guard let integer = value.integer(Int64.self) else { throw JSONMisfit() }
    self = integer
  }
}

extension Double: JSONReadable {
  /// From a number.
  public init(json value: JSONValue) throws(JSONMisfit) {
    guard let double = value.double else { throw JSONMisfit() }
    self = double
  }
}

extension Array: JSONReadable where Element: JSONReadable {
  /// From an array.
  public init(json value: JSONValue) throws(JSONMisfit) {
    guard value.kind == .array else { throw JSONMisfit() }
    self = []
    var position = value.range.lowerBound + 1
    while let element = JSONScanner.element(of: value.bytes, at: position) {
      append(try Element(json: value.value(element)))
      position = element.value.upperBound
    }
  }
}

extension Dictionary: JSONReadable where Key == String, Value: JSONReadable {
  /// From an object.
  public init(json value: JSONValue) throws(JSONMisfit) {
    guard value.kind == .object else { throw JSONMisfit() }
    self = [:]
    for member in value.members {
      guard let name = member.name(in: value.bytes) else { throw JSONMisfit() }
      // Names of other bytes can be the same text; the first one counts.
      if self[name] == nil { self[name] = try Value(json: value.value(member)) }
    }
  }
}
