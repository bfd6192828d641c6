import StepperCore
import Testing

@testable import stepperd_link

@Suite struct LinkLinesTests {
  @Test func `a link that changes without end has few lines, and hides no other`() {
    var lines = LinkLines()
    var ends: [String] = []
    for milliseconds in 0..<180_000 {
      if let end = lines.end("a", at: .milliseconds(Int64(milliseconds))) { ends.append(end) }
    }
    #expect(ends.count == 12)
    #expect(
      ends.suffix(2) == [
        " (59990 more before this one were suppressed)", " (59999 more before this one were suppressed)",
      ])
    #expect(lines.end("b", at: .milliseconds(180_000)) == "")
  }
}
