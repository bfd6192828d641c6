import StepperCore
import TestSupport
import Testing

@testable import StepperDaemon

@Suite struct ValueFileTests {
  private typealias Pairs = [String: SavedValue]

  private static let values: [(name: String, value: SavedValue)] = [
    ("bass", .number(3)), ("input", .word("mother's \"best\" \\ \u{e9}\u{301}\"\u{301}\u{1f3b5}")),
    ("mute", .word("on")),
    ("none", .unset), ("price", .number(FixedPoint(units: -1_050, digits: 2))),
  ]

  private func pairs(_ contents: ValueFile.Contents) -> Pairs {
    Dictionary(contents.values.map { ($0.name, $0.value) }, uniquingKeysWith: { $1 })
  }

  private let sample = ValueFile.encode(SavedValues(values))

  @Test func `what is written is read, in its order`() {
    let contents = ValueFile.decode(sample)
    #expect(contents.damage == nil)
    #expect(contents.values.map(\.name) == Self.values.map(\.name))
    #expect(contents.values.map(\.value) == Self.values.map(\.value))
    let empty = ValueFile.decode(ValueFile.encode(SavedValues()))
    #expect(empty.damage == nil && empty.values.isEmpty)
  }

  @Test func `it is as it is documented`() {
    let text = String(decoding: ValueFile.encode(SavedValues([("volume", .number(42))])), as: UTF8.self)
    #expect(
      text == """
        {"version":2,"values":{
        "volume":{"number":"42","crc32c":"d95e703c"}
        },"entries":1,"crc32c":"15f2c6f6"}

        """)
  }

  /// The check value of CRC-32C in the catalogue of checksums.
  @Test func `the checksum is CRC-32C`() { #expect(Checksum.of("123456789".utf8) == 0xe306_9283) }

  @Test func `no flipped bit makes a wrong value, or goes unnoticed, or loses more than its line`() {
    let truth = pairs(ValueFile.decode(sample))
    for index in sample.indices {
      for bit in 0..<8 {
        var bytes = sample
        bytes[index] ^= 1 << bit
        let contents = ValueFile.decode(bytes)
        #expect(contents.damage != nil)
        let found = pairs(contents)
        #expect(found.allSatisfy { truth[$0.key] == $0.value })
        // A new line is two.
        #expect(found.count >= truth.count - 2, "bit \(bit) of byte \(index)")
      }
    }
  }

  @Test func `what is left of a file is read, wherever it is cut off and whatever is in it`() {
    let truth = pairs(ValueFile.decode(sample))
    for length in 0..<sample.count {
      for rest in [[], [0], [0xff, 0xfe], Array("\n\n}".utf8)] as [[UInt8]] {
        let contents = ValueFile.decode(sample.prefix(length) + rest)
        #expect(contents.damage != nil, "\(length)")
        #expect(pairs(contents).allSatisfy { truth[$0.key] == $0.value })
      }
    }
  }

  @Test func `a line that is missing or there twice is noticed`() {
    let lines = sample.split(separator: 0x0a, omittingEmptySubsequences: false)
    for index in lines.indices.dropLast() {
      var fewer = lines
      fewer.remove(at: index)
      #expect(ValueFile.decode(Array(fewer.joined(separator: [0x0a]))).damage != nil)
      var more = lines
      more.insert(lines[index], at: index)
      #expect(ValueFile.decode(Array(more.joined(separator: [0x0a]))).damage != nil)
    }
  }

  @Test func `the largest file there can be is read back`() {
    let word = String(repeating: "\"", count: 64)
    let values = (0..<2_000).map { number in
      (
        name: String(repeating: "n", count: 60) + String(10_000 + number).dropFirst(),
        value: SavedValue.word(word)
      )
    }
    let bytes = ValueFile.encode(SavedValues(values))
    let contents = ValueFile.decode(bytes)
    #expect(bytes.count <= ValueFile.largest)
    #expect(contents.damage == nil && contents.values.count == SavedValues.limit)
    // So that CRC-32C finds every change of up to five bits.
    #expect(bytes.split(separator: 0x0a).allSatisfy { $0.count <= 655 })
  }

  @Test(arguments: Seed.fresh(200))
  func `rubbish is no file of values`(seed: Seed) {
    var random = SeededGenerator(seed)
    let bytes = (0..<Int.random(in: 0...300, using: &random)).map { _ in
      UInt8.random(in: .min ... .max, using: &random)
    }
    let contents = ValueFile.decode(bytes)
    #expect(contents.damage != nil && contents.values.isEmpty, "\(bytes)")
  }
}

@Suite struct SavedValuesTests {
  private func name(_ number: Int) -> String { "control-\(10_000 + number)" }

  @Test func `controls of today have room, and of those before as many as there is room for`() {
    var values = SavedValues((0..<1_024).map { (name($0), .number(1)) })
    let today = (2_000..<2_256).map(name)
    let isLess = values.configure(controls: today, excluded: [])
    #expect(isLess)
    for name in today { _ = values.record(.number(2), of: name) }
    let names = values.all.map(\.name)
    #expect(names == today + (0..<768).map(name))
    let isLessAgain = values.configure(controls: today, excluded: [])
    #expect(!isLessAgain)
  }

  @Test func `what was configured last stays longest`() {
    var values = SavedValues((0..<1_024).map { (name($0), .number(1)) })
    _ = values.configure(controls: [name(1_023)], excluded: [])
    _ = values.configure(controls: (2_000..<2_256).map(name), excluded: [])
    #expect(values[name(1_023)] != nil && values[name(766)] != nil && values[name(1_022)] == nil)
  }

  @Test func `what is not to be remembered is forgotten`() {
    var values = SavedValues([("a", .number(1)), ("b", .number(2))])
    let isLess = values.configure(controls: ["a"], excluded: ["a"])
    #expect(isLess && values["a"] == nil && values["b"] == .number(2))
  }

  @Test func `only what differs is a change`() {
    var values = SavedValues()
    let new: [SavedValue] = [.number(1), .number(FixedPoint(units: 10, digits: 1)), .unset]
    let changes = new.map { values.record($0, of: "a") }
    #expect(changes == [true, false, true])
  }
}

@Suite struct SavedValueTests {
  private func settings(_ kind: ControlKind, _ choices: [String] = []) -> ControlSettings {
    var settings = ControlSettings(name: "c")
    (settings.kind, settings.choices) = (kind, choices)
    return settings
  }

  @Test func `a choice goes by its name, a toggle by on and off, a number by itself`() {
    let choice = settings(.choice, ["low", "high"])
    #expect(SavedValue(1, of: choice) == .word("high"))
    #expect(SavedValue(1, of: settings(.toggle)) == .word("on"))
    #expect(SavedValue(1, of: settings(.continuous)) == .number(1))
    #expect(SavedValue(nil, of: settings(.continuous)) == .unset)
    #expect(SavedValue.word("high").value(for: settings(.choice, ["off", "low", "high"])) == .some(2))
    #expect(SavedValue.word("off").value(for: settings(.toggle)) == .some(0))
    #expect(SavedValue.unset.value(for: settings(.continuous)) == .some(nil))
  }

  @Test func `what a control cannot have is nothing`() {
    #expect(SavedValue.word("mid").value(for: settings(.choice, ["low"])) == nil)
    #expect(SavedValue.word("mid").value(for: settings(.continuous)) == nil)
    #expect(SavedValue.number(1).value(for: settings(.choice, ["low", "high"])) == nil)
  }
}
