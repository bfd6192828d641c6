import StepperCore
import StepperText
import TestSupport
import Testing

@testable import StepperConfiguration

/// Texts of the size that a client may send, each full of one thing.
@Suite(.serialized) struct LargeTextTests {
  static let size = 1 << 16
  /// As many names as the kernel has.
  static let names = (0..<700).map { "KEY_NAME\($0)" }

  static let longest = Duration.seconds(2)

  struct Text: CustomTestStringConvertible {
    var testDescription: String
    var text: String

    /// `head`, as many pieces as there is room for, and `tail`.
    init(_ name: String, _ head: String = "", _ tail: String = "", piece: (Int) -> String) {
      testDescription = name
      text = head
      var index = 0
      var next = piece(0)
      while text.utf8.count + next.utf8.count + tail.utf8.count <= size {
        text += next
        index += 1
        next = piece(index)
      }
      text += tail
    }
  }

  /// Thirty combining characters in a row, which is as many as there may be.
  private static let marks = "e" + String(repeating: "\u{301}\u{323}", count: 15)
  private static let head = "device.k.match.name=\"K\"\n[control.c]\n"
  static let texts: [Text] = [
    Text("misspelt codes", head) { "increment\($0).x=\"k:KEY_NAM\($0 % 1000)X\"\n" },
    Text("misspelt codes of one key", head + "increment=[", "]") { "\"k:KEY_NMAE\($0 % 800)\"," },
    Text("misspelt codes of many", "device.k.match.name=\"K\"\n") {
      "[control.c\($0)]\nincrement=\"k:KEY_NMAE\($0 % 800)\"\n"
    },
    Text("tables in one line each") { "device.d\($0)={virtual=true}\n" },
    Text("tables in one line", "control={", "x={}}") { "d\($0)={stepp=1}," },
    Text("unknown keys", head) { "climb-rat\($0)=1\n" },
    Text("unknown axes", "device.k.match.name=\"K\"\ndevice.k.axis={", "x={}}") { "ABS_M\($0)={}," },
    Text("numbers", "a=[", "]") { _ in "1," },
    Text("dotted keys") { "a\($0).b=1\n" },
    Text("keys of thirty parts") { String(repeating: "a.", count: 30) + "a\($0)=1\n" },
    Text("arrays of tables") { $0.isMultiple(of: 2) ? "[[a]]\n" : "[[a.b]]\n" },
    Text("arrays that do not end") { _ in "a=[\n" },
    Text("texts that do not end") { _ in "a=['''\n" },
    Text("commas too many", "a=[", "]") { _ in "{b=1,}," },
    Text("words without quotes") { _ in "a=b\n" },
    Text("a word without quotes", "a=") { _ in "e\u{301}\u{323}" },
    Text("names with many marks", head) { "\"\($0)\(marks)\(marks)\"=1\n" },
    Text("tables with many marks") { "[control.\"\(marks)\($0)\"]\nprofile=\"\(marks)\"\n" },
    Text("choices with many marks") { index in
      "[control.c\(index)]\nchoices=[\((0..<60).map { "\"\(marks.prefix(1))\($0)\"" }.joined(separator: ","))]\ninitial=\"\(marks)x\"\n"
    },
    Text("devices with many marks", (0..<64).map { "[device.\"\(marks)\($0)\"]\nvirtual=true\n" }.joined()) {
      "[control.c\($0)]\noutputs=[\"\(marks)\",\"\(marks)x\"]\n"
    },
    Text("profiles from each other") { "[profile.p\($0)]\nbase=\"p\($0 + 1)\"\n" },
    Text("placeholders", head + "on-change=[\"/x\",", "]") { _ in
      "\"\(String(repeating: "{a}", count: 1_300))\","
    },
    Text("sound controls", "device.k.match.name=\"K\"\n") {
      "[control.c\($0)]\ntitle=\"T\"\nstep=0.5\nincrement=\"k:KEY_NAME\($0 % 700)\"\n"
    },
  ]

  /// Without optimization it takes some thirty times as long as in a release, where the limit is 50 ms.
  @Test(arguments: texts) func `no text of 64 KiB takes long, or has much said of it`(_ text: Text) {
    let codes = CodeNames(
      name: { _ in nil }, usage: { Self.names.firstIndex(of: $0).map { EvdevUsage.key(UInt16($0)) } },
      all: { Self.names })
    let start = processorTime()
    let problems = Configuration.load(Array(text.text.utf8), file: "f", codes: codes).problems
    let time = processorTime() - start
    #expect(time < Self.longest)
    #expect(problems.count <= ConfigurationLimit.problems + 1)
    #expect(problems.map(\.description.utf8.count).reduce(0, +) < 100_000)
    #expect(problems.allSatisfy { !$0.description.contains("\n") })
  }

  @Test func `of very many problems a hundred are told, and the number of the others`() {
    let text = "[control.c]\n" + (0..<417).map { "k\($0) = 1\n" }.joined()
    let problems = load(text).problems
    #expect(problems.count == 101)
    #expect(problems.last?.description == "f: error: … and 317 more problems")
    let warned = (0..<120).map { "[control.c\($0)]\non-change = [\"/none\"]\n" }.joined()
    let last = Configuration.load(
      Array((warned + "[control.z]\nmaximum = true\n").utf8), file: "f", codes: knownCodes,
      programProblem: { _ in "does not exist" }
    ).problems
    #expect(last.filter { $0.severity == .error }.map(\.keyPath) == ["control.z.maximum"])
    #expect(last.count == 101 && last.last?.description == "f: warning: … and 21 more problems")
    #expect(
      load("[control.c]\n" + (0..<101).map { "k\($0) = 1\n" }.joined()).problems.last?.message
        == "… and 1 more problem")
  }

  @Test func `no more of a text is quoted than a line bears`() {
    let long = String(repeating: "x", count: 60_000)
    for text in [
      "[control.c]\nkind = \"\(long)\"", "[control.c]\nkind = \(long)", "[control.c]\n\(long) = 1",
    ] {
      #expect(problems(in: text).allSatisfy { $0.utf8.count < 300 })
    }
  }
}
