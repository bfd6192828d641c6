import StepperCore
import TestSupport
import Testing

@testable import StepperConfiguration

@Suite struct ValueTests {
  func settings(_ lines: String) throws -> ControlSettings {
    let configuration = try #require(load(control(lines)).configuration)
    return try #require(configuration.controls.first).settings
  }

  @Test func `the defaults are UIStepper's`() throws {
    #expect(try settings("") == ControlSettings(name: "c"))
  }

  @Test(
    arguments: [
      ("0.1", 1, 1), ("0.3", 3, 1), ("1e-3", 1, 3), ("0x10", 16, 0), ("1_0", 10, 0), ("0.50", 5, 1),
    ] as [(String, Int64, Int)])
  func `numbers are exactly what is written, and digits follow`(text: String, units: Int64, digits: Int)
    throws
  {
    let settings = try settings("step = \(text)")
    #expect(settings.stepValue == FixedPoint(units: units, digits: digits))
    #expect(settings.digits == digits)
  }

  @Test func `a page is ten steps unless it is given`() throws {
    #expect(try settings("step = 0.2").pageIncrement == 2)
    #expect(try settings("step = 2\npage = 7").pageIncrement == 7)
  }

  /// Whole steps and at least one, so that it always moves; ten where there is no range.
  @Test(
    arguments: [
      ("", 10), ("maximum = 50", 5), ("maximum = 15", 2), ("maximum = 3", 1), ("maximum = \"none\"", 10),
      ("minimum = -100", 20), ("step = 4", 12), ("step = 4\nmaximum = \"none\"", 40),
    ] as [(String, FixedPoint)])
  func `a page may be a tenth of the range`(range: String, page: FixedPoint) throws {
    #expect(try settings("page = \"a tenth\"\n\(range)").pageIncrement == page)
  }

  @Test func `the initial value is the one nearest to 0 in the range`() throws {
    #expect(try settings("minimum = 5").initialValue == 5)
    #expect(try settings("minimum = -9\nmaximum = -4").initialValue == -4)
    #expect(try settings("minimum = -9").initialValue == 0)
    #expect(try settings("minimum = \"none\"\nmaximum = \"none\"").initialValue == 0)
    #expect(try settings("minimum = 5\nmaximum = \"none\"").initialValue == 5)
    #expect(try settings("minimum = \"none\"\nmaximum = -5").initialValue == -5)
  }

  @Test(arguments: [("", 1.0), ("strength = 1", 1), ("strength = 0", 0), ("strength = 0.25", 0.25)])
  func `what is felt of a device is as strong as it says`(line: String, strength: Double) throws {
    let control = "[control.volume]\nrotate = \"knob:REL_DIAL\""
    let (configuration, problems) = load("[device.knob]\nmatch.name = \"Knob\"\n\(line)\n\(control)")
    #expect(problems.isEmpty)
    #expect(configuration?.devices.first?.strength == strength)
  }

  @Test func `the embedded default has a panel and a volume`() throws {
    let (configuration, problems) = load(Configuration.embeddedText)
    #expect(problems.isEmpty)
    let panel = try #require(configuration?.devices.first { $0.settings.name == "panel" })
    #expect(panel.source == .virtual)
    #expect(configuration?.controls.map(\.settings.name) == ["volume"])
  }
}

@Suite struct FuzzTests {
  static let seeds = Seed.fresh(24)

  /// A configuration, or an error that says why there is none.
  private func check(_ bytes: [UInt8]) {
    let (configuration, problems) = load(String(decoding: bytes, as: UTF8.self))
    #expect((configuration == nil) == problems.contains { $0.severity == .error })
    #expect(problems.allSatisfy { !$0.description.contains("\n") })
  }

  @Test(arguments: seeds) func `byte soup never traps`(seed: Seed) {
    var random = SeededGenerator(seed)
    let alphabet = Array("[]{}=.,#\"'\\\n\t 019eExu_-abé".utf8)
    for _ in 0..<100 {
      let count = Int.random(in: 0...200, using: &random)
      check((0..<count).map { _ in alphabet[Int.random(in: 0..<alphabet.count, using: &random)] })
      check((0..<count).map { _ in UInt8.random(in: 0...255, using: &random) })
    }
  }

  @Test(arguments: seeds) func `mutated valid files never trap`(seed: Seed) {
    var random = SeededGenerator(seed)
    for _ in 0..<100 {
      var bytes = Array(Configuration.embeddedText.utf8)
      for _ in 0..<Int.random(in: 1...8, using: &random) {
        let place = Int.random(in: 0..<bytes.count, using: &random)
        switch Int.random(in: 0..<3, using: &random) {
        case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
        case 1: bytes.removeSubrange(place..<min(place + 9, bytes.count))
        default: bytes.insert(contentsOf: bytes[place..<min(place + 30, bytes.count)], at: place)
        }
      }
      check(bytes)
    }
  }
}
