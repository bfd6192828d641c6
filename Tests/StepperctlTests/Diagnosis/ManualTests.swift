import StepperCommands
import TestSupport
import Testing

@Suite struct `The manual` {
  @Test func `has the names of all findings, and no others`() throws {
    let manual = try TemporaryFolder.contents(ofSource: "Documentation/man/stepperctl.1")
    var documented: Set<String> = []
    for match in manual.matches(of: /\.It Cm ([a-z]+)\n\.Cm (\.[a-z., -]+)\n/) {
      documented.formUnion(match.2.split(separator: " , ").map { "\(match.1)\($0)" })
    }
    #expect(Set(Diagnosis.names) == documented)
    #expect(documented.count > 60)
  }
}
