import StepperInterfaces
import Testing
@testable import StepperWeb

@Suite("A table of holds") struct HoldTableTests {
  private let start = ContinuousClock.now
  private let step = HoldTable.Gesture.action(.increment)

  private let page = HoldTable.Page(address: "one", stream: nil)

  private func pressed(
    _ table: inout HoldTable, _ id: String, of address: String = "one", stream: String? = nil
  ) -> HoldTable.Pressing {
    table.press(id, of: .init(address: address, stream: stream), "volume", step, at: start)
  }

  @Test func `has ten holds of each document`() {
    var table = HoldTable()
    func press(_ id: Int, _ document: String) -> HoldTable.Pressing {
      let page = HoldTable.Page(address: "one", stream: nil, document: document)
      return table.press("h\(id)", of: page, "volume", step, at: start)
    }
    for id in 0..<10 { #expect(press(id, "a") == .pressed) }
    #expect(press(10, "a") == .full(limit: 10))
    #expect(press(11, "b") == .pressed)
  }

  @Test func `has no hold that is not renewed for a second`() {
    var table = HoldTable()
    #expect(pressed(&table, "a") == .pressed)
    #expect(table.renew(["a", "b"], at: start + .milliseconds(900)).due.map(\.id) == ["a"])
    #expect(table.count(at: start + .milliseconds(1899)) == 1)
    #expect(table.count(at: start + .milliseconds(1900)) == 0)
    #expect(table.renew(["a"], at: start + .milliseconds(1900)).alive.isEmpty)
    #expect(table.release("a", from: "one", at: start + .milliseconds(1900)) == nil)
    #expect(table.holds.isEmpty)
  }

  @Test func `renews each name once, and in the daemon ten times a second at most`() {
    var table = HoldTable()
    #expect(pressed(&table, "a") == .pressed)
    #expect(pressed(&table, "b") == .pressed)
    let first = table.renew(["a", "b", "a"], at: start)
    #expect(first.alive.map(\.id) == ["a", "b"] && first.due.map(\.id) == ["a", "b"])
    let second = table.renew(["a", "b"], at: start + .milliseconds(99))
    #expect(second.alive.map(\.id) == ["a", "b"] && second.due.isEmpty)
    #expect(table.count(at: start + .milliseconds(1098)) == 2)
    table.withdrawRenewal("b")
    #expect(table.renew(["a", "b"], at: start + .milliseconds(99)).due.map(\.id) == ["b"])
    #expect(table.renew(["a", "b"], at: start + .milliseconds(100)).due.map(\.id) == ["a"])
  }

  @Test func `has room for others when leases have ended`() {
    var table = HoldTable()
    for id in 0..<10 { #expect(pressed(&table, "\(id)") == .pressed) }
    #expect(table.press("10", of: page, "volume", step, at: start + .milliseconds(999)) == .full(limit: 10))
    #expect(table.press("11", of: page, "volume", step, at: start + .seconds(1)) == .pressed)
    #expect(table.press("0", of: page, "bass", step, at: start + .seconds(1)) == .pressed)
    #expect(table.holds.count == 2)
  }

  @Test func `makes a tap of a press that comes after its release, for ten seconds`() {
    var table = HoldTable()
    #expect(table.release("a", from: "one", at: start - .seconds(9)) == nil)
    #expect(pressed(&table, "a") == .tapped)
    #expect(table.holds.isEmpty)
    #expect(table.release("b", from: "one", at: start - .seconds(10)) == nil)
    #expect(pressed(&table, "b") == .pressed)
  }

  @Test func `releases once, and takes the name again`() {
    var table = HoldTable()
    _ = pressed(&table, "a")
    #expect(table.release("a", from: "one", at: start)?.id == "a")
    #expect(pressed(&table, "a") == .pressed)
  }

  @Test func `renews a second press, and refuses the name for something else`() {
    var table = HoldTable()
    _ = pressed(&table, "a")
    #expect(pressed(&table, "a") == .renewed)
    #expect(table.press("a", of: page, "bass", step, at: start) == .taken)
    #expect(table.press("a", of: page, "volume", .action(.decrement), at: start) == .taken)
    #expect(table.press("a", of: page, "volume", .position(0.5), at: start) == .taken)
  }

  @Test func `has ten holds of a page, 32 of an address and 64 of all, and ends those of a page together`() {
    var table = HoldTable()
    for index in 0..<10 { #expect(pressed(&table, "p\(index)", stream: "page") == .pressed) }
    #expect(pressed(&table, "p10", stream: "page") == .full(limit: 10))
    for index in 0..<10 { #expect(pressed(&table, "\(index)") == .pressed) }
    #expect(pressed(&table, "10") == .full(limit: 10), "what names no page is one page of its address")
    for index in 0..<12 { #expect(pressed(&table, "q\(index)", stream: "q\(index % 2)") == .pressed) }
    #expect(pressed(&table, "q12", stream: "q2") == .full(limit: 32))
    for index in 0..<32 {
      #expect(pressed(&table, "r\(index)", of: "other", stream: "r\(index % 4)") == .pressed)
    }
    #expect(pressed(&table, "s", of: "third") == .full(limit: 64))
    #expect(table.end(of: "page").count == 10)
    #expect(table.holds.count == 54)
  }

  @Test func `keeps the releases of each address, so that one with many does not take those of others`() {
    var table = HoldTable()
    #expect(table.release("mine", from: "one", at: start) == nil)
    for index in 0..<2000 {
      #expect(table.release("\(index)", from: "other", at: start + .milliseconds(index)) == nil)
    }
    #expect(pressed(&table, "mine") == .tapped)
    #expect(pressed(&table, "1999") == .tapped)
    #expect(pressed(&table, "0") == .pressed)
  }

  @Test func `moves faders, and nothing else`() {
    var table = HoldTable()
    _ = pressed(&table, "a")
    #expect(table.move("a", to: 0.5, at: start) == nil)
    #expect(table.press("f", of: page, "volume", .position(0.1), at: start) == .pressed)
    #expect(table.move("f", to: 0.5, at: start)?.gesture == .position(0.5))
    table.fallBack("f")
    #expect(table.holds["f"]?.isEngine == false)
    table.fallBack("a")
    #expect(table.holds["a"] == nil)
  }
}
