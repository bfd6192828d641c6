import Testing
import Varlink

/// Decoding as a client does; ParameterTests has a service's.
@Suite struct DecodingTests {
  private struct Message: JSONReadable, Equatable {
    var count: Int64?
    var number: Double?
    var flags: [String: Bool]?
    var places: [Place?]?

    init(count: Int64? = nil, flags: [String: Bool]? = nil, places: [Place?]? = nil) {
      (self.count, self.flags, self.places) = (count, flags, places)
    }

    init(json value: JSONValue) throws(JSONMisfit) {
      var members = try JSONMembers(value)
      count = try members.optional("count")
      number = try members.optional("number")
      flags = try members.optional("flags")
      places = try members.optional("places")
      try members.end()
    }
  }
  private struct Place: JSONReadable, Equatable {
    var x: Int64

    init(x: Int64) { self.x = x }

    init(json value: JSONValue) throws(JSONMisfit) {
      var members = try JSONMembers(value)
      x = try members.value("x")
    }
  }

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

  @Test(arguments: [
    #"{"count":1.5}"#, #"{"count":9223372036854775808}"#, #"{"count":"1"}"#, #"{"count":1e400}"#,
    #"{"number":1e400}"#, #"{"number":true}"#, #"{"flags":[]}"#, #"{"flags":{"a":1}}"#,
    #"{"places":{}}"#, #"{"places":[1]}"#, #"{"places":[{}]}"#, #"{"places":[{"x":9223372036854775808}]}"#,
  ])
  func `what does not fit is refused`(json: String) {
    #expect(throws: VarlinkMessageError.self) { try decode(json) }
  }

  private func decode(_ json: String) throws -> Message {
    try VarlinkParameters(json: json.utf8).decode(Message.self)
  }
}
