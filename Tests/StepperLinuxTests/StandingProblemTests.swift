import StepperLinux
import Testing

@Suite struct StandingProblemTests {
  @Test func `a problem is said when it begins, is another one, and ends`() {
    var problem = StandingProblem()
    let changes = [nil, "full", "full", "gone", nil, nil].map { problem.change(to: $0) }
    #expect(changes == [nil, .begun, nil, .replaced, .ended, nil])
    #expect(problem.text == nil && problem.revision == 3)
  }

  @Test func `one that stands from the beginning has not begun`() {
    var problem = StandingProblem("not asked yet")
    #expect(problem.revision == 0 && problem.change(to: "not asked yet") == nil)
    #expect(problem.change(to: nil) == .ended)
  }
}
