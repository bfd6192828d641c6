/// The events of a frame, in their order.
///
/// The first four are stored in place. Knobs and buttons send no more than that, so a detent needs no memory from the
/// allocator.
package struct EvdevEvents: Sendable {
  private var first = InlineArray<4, EvdevEvent>(repeating: EvdevEvent(EvdevUsage(type: 0, code: 0), 0))
  /// The number of events in ``first``.
  private var firstCount = 0
  private var rest: [EvdevEvent] = []

  package init() {}

  package init(_ event: EvdevEvent) { append(event) }

  package init(_ events: some Sequence<EvdevEvent>) {
    for event in events { append(event) }
  }

  package mutating func append(_ event: EvdevEvent) {
    guard firstCount < first.count else { return rest.append(event) }
    first[firstCount] = event
    firstCount += 1
  }
}

extension EvdevEvents: RandomAccessCollection {
  package var startIndex: Int { 0 }
  package var endIndex: Int { firstCount + rest.count }

  package subscript(index: Int) -> EvdevEvent {
    index < firstCount ? first[index] : rest[index - firstCount]
  }
}

extension EvdevEvents {
  /// The sum of the values of a usage; nil if there is no event of it.
  func sum(of usage: EvdevUsage) -> Int64? {
    var sum: Int64?
    for index in 0..<endIndex where self[index].usage == usage { sum = (sum ?? 0) + Int64(self[index].value) }
    return sum
  }
}

extension EvdevEvents: ExpressibleByArrayLiteral {
  package init(arrayLiteral events: EvdevEvent...) { self.init(events) }
}

extension EvdevEvents: Hashable {
  package static func == (left: EvdevEvents, right: EvdevEvents) -> Bool { left.elementsEqual(right) }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(count)
    for event in self { hasher.combine(event) }
  }
}
