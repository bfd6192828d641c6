import StepperInterfaces
import Testing

@testable import Varlink

/// Types that read themselves accept what their `Decodable` accepts, with the same values, and refuse the rest.
@Suite struct JSONReadingTests {
  private func compare<Method: VarlinkMethod>(_ method: Method.Type, _ json: String) throws
  where Method.Parameters: JSONReadable {
    let parameters = try VarlinkParameters(json: json.utf8)
    for rules in [JSONValue.Rules.strict, .lenient] {
      // Whether they read it is the question.
      let read = try? Method.Parameters(json: parameters.value(rules))
      let decoded = try? Method.Parameters(from: JSONDecoding(parameters.value(rules)))
      #expect(read == decoded, "\(json) as \(Method.name), \(rules)")
    }
  }

  @Test(arguments: [
    "{}", #"{"control":"a"}"#, #"{"control":1}"#, #"{"control":null}"#, #"{"control":"a","control2":"b"}"#,
    #"{"contr\u006fl":"a"}"#, #"{"control":"\u00e9\ud83d\ude00"}"#, #"{"control":"a","value":0.5}"#,
    #"{ "value" : -0 , "control" : "a" }"#, #"{"control":"a","value":1e2,"clamp":true}"#,
    #"{"control":"a","value":1e999}"#, #"{"control":"a","value":"1"}"#, #"{"control":"a","clamp":"true"}"#,
    #"{"control":"a","ifSequence":9007199254740992}"#, #"{"control":"a","ifSequence":9007199254740993}"#,
    #"{"control":"a","ifSequence":-9223372036854775808}"#, #"{"control":"a","ifSequence":1.0}"#,
    #"{"control":"a","ifSequence":1.5}"#, #"{"control":"a","ifSequence":123456789012345}"#,
    #"{"control":"a","ifSequence":1234567890123456}"#, #"{"control":"a","value":-123456789012345.25}"#,
    #"{"control":"a","x":{"control":"b"}}"#, #"{"control":["a"]}"#, #"{"control":{}}"#,
    #"{"control":"a","steps":3,"unit":"page"}"#, #"{"control":"a","steps":3,"unit":"mile"}"#,
    #"{"control":"a","steps":3,"unit":null}"#, #"{"match":["a","b"],"descriptions":true}"#, #"{"match":[]}"#,
    #"{"match":["a",1]}"#, #"{"match":"a"}"#, #"{"match":["\"]"],"minimumIntervalMilliseconds":0}"#,
    #"{"device":"panel","input":"dial","detents":-1}"#, #"{"device":"panel","input":"dial","detents":true}"#,
  ])
  func `what reads itself agrees with what is decoded`(_ json: String) throws {
    try compare(ControlInterface.Get.self, json)
    try compare(ControlInterface.Set.self, json)
    try compare(ControlInterface.Step.self, json)
    try compare(ControlInterface.Subscribe.self, json)
    try compare(DeviceInterface.Turn.self, json)
    try compare(ServiceInterface.GetInfo.self, json)
  }

  @Test(arguments: ["0", "-0", "7", "-7", "999999999999999", "1000000000000000", "-12.5", "1e3", "0.1"])
  func `short numbers are what they are with all digits`(_ text: String) {
    let bytes = Array(text.utf8)[...]
    #expect(JSONNumber.double(bytes) == Double(text))
    #expect(JSONNumber.double(bytes)?.sign == Double(text)?.sign)
    #expect(JSONNumber.integer(bytes, as: Int64.self) == Double(text).flatMap { Int64(exactly: $0) })
    #expect(JSONNumber.integer(bytes, as: UInt8.self) == Double(text).flatMap { UInt8(exactly: $0) })
  }
}
