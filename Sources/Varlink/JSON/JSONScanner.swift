/// Checks in one pass that bytes are one JSON object, and finds the members of that object.
///
/// Stricter than a decoder has to be: valid UTF-8, no duplicate names, no unpaired surrogates, and at most
/// ``maximumDepth`` objects and arrays within each other. What passes can be given to any decoder.
struct JSONScanner {
  /// The kind of a value, which its first byte says.
  enum Kind { case object, array, string, number, boolean, null }

  /// A member of an object. Its places are in the message.
  struct Member {
    /// Without the quotes.
    let nameRange: Range<Int>
    let kind: Kind
    /// Including the quotes of a string.
    let value: Range<Int>

    func name(in bytes: [UInt8]) -> String { JSONString.string(of: bytes[nameRange]) }

    func isNamed(_ name: StaticString, in bytes: [UInt8]) -> Bool {
      let isWritten = nameRange.count == name.utf8CodeUnitCount
      guard isWritten else { return hasEscape(in: bytes) && self.name(in: bytes) == name.description }
      for offset in 0..<nameRange.count {
        guard unsafe name.utf8Start[offset] == bytes[nameRange.lowerBound + offset] else { return false }
      }
      return true
    }

    private func hasEscape(in bytes: [UInt8]) -> Bool { bytes[nameRange].contains(UInt8(ascii: "\\")) }
  }

  static let maximumDepth = 64
  /// The most members that most objects have.
  private static let usualCount = 6

  private let bytes: [UInt8]
  private var position = 0
  private var members: [Member] = []
  /// The name of the member whose own members are noted.
  private let wanted: StaticString?
  private var isWanted = false
  private var inner: [Member] = []

  private init(_ bytes: [UInt8], noting wanted: StaticString? = nil) {
    self.bytes = bytes
    self.wanted = wanted
  }

  /// The members of the object that `bytes` are.
  static func members(of bytes: [UInt8]) throws(VarlinkMessageError) -> [Member] {
    try members(of: bytes, noting: nil).members
  }

  /// The members of the object that `bytes` are, and of the object that its member `wanted` is.
  static func members(
    of bytes: [UInt8], noting wanted: StaticString?
  ) throws(VarlinkMessageError) -> (members: [Member], inner: [Member]) {
    var scanner = JSONScanner(bytes, noting: wanted)
    scanner.skipSpace()
    guard scanner.peek != nil else { throw VarlinkMessageError("empty message") }
    guard scanner.peek == UInt8(ascii: "{") else { throw VarlinkMessageError("message is not a JSON object") }
    try scanner.object(depth: 1)
    scanner.skipSpace()
    guard scanner.peek == nil else { throw scanner.invalid("text after the end of the object") }
    return (scanner.members, scanner.inner)
  }

  /// The members of the object at `range` of the valid JSON `bytes`.
  static func members(of bytes: [UInt8], in range: Range<Int>) -> [Member] {
    var scanner = JSONScanner(bytes)
    scanner.position = range.lowerBound
    scanner.skipSpace()
    // Valid, as the scanner has found before.
    try? scanner.object(depth: 1)
    return scanner.members
  }

  /// The next element of an array in the valid JSON `bytes`; nil at the end of the array. `position` is behind the
  /// opening bracket or behind the element before.
  static func element(of bytes: [UInt8], at position: Int) -> Member? {
    var scanner = JSONScanner(bytes)
    scanner.position = position
    scanner.skipSpace()
    if scanner.skip(UInt8(ascii: ",")) { scanner.skipSpace() }
    guard scanner.peek != UInt8(ascii: "]") else { return nil }
    let start = scanner.position
    // Valid, as the scanner has found before. Only members of the outermost object are noted, which this is not.
    guard let kind = try? scanner.value(depth: 2) else { return nil }
    return Member(nameRange: start..<start, kind: kind, value: start..<scanner.position)
  }

  private var peek: UInt8? { position < bytes.count ? bytes[position] : nil }

  private func invalid(_ what: String) -> VarlinkMessageError {
    VarlinkMessageError("invalid JSON at byte \(position): \(what)")
  }

  private mutating func skipSpace() {
    while let byte = peek, byte == 0x20 || (0x09...0x0a).contains(byte) || byte == 0x0d { position += 1 }
  }

  private mutating func skip(_ byte: UInt8) -> Bool {
    guard peek == byte else { return false }
    position += 1
    return true
  }

  private mutating func value(depth: Int) throws(VarlinkMessageError) -> Kind {
    switch peek {
    case UInt8(ascii: "{"):
      try object(depth: depth)
      return .object
    case UInt8(ascii: "["):
      try array(depth: depth)
      return .array
    case UInt8(ascii: "\""):
      try string()
      return .string
    case UInt8(ascii: "t"):
      try word("true")
      return .boolean
    case UInt8(ascii: "f"):
      try word("false")
      return .boolean
    case UInt8(ascii: "n"):
      try word("null")
      return .null
    default:
      try number()
      return .number
    }
  }

  private mutating func object(depth: Int) throws(VarlinkMessageError) {
    guard depth <= Self.maximumDepth else { throw invalid("nested more than \(Self.maximumDepth) deep") }
    position += 1
    skipSpace()
    if skip(UInt8(ascii: "}")) { return }
    var names = Names()
    while true {
      skipSpace()
      guard peek == UInt8(ascii: "\"") else { throw invalid("a member's name was expected") }
      let start = position + 1
      try string()
      let name = start..<position - 1
      guard names.insert(name, of: bytes) else { throw invalid("duplicate name") }
      skipSpace()
      guard skip(UInt8(ascii: ":")) else { throw invalid("':' was expected") }
      skipSpace()
      let valueStart = position
      if depth == 1, let wanted {
        isWanted = Member(nameRange: name, kind: .null, value: name).isNamed(wanted, in: bytes)
      }
      let kind = try value(depth: depth + 1)
      let member = Member(nameRange: name, kind: kind, value: valueStart..<position)
      if depth == 1 {
        if members.isEmpty { members.reserveCapacity(Self.usualCount) }
        members.append(member)
      } else if depth == 2, isWanted {
        if inner.isEmpty { inner.reserveCapacity(Self.usualCount) }
        inner.append(member)
      }
      skipSpace()
      if skip(UInt8(ascii: "}")) { return }
      guard skip(UInt8(ascii: ",")) else { throw invalid("',' or '}' was expected") }
    }
  }

  private mutating func array(depth: Int) throws(VarlinkMessageError) {
    guard depth <= Self.maximumDepth else { throw invalid("nested more than \(Self.maximumDepth) deep") }
    position += 1
    skipSpace()
    if skip(UInt8(ascii: "]")) { return }
    while true {
      skipSpace()
      _ = try value(depth: depth + 1)
      skipSpace()
      if skip(UInt8(ascii: "]")) { return }
      guard skip(UInt8(ascii: ",")) else { throw invalid("',' or ']' was expected") }
    }
  }

  private mutating func string() throws(VarlinkMessageError) {
    guard let end = JSONString.end(in: bytes, from: position + 1) else {
      throw invalid("string is unterminated, not UTF-8 or badly escaped")
    }
    position = end
  }

  private mutating func word(_ word: StaticString) throws(VarlinkMessageError) {
    for index in 0..<word.utf8CodeUnitCount {
      guard skip(unsafe word.utf8Start[index]) else { throw invalid("a value was expected") }
    }
  }

  private mutating func number() throws(VarlinkMessageError) {
    _ = skip(UInt8(ascii: "-"))
    if !skip(UInt8(ascii: "0")) { try digits() }
    if skip(UInt8(ascii: ".")) { try digits() }
    if skip(UInt8(ascii: "e")) || skip(UInt8(ascii: "E")) {
      if !skip(UInt8(ascii: "+")) { _ = skip(UInt8(ascii: "-")) }
      try digits()
    }
  }

  private mutating func digits() throws(VarlinkMessageError) {
    let start = position
    while let byte = peek, (0x30...0x39).contains(byte) { position += 1 }
    guard position > start else { throw invalid("a value was expected") }
  }
}

/// The names of the members of one object. Most have few and plain ones, which are compared where they stand; hashing
/// them would cost more.
private struct Names {
  private var few = InlineArray<8, Range<Int>>(repeating: 0..<0)
  private var fewCount = 0
  /// All names, once there are many, or one has an escape.
  private var texts: Set<ArraySlice<UInt8>>?

  /// Adds the name at `place`, without its quotes; false if it is there already.
  mutating func insert(_ place: Range<Int>, of bytes: [UInt8]) -> Bool {
    if texts == nil, fewCount < few.count, !bytes[place].contains(UInt8(ascii: "\\")) {
      for index in 0..<fewCount where Names.areEqual(few[index], place, in: bytes) { return false }
      few[fewCount] = place
      fewCount += 1
      return true
    }
    if texts == nil {
      texts = []
      for index in 0..<fewCount { texts?.insert(bytes[few[index]]) }
    }
    return texts?.insert(JSONString.text(of: bytes[place])).inserted ?? false
  }

  private static func areEqual(_ one: Range<Int>, _ other: Range<Int>, in bytes: [UInt8]) -> Bool {
    guard one.count == other.count else { return false }
    for offset in 0..<one.count where bytes[one.lowerBound + offset] != bytes[other.lowerBound + offset] {
      return false
    }
    return true
  }
}
