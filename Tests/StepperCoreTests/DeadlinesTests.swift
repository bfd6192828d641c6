import Testing

@testable import StepperCore

@Suite struct DeadlinesTests {
  @Test(arguments: [0, 1, 2, 3, 5, 8, 33, 256])
  func `the earliest is that of all, and the first place that has it`(_ count: Int) {
    var generator = SystemRandomNumberGenerator()
    var deadlines = Deadlines(count: count)
    var model = [Instant?](repeating: nil, count: count)
    #expect(deadlines.earliest == nil && deadlines.earliestPlace == nil)
    for _ in 0..<(count == 0 ? 0 : 2_000) {
      let place = Int.random(in: 0..<count, using: &generator)
      let deadline = Bool.random() ? Instant(nanoseconds: .random(in: -5...5, using: &generator)) : nil
      deadlines[place] = deadline
      model[place] = deadline
      #expect(deadlines.earliest == model.compactMap(\.self).min())
      #expect(deadlines.earliestPlace == deadlines.earliest.flatMap { model.firstIndex(of: $0) })
      #expect(deadlines[place] == deadline)
    }
  }

  @Test func `equal deadlines are equal, in whatever order they were set`() {
    var (one, other) = (Deadlines(count: 3), Deadlines(count: 3))
    for place in 0..<3 { one[place] = .milliseconds(Int64(place)) }
    for place in (0..<3).reversed() { other[place] = .milliseconds(9) }
    for place in (0..<3).reversed() { other[place] = .milliseconds(Int64(place)) }
    #expect(one == other)
    one[1] = .distantFuture
    #expect(one[1] == nil && one != other)
  }
}

@Suite struct EvdevEventsTests {
  @Test(arguments: 0...9) func `events are kept in their order, in place or not`(_ count: Int) {
    let list = (0..<count).map { EvdevEvent(.dial, Int32($0)) }
    let events = EvdevEvents(list)
    #expect(Array(events) == list)
    #expect(events == EvdevEvents(list) && events.hashValue == EvdevEvents(list).hashValue)
    #expect(events != EvdevEvents(list + [EvdevEvent(.dial, 0)]))
  }
}
