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

  /// Each byte at each place of the eight that are looked at at once.
  @Test(arguments: UInt8.min...UInt8.max)
  func `a byte in a string means the same wherever it is`(_ byte: UInt8) {
    for before in 0..<18 {
      for behind in 0..<10 {
        let head = [UInt8](repeating: UInt8(ascii: "~"), count: before)
        let tail = [UInt8](repeating: UInt8(ascii: " "), count: behind) + [UInt8(ascii: "\""), byte]
        let found = JSONString.end(in: (head + [byte] + tail).span, from: 0)
        switch byte {
        case UInt8(ascii: "\""): #expect(found?.end == before + 1 && found?.isPlain == true)
        case 0x20...0x7f where byte != UInt8(ascii: "\\"):
          #expect(found?.end == before + behind + 2 && found?.isPlain == true)
        // An escape is one only with a quotation mark behind it, and then the string does not end there.
        default: #expect(found == nil)
        }
      }
    }
  }
}
