import FoundationEssentials
import Testing
import Varlink

/// The encoder of values that do not write themselves, held to the library's.
@Suite struct JSONEncodingTests {
  private struct Sample: Codable, Hashable {
    var b: Bool?
    var integer = Int64.min
    var unsigned = UInt64.max
    var small: Int8 = -7
    var number: Double
    var float: Float = 0.1
    var text: String
    var list: [String?] = ["x", nil]
    var nested: [[Int]] = [[], [1, 2]]
    var map: [String: Sub] = [:]
    var empty = Sub()
    var a = true
  }
  private struct Sub: Codable, Hashable {
    var z: Int?
    var Z: Int?
  }

  static let numbers = [
    0, -0.0, 0.3, 50, -12.75, 1e-7, 1e16, 1e300, -1e-300, 9_007_199_254_740_992, 9_007_199_254_740_994,
    1.0 / 3, .leastNonzeroMagnitude, .greatestFiniteMagnitude,
  ]
  static let texts = [
    "", "volume", "\"\\/", "\n\t\r\u{8}\u{c}\u{0}\u{1f}\u{7f}", "Lautstärke 音量 😀 e\u{301}", "\u{2028}\u{9b}",
  ]

  @Test(arguments: numbers, texts)
  func `it writes what the library writes, to the byte`(number: Double, text: String) throws {
    let library = JSONEncoder()
    library.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    var map = ["é": Sub(), "a": Sub(z: 1, Z: 2), "Z": Sub(), "a1": Sub()]
    map[text] = Sub(z: 3)
    let sample = Sample(b: text.isEmpty ? nil : false, number: number, text: text, map: map)
    let bytes = try encoded(sample)
    #expect(
      String(decoding: bytes, as: UTF8.self) == String(decoding: try library.encode(sample), as: UTF8.self))
    #expect(try VarlinkParameters(json: bytes).decode(Sample.self) == sample)
    #expect(try encoded([sample]) == Array(try library.encode([sample])))
  }

  @Test func `values without members are written alone`() throws {
    #expect(try encoded("a\"") == Array(#""a\"""#.utf8))
    #expect(try encoded(1.5) == Array("1.5".utf8))
    #expect(try encoded([Int]()) == Array("[]".utf8))
    #expect(try encoded(Int?.none) == Array("null".utf8))
    #expect(try encoded(NoParameters()) == Array("{}".utf8))
  }

  @Test(arguments: [Double.nan, .infinity, -.infinity])
  func `a number that is not finite is refused`(number: Double) {
    #expect(throws: EncodingError.self) { try encoded([number]) }
    #expect(throws: EncodingError.self) { try encoded(Float(number)) }
    #expect(throws: VarlinkMessageError.self) { try VarlinkParameters(encoding: ["a": number]) }
  }

  @Test func `parameters are an object`() {
    #expect(throws: VarlinkMessageError.self) { try VarlinkParameters(encoding: [1]) }
    #expect(throws: VarlinkMessageError.self) { try VarlinkParameters(encoding: ["text"]) }
    #expect(throws: VarlinkMessageError.self) { try VarlinkParameters(encoding: "{") }
  }

  private func encoded(_ value: some Encodable) throws -> [UInt8] {
    var bytes: [UInt8] = []
    try JSONText.appendSorted(value, to: &bytes)
    return bytes
  }
}
