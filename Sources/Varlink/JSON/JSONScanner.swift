/// Checks in one pass that bytes are one JSON object, and finds the members of that object.
///
/// Stricter than a decoder has to be: valid UTF-8, no duplicate names, no unpaired surrogates, and at most
/// ``maximumDepth`` nested objects and arrays. Any decoder accepts a message that passes.
struct JSONScanner {
  /// The kind of a value, as shown by its first byte.
  enum Kind { case object, array, string, number, boolean, null }

  /// What the scanner knows about a value besides its range.
  struct Value {
    let kind: Kind
    /// Whether the value is a string of printable ASCII without an escape.
    let isPlain: Bool

    init(_ kind: Kind, isPlain: Bool = false) { (self.kind, self.isPlain) = (kind, isPlain) }
  }

  static let maximumDepth = 64

  /// The beginning of the message; positions in errors count from here.
  private let start: Int
  private var position: Int
  private var notes: Notes
  /// The name of the member whose own members are noted.
  private let wanted: StaticString?
  private var isWanted = false

  private init(at position: Int, noting wanted: StaticString? = nil, in notes: consuming Notes = Notes()) {
    (start, self.position, self.wanted, self.notes) = (position, position, wanted, notes)
  }

  /// The members of the object in `bytes`.
  static func members(of bytes: [UInt8]) throws(VarlinkMessageError) -> [Member] {
    var notes = Notes()
    try scan(bytes, in: bytes.indices, noting: nil, in: &notes)
    return notes.members
  }

  /// Notes the members of the object at `range` of `bytes`, and those of the object that is the value of its member
  /// `wanted`.
  static func scan(
    _ bytes: [UInt8], in range: Range<Int>, noting wanted: StaticString?, in notes: inout Notes
  ) throws(VarlinkMessageError) {
    notes.removeAll()
    var scanner = JSONScanner(at: range.lowerBound, noting: wanted, in: notes)
    // The scanner must be the only owner of the notes while it writes them; otherwise they would be copied.
    notes = Notes()
    try scanner.message(bytes.span.extracting(..<range.upperBound))
    notes = scanner.notes
  }

  /// The next member of an object in the valid JSON `bytes`; nil at the end of the object. `position` is just after
  /// the opening brace or the previous member.
  static func member(of bytes: [UInt8], at position: Int) -> Member? {
    var scanner = JSONScanner(at: position)
    let bytes = bytes.span
    scanner.skipSeparator(bytes)
    guard scanner.peek(bytes) == UInt8(ascii: "\"") else { return nil }
    let start = scanner.position + 1
    // The scanner has already found it valid.
    guard let isPlain = try? scanner.string(bytes) else { return nil }
    let name = start..<scanner.position - 1
    scanner.skipSpace(bytes)
    _ = scanner.skip(UInt8(ascii: ":"), bytes)
    scanner.skipSpace(bytes)
    return scanner.member(name, isPlain: isPlain, bytes)
  }

  /// The next element of an array in the valid JSON `bytes`; nil at the end of the array. `position` is just after
  /// the opening bracket or the previous element.
  static func element(of bytes: [UInt8], at position: Int) -> Member? {
    var scanner = JSONScanner(at: position)
    let bytes = bytes.span
    scanner.skipSeparator(bytes)
    guard scanner.peek(bytes) != UInt8(ascii: "]") else { return nil }
    return scanner.member(scanner.position..<scanner.position, isPlain: true, bytes)
  }

  private mutating func skipSeparator(_ bytes: Span<UInt8>) {
    skipSpace(bytes)
    if skip(UInt8(ascii: ","), bytes) { skipSpace(bytes) }
  }

  /// The member with this name, whose value begins at the present position.
  private mutating func member(_ name: Range<Int>, isPlain: Bool, _ bytes: Span<UInt8>) -> Member? {
    let start = position
    // The scanner has already found it valid. The depth is 2 because only members of the outermost object are noted.
    guard let value = try? value(bytes, depth: 2) else { return nil }
    return Member(name: name, isPlain: isPlain, value: value, at: start..<position)
  }

  private func peek(_ bytes: Span<UInt8>) -> UInt8? { position < bytes.count ? bytes[position] : nil }

  private mutating func message(_ bytes: Span<UInt8>) throws(VarlinkMessageError) {
    skipSpace(bytes)
    guard let first = peek(bytes) else { throw VarlinkMessageError("empty message") }
    guard first == UInt8(ascii: "{") else { throw VarlinkMessageError("message is not a JSON object") }
    try object(bytes, depth: 1)
    skipSpace(bytes)
    guard peek(bytes) == nil else { throw invalid("text after the end of the object") }
  }

  private func invalid(_ what: String) -> VarlinkMessageError {
    VarlinkMessageError("invalid JSON at byte \(position - start): \(what)")
  }

  private mutating func skipSpace(_ bytes: Span<UInt8>) {
    while let byte = peek(bytes), byte == 0x20 || (0x09...0x0a).contains(byte) || byte == 0x0d {
      position += 1
    }
  }

  private mutating func skip(_ byte: UInt8, _ bytes: Span<UInt8>) -> Bool {
    guard peek(bytes) == byte else { return false }
    position += 1
    return true
  }

  private mutating func value(_ bytes: Span<UInt8>, depth: Int) throws(VarlinkMessageError) -> Value {
    switch peek(bytes) {
    case UInt8(ascii: "{"):
      try object(bytes, depth: depth)
      return Value(.object)
    case UInt8(ascii: "["):
      try array(bytes, depth: depth)
      return Value(.array)
    case UInt8(ascii: "\""):
      return Value(.string, isPlain: try string(bytes))
    case UInt8(ascii: "t"):
      try word("true", bytes)
      return Value(.boolean)
    case UInt8(ascii: "f"):
      try word("false", bytes)
      return Value(.boolean)
    case UInt8(ascii: "n"):
      try word("null", bytes)
      return Value(.null)
    default:
      try number(bytes)
      return Value(.number)
    }
  }

  private mutating func object(_ bytes: Span<UInt8>, depth: Int) throws(VarlinkMessageError) {
    guard depth <= Self.maximumDepth else { throw invalid("nested more than \(Self.maximumDepth) deep") }
    position += 1
    skipSpace(bytes)
    if skip(UInt8(ascii: "}"), bytes) { return }
    var names = MemberNames()
    while true {
      skipSpace(bytes)
      guard peek(bytes) == UInt8(ascii: "\"") else { throw invalid("a member's name was expected") }
      let start = position + 1
      let nameIsPlain = try string(bytes)
      let name = start..<position - 1
      guard names.insert(name, isPlain: nameIsPlain, of: bytes) else { throw invalid("duplicate name") }
      skipSpace(bytes)
      guard skip(UInt8(ascii: ":"), bytes) else { throw invalid("':' was expected") }
      skipSpace(bytes)
      let valueStart = position
      if depth == 1, let wanted {
        isWanted = Member(name: name, isPlain: nameIsPlain).isNamed(wanted, in: bytes)
      }
      let value = try value(bytes, depth: depth + 1)
      if depth == 1 || (depth == 2 && isWanted) {
        let member = Member(name: name, isPlain: nameIsPlain, value: value, at: valueStart..<position)
        notes.append(member, isInner: depth == 2)
      }
      skipSpace(bytes)
      if skip(UInt8(ascii: "}"), bytes) { return }
      guard skip(UInt8(ascii: ","), bytes) else { throw invalid("',' or '}' was expected") }
    }
  }

  private mutating func array(_ bytes: Span<UInt8>, depth: Int) throws(VarlinkMessageError) {
    guard depth <= Self.maximumDepth else { throw invalid("nested more than \(Self.maximumDepth) deep") }
    position += 1
    skipSpace(bytes)
    if skip(UInt8(ascii: "]"), bytes) { return }
    while true {
      skipSpace(bytes)
      _ = try value(bytes, depth: depth + 1)
      skipSpace(bytes)
      if skip(UInt8(ascii: "]"), bytes) { return }
      guard skip(UInt8(ascii: ","), bytes) else { throw invalid("',' or ']' was expected") }
    }
  }

  /// Skips a string, and returns whether it is plain.
  private mutating func string(_ bytes: Span<UInt8>) throws(VarlinkMessageError) -> Bool {
    guard let (end, isPlain) = JSONString.end(in: bytes, from: position + 1) else {
      throw invalid("string is unterminated, not UTF-8 or badly escaped")
    }
    position = end
    return isPlain
  }

  private mutating func word(_ word: StaticString, _ bytes: Span<UInt8>) throws(VarlinkMessageError) {
    for index in 0..<word.utf8CodeUnitCount {
      guard skip(unsafe word.utf8Start[index], bytes) else { throw invalid("a value was expected") }
    }
  }

  private mutating func number(_ bytes: Span<UInt8>) throws(VarlinkMessageError) {
    _ = skip(UInt8(ascii: "-"), bytes)
    if !skip(UInt8(ascii: "0"), bytes) { try digits(bytes) }
    if skip(UInt8(ascii: "."), bytes) { try digits(bytes) }
    if skip(UInt8(ascii: "e"), bytes) || skip(UInt8(ascii: "E"), bytes) {
      if !skip(UInt8(ascii: "+"), bytes) { _ = skip(UInt8(ascii: "-"), bytes) }
      try digits(bytes)
    }
  }

  private mutating func digits(_ bytes: Span<UInt8>) throws(VarlinkMessageError) {
    let start = position
    while let byte = peek(bytes), (0x30...0x39).contains(byte) { position += 1 }
    guard position > start else { throw invalid("a value was expected") }
  }
}
