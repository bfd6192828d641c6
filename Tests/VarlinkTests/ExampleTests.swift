import TestSupport
import Testing

/// The example of Documentation/varlink.md.
@Suite struct VarlinkExampleTests {
  @Test func `a client calls the service`() throws {
    let folder = try TemporaryFolder()
    let program = builtProgram("varlink-example")
    let service = try ChildProcess(program, ["serve", "\(folder.path)/socket"])
    try service.expectOutput("serving")
    for count in [2, 4] {
      let result = try run(program, ["call", "\(folder.path)/socket"])
      #expect(result == (0, "clicks: \(count)\n2 left\n1 left\n0 left\n"))
    }
    #expect(try run(program, ["call", "\(folder.path)/none"]).status == 1)
  }

  @Test func `the page shows the program as it is`() throws {
    let page = try TemporaryFolder.contents(ofSource: "Documentation/varlink.md")
    let sources = try ["CounterService.swift", "main.swift", "org.example.counter.varlink"].map {
      try TemporaryFolder.contents(ofSource: "Documentation/examples/swift/\($0)")
    }
    let blocks = page.split(separator: "```").enumerated().filter { !$0.offset.isMultiple(of: 2) }.map(
      \.element)
    let shown = blocks.compactMap { block -> Substring? in
      let lines = block.split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false)
      return ["swift", "varlink"].contains(lines[0]) ? lines[1] : nil
    }
    #expect(shown.count >= 3)
    for block in shown { #expect(sources.contains { $0.contains(block) }, "\(block)") }
  }
}
