import StepperCore
import Testing

@testable import StepperDaemon

@MainActor @Suite struct DeviceOrdersTests {
  @Test func `each level is kept once, in its order, however many there are`() {
    var orders = DeviceOrders()
    let handles = (0..<Devices.mostAttached).map { "\($0)" }
    let outputs = (0..<64).map { DeviceOrders.Level.position(output: "\($0)") }
    let time = ContinuousClock().measure {
      for _ in 0..<2 { for handle in handles { for output in outputs { orders.note(output, of: handle) } } }
    }
    let kept = orders.levels.elements
    #expect(kept.map(\.handle) == handles.flatMap { Array(repeating: $0, count: outputs.count) })
    #expect(Array(kept.map(\.level).prefix(outputs.count)) == outputs)
    // To look for each among all would take a hundred times as long.
    #expect(time < .seconds(5))
  }
}
