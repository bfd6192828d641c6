import FoundationEssentials
import StepperCore
import TestSupport
import Testing

@testable import StepperConfiguration

/// Texts that were made to do harm. A text that ends the process fails the test that starts one for it.
@Suite struct HostileTextTests {
  /// Each of them ended, or could end, a process that read it with toml++.
  static let killers: [String] = [
    "a=1979-05-27 0#", "a=1979-05-27T:", "[,", "a = }", "a=0.\u{2a0}",
    "a=1\(String(repeating: "_", count: 115))979-05-27 00:00:00",
    String(repeating: "a.", count: 500_000) + "a=1", "[" + String(repeating: "a.", count: 500_000) + "a]",
    "a=" + String(repeating: "[", count: 1_000_000), "a=" + String(repeating: "{a=", count: 300_000),
  ]

  @Test func `no text ends the process that reads it`() async {
    await #expect(processExitsWith: .success) {
      for text in HostileTextTests.killers {
        let (configuration, problems) = load(text)
        #expect(configuration == nil && !problems.isEmpty)
      }
    }
  }

  @Test func `ten thousand documents leave nothing behind`() async {
    await #expect(processExitsWith: .success) {
      let good = "[control.c]\ntitle.de = \"a\"\nstep = 0.5\n"
      let bad = "[control.c]\nchoices = [\"a\", { c = [1] }]\nx = \"\\u00e4\"\ny = z\n"
      func read(_ count: Int) {
        for _ in 0..<count { _ = (load(good), load(bad)) }
      }
      read(500)
      let before = try residentPages()
      read(4_500)
      // A page a hundred documents is no more than the allocator's own disorder.
      #expect(try residentPages() - before < 100)
    }
  }

  // MARK: Torture

  static let documents = [
    Configuration.embeddedText,
    "a=1979-05-27 07:32:00.5Z\nb=0x1f\nc=-1.5e-3\nd=[1,{a=2}]#\n[[e.f]]\n[g.\"h\"]\ni='j'\n\"k\"=\"\"\"\nl\\\n\"\"\"",
    "[control.c]\r\ntitle = { de = \"\\u00e4\" }\r\nrepeat = { delay = \"1s\", stages = [{ interval = \"1s\" }] }\r\n",
  ]

  /// Whatever the bytes are, a document is one or has errors at places in it, and the whole configuration can be
  /// read from it.
  static func read(_ bytes: [UInt8]) {
    let document = Document(bytes)
    let places = document.errors.map(\.offset)
    #expect(places.allSatisfy { (0...bytes.count).contains($0) })
    let (configuration, problems) = Configuration.load(
      bytes, file: "f", codes: knownCodes)
    #expect(document.errors.isEmpty || configuration == nil)
    #expect((configuration == nil) == problems.contains { $0.severity == .error })
    #expect(problems.count <= ConfigurationLimit.problems + 1)
    // What is quoted can neither forge a line nor command a terminal.
    for scalar in problems.flatMap(\.description.unicodeScalars) {
      #expect(![.control, .format].contains(scalar.properties.generalCategory))
    }
  }

  @Test(arguments: documents) func `every beginning of a document`(text: String) {
    let bytes = Array(text.utf8)
    for length in bytes.indices { Self.read(Array(bytes[..<length])) }
  }

  @Test(arguments: [
    "a=1979-05-27 07:32:00Z", "[[a.\"b\"]]\nc=[{d=1.5}]", "a='''x'''\nb=\"\\u00e4\"", "a.b=true#\r\n[c]",
  ])
  func `every byte of a small document as every other`(text: String) {
    let bytes = Array(text.utf8)
    for place in bytes.indices {
      for byte in UInt8.min...UInt8.max {
        var changed = bytes
        changed[place] = byte
        Self.read(changed)
      }
    }
  }

  @Test(arguments: Seed.fresh(8))
  func `documents with anything in them`(seed: Seed) {
    var torture = Torture(seed)
    for _ in 0..<150 { Self.read(torture.next(from: Self.documents.map { Array($0.utf8) })) }
  }
}

/// The memory of this process that is in use, in pages.
private func residentPages() throws -> Int {
  let fields = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8).split(separator: " ")
  return try #require(Int(fields[1]))
}
