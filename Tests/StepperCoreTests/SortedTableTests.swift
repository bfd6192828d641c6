import Testing

@testable import StepperCore

@Suite struct SortedTableTests {
  @Test func `it holds what a dictionary holds, in the order of the keys`() {
    var generator = SystemRandomNumberGenerator()
    var table = SortedTable<Int, Int>()
    var model: [Int: Int] = [:]
    for _ in 0..<2_000 {
      let key = Int.random(in: 0..<40, using: &generator)
      let value = Bool.random() ? Int.random(in: 0..<100, using: &generator) : nil
      table[key] = value
      model[key] = value
      #expect(table[key] == value)
      #expect(table.keys == model.keys.sorted())
      #expect(table.values == table.keys.map { model[$0] })
      #expect((-1...40).allSatisfy { table[$0] == model[$0] })
    }
  }
}
