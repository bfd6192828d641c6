import Testing
import Varlink

/// Decoding as a client does; ParameterTests has a service's.
@Suite struct DecodingTests {
  private struct Message: Codable, Equatable {
    var count: Int64?
    var small: UInt8?
    var large: UInt64?
    var number: Double?
    var flags: [String: Bool]?
    var places: [Place?]?
  }
  private struct Place: Codable, Equatable { var x: Int32 }

  @Test func `members that the type does not have are ignored at every depth`() throws {
    let json = #"{"new":{"a":[1]},"count":1,"places":[{"x":1,"y":2},null],"flags":{"a":true}}"#
    let message = Message(count: 1, flags: ["a": true], places: [Place(x: 1), nil])
    #expect(try decode(json) == message)
  }

  @Test(arguments: [
    ("9223372036854775807", Int64.max), ("-9223372036854775808", .min),
    ("9007199254740993", 9_007_199_254_740_993),
    ("1.0", 1), ("1e3", 1000), ("-0", 0),
  ])
  func `an integer may be as large as its type holds`(literal: String, value: Int64) throws {
    #expect(try decode(#"{"count":\#(literal)}"#).count == value)
  }

  @Test func `an unsigned integer may use all of its bits`() throws {
    #expect(try decode(#"{"large":18446744073709551615,"small":255}"#) == Message(small: 255, large: .max))
  }

  @Test(arguments: [
    #"{"count":1.5}"#, #"{"count":9223372036854775808}"#, #"{"count":"1"}"#, #"{"count":1e400}"#,
    #"{"small":256}"#,
    #"{"small":-1}"#, #"{"number":1e400}"#, #"{"number":true}"#, #"{"flags":[]}"#, #"{"flags":{"a":1}}"#,
    #"{"places":{}}"#, #"{"places":[1]}"#, #"{"places":[{}]}"#, #"{"places":[{"x":2147483648}]}"#,
  ])
  func `what does not fit is refused`(json: String) {
    #expect(throws: VarlinkMessageError.self) { try decode(json) }
  }

  private func decode(_ json: String) throws -> Message {
    try VarlinkParameters(json: json.utf8).decode(Message.self)
  }
}
