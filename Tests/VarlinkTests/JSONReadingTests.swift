import Testing

@testable import Varlink

/// Values are read from what the scanner found, without a copy.
@Suite struct JSONReadingTests {
  @Test(arguments: ["0", "-0", "7", "-7", "999999999999999", "1000000000000000", "-12.5", "1e3", "0.1"])
  func `short numbers are what they are with all digits`(_ text: String) {
    let bytes = Array(text.utf8)[...]
    #expect(JSONNumber.double(bytes) == Double(text))
    #expect(JSONNumber.double(bytes)?.sign == Double(text)?.sign)
    #expect(JSONNumber.integer(bytes, as: Int64.self) == Double(text).flatMap { Int64(exactly: $0) })
    #expect(JSONNumber.integer(bytes, as: UInt8.self) == Double(text).flatMap { UInt8(exactly: $0) })
  }
}
