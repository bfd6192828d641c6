/// A list that most often has no more than one element, and then needs no allocated memory.
public struct ShortList<Element> {
  private var first: Element?
  private var rest: [Element] = []

  /// A list without elements.
  public init() {}
}

extension ShortList: RandomAccessCollection, MutableCollection {
  /// Always 0.
  public var startIndex: Int { 0 }
  /// The number of elements.
  public var endIndex: Int { first == nil ? 0 : 1 + rest.count }

  /// The element at `index`, which must be a valid index.
  public subscript(index: Int) -> Element {
    get {
      guard index == 0, let first else { return rest[index - 1] }
      return first
    }
    set {
      precondition(indices.contains(index), "no element \(index) of \(count)")
      if index == 0 { first = newValue } else { rest[index - 1] = newValue }
    }
  }
}

extension ShortList: RangeReplaceableCollection {
  /// Adds `element` at the end.
  public mutating func append(_ element: Element) {
    if first == nil { first = element } else { rest.append(element) }
  }

  /// Replaces the elements in `range` by `elements`.
  public mutating func replaceSubrange(_ range: Range<Int>, with elements: some Collection<Element>) {
    var all = Array(self)
    all.replaceSubrange(range, with: elements)
    (first, rest) = (all.first, Array(all.dropFirst()))
  }
}

extension ShortList: ExpressibleByArrayLiteral {
  /// `[1, 2]`.
  public init(arrayLiteral elements: Element...) { self.init(elements) }
}

extension ShortList: Sendable where Element: Sendable {}
extension ShortList: Equatable where Element: Equatable {}
extension ShortList: Hashable where Element: Hashable {}
extension ShortList: JSONReadable where Element: JSONReadable {}
extension ShortList: JSONWritable where Element: JSONWritable {}
