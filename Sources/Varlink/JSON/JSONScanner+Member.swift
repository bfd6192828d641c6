extension JSONScanner {
  /// A member of an object, or an element of an array. Its ranges refer to the bytes that were scanned.
  struct Member {
    /// The name without the quotes; empty for an element.
    private let nameRange: Range<Int>
    private let nameIsPlain: Bool
    private let kindOfValue: Value
    /// The range of the value, including the quotes of a string.
    let value: Range<Int>

    init(name: Range<Int>, isPlain: Bool = true, value: Value = Value(.null), at place: Range<Int> = 0..<0) {
      (nameRange, nameIsPlain, kindOfValue, self.value) = (name, isPlain, value, place)
    }

    var kind: Kind { kindOfValue.kind }
    /// Whether the value is a string of printable ASCII without an escape.
    var isPlain: Bool { kindOfValue.isPlain }

    /// The name; nil if it is not valid as ``OutsideText/text``.
    func name(in bytes: [UInt8]) -> String? {
      JSONString.string(in: bytes, at: nameRange, isPlain: nameIsPlain)
    }

    /// The beginning of the name, for a message.
    func shownName(in bytes: [UInt8]) -> String {
      let mostShown = 64
      return OutsideText.shown(unescapedName(in: bytes.span).span).clipped(toBytes: mostShown)
    }

    /// The value, which must be a string, as a name of printable ASCII; nil if it is another text or has more than
    /// `most` bytes.
    func nameOfASCII(in bytes: [UInt8], atMost most: Int) -> String? {
      let content = bytes.span.extracting(value.dropFirst().dropLast())
      if isPlain { return content.count <= most ? OutsideText.name(content) : nil }
      return OutsideText(JSONString.unescaped(content), atMost: most)?.name
    }

    /// Whether the value, which must be a string, is plain and equal to `text`.
    func isString(_ text: String, in bytes: Span<UInt8>) -> Bool {
      isPlain && bytes.extracting(value.dropFirst().dropLast()).hasSameElements(as: text.utf8.span)
    }

    func isNamed(_ name: StaticString, in bytes: Span<UInt8>) -> Bool {
      guard nameIsPlain else { return unescapedName(in: bytes) == Array(name.description.utf8) }
      guard nameRange.count == name.utf8CodeUnitCount else { return false }
      for offset in 0..<nameRange.count {
        guard unsafe name.utf8Start[offset] == bytes[nameRange.lowerBound + offset] else { return false }
      }
      return true
    }

    func isNamed(_ name: [UInt8], in bytes: Span<UInt8>) -> Bool {
      guard nameIsPlain else { return unescapedName(in: bytes) == name }
      return bytes.extracting(nameRange).hasSameElements(as: name.span)
    }

    /// Whether the name contains a dot, as the names of vendors' members do.
    func isVendors(in bytes: [UInt8]) -> Bool { unescapedName(in: bytes.span).contains(UInt8(ascii: ".")) }

    private func unescapedName(in bytes: Span<UInt8>) -> [UInt8] {
      JSONString.unescaped(bytes.extracting(nameRange))
    }
  }

  /// The members of one object in the order of the message. Most objects have only a few members, which need no
  /// allocated memory.
  struct Members: RandomAccessCollection {
    private var few = InlineArray<4, Member>(repeating: Member(name: 0..<0))
    private var fewCount = 0
    private var rest: [Member] = []

    /// The members that the scanner has noted.
    init(noted: [Member]) { rest = noted }

    /// The members of the object at `range` of the valid JSON `bytes`.
    init(of bytes: [UInt8], in range: Range<Int>) {
      var position = range.lowerBound + 1
      while let member = JSONScanner.member(of: bytes, at: position) {
        append(member)
        position = member.value.upperBound
      }
    }

    private mutating func append(_ member: Member) {
      guard fewCount < few.count else { return rest.append(member) }
      few[fewCount] = member
      fewCount += 1
    }

    var startIndex: Int { 0 }
    var endIndex: Int { fewCount + rest.count }

    subscript(index: Int) -> Member { index < fewCount ? few[index] : rest[index - fewCount] }
  }

  /// Members in the order of the message. The memory is reused for each message.
  struct Notes {
    /// The members of the outermost object.
    private(set) var members: [Member] = []
    /// The members of the object that is the value of the wanted member.
    private(set) var inner: [Member] = []

    /// Most objects have at most this many members.
    private static let usualCount = 6
    /// Memory is kept for at most this many members.
    private static let mostKept = 32

    mutating func removeAll() {
      members.removeAll(keepingCapacity: members.capacity <= Self.mostKept)
      inner.removeAll(keepingCapacity: inner.capacity <= Self.mostKept)
    }

    mutating func append(_ member: Member, isInner: Bool) {
      if isInner {
        if inner.isEmpty { inner.reserveCapacity(Self.usualCount) }
        inner.append(member)
      } else {
        if members.isEmpty { members.reserveCapacity(Self.usualCount) }
        members.append(member)
      }
    }
  }
}

extension Span<UInt8> {
  func hasSameElements(as other: Span<UInt8>) -> Bool {
    guard count == other.count else { return false }
    for index in indices where self[index] != other[index] { return false }
    return true
  }
}
