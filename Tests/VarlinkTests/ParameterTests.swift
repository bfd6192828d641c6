import StepperInterfaces
import Testing
import Varlink

@Suite struct ParameterTests {
  @Test(
    arguments: [
      (#"{"control":"v","value":1}"#, 1.0), (#"{"control":"v","value":1.5}"#, 1.5),
      (#"{"control":"v","value":1e-7}"#, 1e-7), (#"{"control":"v","value":-0.0}"#, 0),
      (#"{"control":"v","value":null}"#, nil), (#"{"control":"v"}"#, nil),
      (#"{"control":"v","value":100000000000000000000}"#, 1e20),
    ] as [(String, Double?)])
  func `a float may be written as an integer, and be absent or null where it is optional`(
    _ json: String, _ value: Double?
  ) throws {
    #expect(try set(json).value == value)
  }

  @Test(arguments: [
    (#"{}"#, "control"), (#"{"control":null}"#, "control"), (#"{"control":1}"#, "control"),
    (#"{"control":"v","valu":1}"#, "valu"), (#"{"control":"v","extra":null}"#, "extra"),
    (#"{"control":"v","value":"1"}"#, "value"), (#"{"control":"v","value":true}"#, "value"),
    (#"{"control":"v","value":1e999}"#, "value"), (#"{"control":"v","clamp":1}"#, "clamp"),
    (#"{"control":"v","ifSequence":1.5}"#, "ifSequence"),
    (#"{"control":"v","ifSequence":"1"}"#, "ifSequence"),
    (#"{"control":"v","ifSequence":9007199254740993}"#, "ifSequence"),
    (#"{"control":"v","ifSequence":-9007199254740993}"#, "ifSequence"),
    (#"{"control":"v","ifSequence":-9223372036854775808}"#, "ifSequence"),
    (#"{"control":"v","ifSequence":99999999999999999999}"#, "ifSequence"),
    (#"{"control":"v","text":{"a":1}}"#, "text"),
  ])
  func `a parameter that does not fit is named`(_ json: String, _ parameter: String) throws {
    let failure = #expect(throws: VarlinkFailure.self) { try set(json) }
    #expect(failure?.decode(ServiceInterface.InvalidParameter.self)?.parameter == parameter)
  }

  /// Also without the limits of the service.
  @Test(arguments: [
    "1E400", "-1e400", "1e99999999999999999999", "1e-99999999999999999999", "-0", "9223372036854775808",
    "-9223372036854775809", "18446744073709551616", "1" + String(repeating: "0", count: 60_000),
    "0." + String(repeating: "0", count: 60_000) + "1", "1" + String(repeating: "0", count: 300) + "e-300",
    "1.0",
    "1.5", "1e0", "9007199254740993", "1e308", "4.9e-324",
  ])
  func `no number traps the decoder`(_ number: String) throws {
    for field in ["value", "ifSequence"] {
      do {
        let parameters = try set(#"{"control":"v","\#(field)":\#(number)}"#)
        #expect(parameters.value?.isFinite ?? true)
        #expect((parameters.ifSequence?.magnitude ?? 0) <= 1 << 53)
      } catch let failure as VarlinkFailure {
        #expect(failure.decode(ServiceInterface.InvalidParameter.self)?.parameter == field)
      }
    }
  }

  @Test func `an integer may be as large as a double counts`() throws {
    #expect(try set(#"{"control":"v","ifSequence":9007199254740992}"#).ifSequence == 1 << 53)
    #expect(try set(#"{"control":"v","ifSequence":-9007199254740992}"#).ifSequence == -1 << 53)
  }

  @Test func `parameters of a method without any are refused`() throws {
    let call = VarlinkCall(DeviceInterface.List.name, parameters: try .init(json: #"{"x":1}"#.utf8))
    let failure = #expect(throws: VarlinkFailure.self) { try call.parameters(of: DeviceInterface.List.self) }
    #expect(failure?.decode(ServiceInterface.InvalidParameter.self)?.parameter == "x")
  }

  @Test func `lists and enumerations are checked`() throws {
    func call(_ method: String, _ json: String) throws -> VarlinkCall {
      VarlinkCall(method, parameters: try .init(json: json.utf8), mode: .more)
    }
    let match = try call("S", #"{"match":["a*",1]}"#)
    let first = #expect(throws: VarlinkFailure.self) {
      try match.parameters(of: ControlInterface.Subscribe.self)
    }
    #expect(first?.decode(ServiceInterface.InvalidParameter.self)?.parameter == "match")
    let unit = try call("S", #"{"control":"v","steps":1,"unit":"mile"}"#)
    let second = #expect(throws: VarlinkFailure.self) { try unit.parameters(of: ControlInterface.Step.self) }
    #expect(second?.decode(ServiceInterface.InvalidParameter.self)?.parameter == "unit")
  }

  @Test func `objects and lists in a parameter are as strict`() throws {
    func failing(_ json: String) throws -> String? {
      let call = VarlinkCall(Arrange.name, parameters: try VarlinkParameters(json: json.utf8))
      let failure = #expect(throws: VarlinkFailure.self) { try call.parameters(of: Arrange.self) }
      return failure?.decode(ServiceInterface.InvalidParameter.self)?.parameter
    }
    let json = #" { "places" : [ {"x":1,"name":"a"}, {"x":-2.0} ], "counts" : { "a\u0062" : 3 } } "#
    let call = VarlinkCall(Arrange.name, parameters: try VarlinkParameters(json: json.utf8))
    let parameters = try call.parameters(of: Arrange.self)
    #expect(parameters.places.map(\.x) == [1, -2] && parameters.places.map(\.name) == ["a", nil])
    #expect(parameters.counts == ["ab": 3])
    #expect(try failing(#"{"places":[{"x":1,"y":2}]}"#) == "places")
    #expect(try failing(#"{"places":[{}]}"#) == "places")
    #expect(try failing(#"{"places":[null]}"#) == "places")
    #expect(try failing(#"{"places":[],"counts":{"a":"b"}}"#) == "counts")
  }

  /// Both are "é" to Swift, and there are so many that they are looked up.
  @Test func `names of other bytes that are the same text`() throws {
    let many = (0..<20).map { "\"n\($0)\":\($0)" }.joined(separator: ",")
    let json = "{\"places\":[],\"counts\":{\(many),\"\u{e9}\":1,\"e\u{301}\":2}}"
    let call = VarlinkCall(Arrange.name, parameters: try VarlinkParameters(json: json.utf8))
    #expect(try call.parameters(of: Arrange.self).counts?["n19"] == 19)
  }

  @Test func `a method that answers with a stream must be called with more`() {
    let call = VarlinkCall(ControlInterface.Subscribe.name)
    let failure = #expect(throws: VarlinkFailure.self) {
      try call.parameters(of: ControlInterface.Subscribe.self)
    }
    #expect(failure?.name == "org.varlink.service.ExpectedMore")
  }

  @Test func `a number that is not finite cannot be sent`() {
    #expect(throws: VarlinkMessageError.self) {
      try VarlinkCall(ControlInterface.Set.self, .init(control: "v", value: .nan))
    }
  }

  private func set(_ json: String) throws -> ControlInterface.Set.Parameters {
    let call = VarlinkCall(ControlInterface.Set.name, parameters: try VarlinkParameters(json: json.utf8))
    return try call.parameters(of: ControlInterface.Set.self)
  }
}

/// Of an interface of somebody else.
private enum Arrange: VarlinkMethod {
  static let name = "org.example.Arrange"
  struct Parameters: JSONReadable, JSONWritable, Hashable, Sendable {
    var places: [Place]
    var counts: [String: Int]?

    init(json value: JSONValue) throws(JSONMisfit) {
      var members = try JSONMembers(value)
      places = try members.value("places")
      counts = try members.optional("counts")
      try members.end()
    }

    func appendJSON(to buffer: inout [UInt8]) throws(VarlinkMessageError) {
      try (["places": places, "counts": counts] as JSONObject).appendJSON(to: &buffer)
    }
  }
  struct Place: JSONReadable, JSONWritable, Hashable, Sendable {
    var x: Int
    var name: String?

    init(json value: JSONValue) throws(JSONMisfit) {
      var members = try JSONMembers(value)
      x = try members.value("x")
      name = try members.optional("name")
      try members.end()
    }

    func appendJSON(to buffer: inout [UInt8]) throws(VarlinkMessageError) {
      try (["x": x, "name": name] as JSONObject).appendJSON(to: &buffer)
    }
  }
  typealias Reply = NoParameters
}
