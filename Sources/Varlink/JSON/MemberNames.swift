/// The names of the members of one object. Most objects have few names, all plain; these are compared in place,
/// because hashing would cost more.
struct MemberNames {
  private var few = InlineArray<8, Range<Int>>(repeating: 0..<0)
  private var fewCount = 0
  /// All names, once there are many, or one is not plain.
  private var texts: Set<[UInt8]>?

  /// Adds the name at `place`, which excludes the quotes; false if the object has the name already.
  mutating func insert(_ place: Range<Int>, isPlain: Bool, of bytes: Span<UInt8>) -> Bool {
    if texts == nil, fewCount < few.count, isPlain {
      for index in 0..<fewCount where few[index].count == place.count {
        if bytes.extracting(few[index]).hasSameElements(as: bytes.extracting(place)) { return false }
      }
      few[fewCount] = place
      fewCount += 1
      return true
    }
    if texts == nil {
      texts = []
      for index in 0..<fewCount { texts?.insert(JSONString.unescaped(bytes.extracting(few[index]))) }
    }
    return texts?.insert(JSONString.unescaped(bytes.extracting(place))).inserted ?? false
  }
}
