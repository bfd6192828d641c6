import TestSupport
import Testing

@testable import StepperClient

@Suite struct `Moments nobody has read yet` {
  @Test func `are told in their order, all of them`() {
    var pending = PendingMoments()
    pending.add(.init(moments: [.example(value: 1), .example(value: 2)], dropped: 0))
    pending.add(.init(moments: [.example(value: 3)], dropped: 0))
    #expect((0..<4).map { _ in pending.take()?.value } == [1, 2, 3, nil])
  }

  @Test func `are lost when they are too many, the oldest first, and counted with the daemon's`() {
    var pending = PendingMoments()
    let limit = PendingMoments.limit
    pending.add(.init(moments: (0..<limit).map { .example(value: Double($0)) }, dropped: 3))
    #expect(pending.drops.value == 3)
    pending.add(.init(moments: [.example(value: -1), .example(value: -2)], dropped: 0))
    #expect(pending.drops.value == 5)
    #expect(pending.take()?.value == 2)
    var last: Double?
    while let moment = pending.take() { last = moment.value }
    #expect(last == -2)
  }
}
