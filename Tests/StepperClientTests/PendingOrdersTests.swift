import StepperInterfaces
import Testing

@testable import StepperClient

@Suite struct `Orders that were not taken yet` {
  @Test func `keep the latest of all that is shown and felt until the next one, and the newest effects`() {
    var pending = PendingOrders("h")
    for round in 0..<3 {
      pending.add(.init(orders: [.init(handle: "h", matched: .init(device: "knob\(round)"))]))
      for number in 0..<12 {
        let name = "\(number)"
        pending.add(
          .init(orders: [
            .init(
              handle: "h",
              text: .init(output: name, title: "round \(round)", limit: .none)),
            .init(handle: "h", light: .init(output: name, brightness: Double(round))),
            .init(
              handle: "h", position: .init(output: name, axis: "ABS_X", position: Double(round))),
            .init(
              handle: "h",
              detents: .init(
                output: name, axis: "REL_DIAL", position: Int64(round), wraps: false, strength: 1)),
            .init(handle: "h", effect: .init(output: "buzz", effect: .light, strength: Double(number))),
          ]))
      }
    }
    let orders = pending.take() ?? []
    #expect(orders.compactMap(\.matched).map(\.device) == ["knob2"])
    #expect(orders.compactMap(\.text).map(\.output) == (0..<12).map { "\($0)" })
    #expect(orders.compactMap(\.text).allSatisfy { $0.title == "round 2" })
    #expect(orders.compactMap(\.light).count == 12 && orders.compactMap(\.position).count == 12)
    #expect(orders.compactMap(\.detents).map(\.position) == Array(repeating: 2, count: 12))
    #expect(orders.compactMap(\.effect).map(\.strength) == (4..<12).map(Double.init))
    #expect(pending.take() == nil)
  }
}
