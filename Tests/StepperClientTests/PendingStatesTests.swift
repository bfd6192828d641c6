import StepperInterfaces
import TestSupport
import Testing

@testable import StepperClient

@Suite("States nobody has read yet") struct PendingStatesTests {
  @Test func `are bounded, whatever names a daemon invents`() {
    var pending = PendingStates()
    for number in 0..<10 {
      pending.add((0..<1_000).map { .example("\(number)-\($0)") }, isSnapshot: false)
      _ = pending.take()
    }
    #expect(pending.count <= PendingStates.limit)
    pending.add([.example("0-1", 9, sequence: 9)], isSnapshot: false)
    #expect(pending.count <= PendingStates.limit, "one that is known has its latest value")
  }

  @Test func `and frames are counted without a trap`() {
    var pending = PendingFrames()
    let frame = DeviceInterface.Frame(
      device: "a", monotonicMicroseconds: .min, resynchronized: false, events: [], consequences: [])
    for number in 0..<40 {
      let names = (0..<100).map { "\(number)-\($0)" }
      pending.add(
        .init(devices: [], removed: names, frames: Array(repeating: frame, count: 100), dropped: .max))
    }
    let all = pending.take()
    #expect(all?.dropped == .max)
    #expect(all?.frames.count == PendingFrames.limit)
    #expect(all?.removed.count == PendingFrames.limit)
  }

  @Test func `are told in the order of their first change, each with its latest value`() {
    var pending = PendingStates()
    pending.add([.example("bass", 1, sequence: 1)], isSnapshot: false)
    pending.add([.example("volume", 1, sequence: 2)], isSnapshot: false)
    pending.add([.example("bass", 2, sequence: 3)], isSnapshot: false)
    #expect(pending.take() == .example("bass", 2, sequence: 3))
    #expect(pending.take() == .example("volume", 1, sequence: 2))
    #expect(pending.take() == nil)
  }

  @Test func `are never more than one for each control`() {
    var pending = PendingStates()
    for sequence in 1...1000 {
      pending.add([.example("volume", Double(sequence), sequence: Int64(sequence))], isSnapshot: false)
      #expect(pending.count == 1)
    }
  }

  @Test func `do not repeat in a snapshot what is known`() {
    var pending = PendingStates()
    pending.add([.example("volume", 50, sequence: 7)], isSnapshot: true)
    _ = pending.take()
    pending.add([.example("volume", 50, origin: .restored, sequence: 1)], isSnapshot: true)
    #expect(pending.take() == nil)
    pending.add([.example("volume", 51, sequence: 1)], isSnapshot: true)
    #expect(pending.take() == .example("volume", 51, sequence: 1))
  }

  @Test func `repeat a change back to what is known`() {
    var pending = PendingStates()
    pending.add([.example(sequence: 1)], isSnapshot: true)
    _ = pending.take()
    pending.add([.example(sequence: 3)], isSnapshot: false)
    #expect(pending.take() == .example(sequence: 3))
  }

  @Test func `are forgotten with their control`() {
    var pending = PendingStates()
    pending.add([.example("bass", 1), .example("volume", 1)], isSnapshot: true)
    pending.add([.example("volume", 2)], isSnapshot: true)
    #expect(pending.take() == .example("volume", 2))
    #expect(pending.take() == nil)
  }

  @Test func `are asked for from the last reply on`() {
    var pending = PendingStates(.init(match: ["volume"]))
    #expect(pending.parameters == .init(match: ["volume"]))
    pending.add(.snapshot([.example()], sequence: 7))
    pending.add(.change([.example()], sequence: 9))
    #expect(pending.parameters == .init(match: ["volume"], instance: "one", sinceSequence: 9))
  }
}
