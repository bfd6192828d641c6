import StepperInterfaces
import Testing
import Varlink

@Suite struct CallTests {
  @Test(arguments: [
    (#"{"method":"a.B"}"#, VarlinkCall("a.B")),
    (#"{"method":"a.B","parameters":null}"#, VarlinkCall("a.B")),
    (#"{"method":"a.B","parameters":{}}"#, VarlinkCall("a.B")),
    (" {\t\"method\" :\r\n\"a.B\" } ", VarlinkCall("a.B")),
    (#"{"method":"a.B","more":true}"#, VarlinkCall("a.B", mode: .more)),
    (#"{"method":"a.B","oneway":true,"more":false}"#, VarlinkCall("a.B", mode: .oneway)),
    (#"{"method":"a.B","upgrade":true}"#, VarlinkCall("a.B", mode: .upgrade)),
    (#"{"method":"a.B","com.example.trace":{"id":1}}"#, VarlinkCall("a.B")),
    (#"{"m\u0065thod":"a.\u0042"}"#, VarlinkCall("a.B")),
    // No method has such a name.
    (#"{"method":"a.B\ud83d\ude00"}"#, VarlinkCall("")), (#"{"method":"a b"}"#, VarlinkCall("")),
  ])
  func `a valid call is read`(_ text: String, _ call: VarlinkCall) throws {
    #expect(try VarlinkCall(decoding: text.utf8) == call)
  }

  @Test(arguments: [
    "", " ", "nonsense", "[]", "1", "null", "\"a.B\"", "{", #"{"method":"a.B""#, #"{"method":"a.B"}}"#,
    #"{"method":"a.B",}"#, #"{"method":"a.B"} x"#, "{}", #"{"parameters":{}}"#, #"{"method":1}"#,
    #"{"method":null}"#, #"{"method":"a.B","more":1}"#, #"{"method":"a.B","more":null}"#,
    #"{"method":"a.B","oneway":"true"}"#, #"{"method":"a.B","upgrade":[]}"#,
    #"{"method":"a.B","more":true,"oneway":true}"#, #"{"method":"a.B","more":true,"upgrade":true}"#,
    #"{"method":"a.B","parameters":[]}"#, #"{"method":"a.B","parameters":1}"#,
    #"{"method":"a.B","extra":{}}"#,
    #"{"method":"a.B","com.example.trace":1}"#, #"{"method":"a.B","method":"a.C"}"#,
    #"{"method":"a.B","m\u0065thod":"a.C"}"#, #"{"method":"a.B","parameters":{"x":{"y":1,"y":2}}}"#,
    #"{"method":"\ud800"}"#, #"{"method":"\udc00"}"#, #"{"method":"\ud800\u0041"}"#, #"{"method":"\x"}"#,
    #"{"method":"\u00g0"}"#, "{\"method\":\"a\nB\"}", #"{"method":"a.B","parameters":{"x":01}}"#,
    #"{"method":"a.B","parameters":{"x":1.}}"#, #"{"method":"a.B","parameters":{"x":.5}}"#,
    #"{"method":"a.B","parameters":{"x":+1}}"#, #"{"method":"a.B","parameters":{"x":1e}}"#,
    #"{"method":"a.B","parameters":{"x":NaN}}"#, #"{"method":"a.B","parameters":{"x":tru}}"#,
    "\u{feff}{\"method\":\"a.B\"}", #"{'method':'a.B'}"#,
  ])
  func `a call that breaks the protocol is refused`(_ text: String) {
    #expect(throws: VarlinkMessageError.self) { try VarlinkCall(decoding: text.utf8) }
  }

  @Test(
    arguments: [
      [0xff], [0x80], [0xc0, 0x80], [0xc1, 0xbf], [0xe0, 0x9f, 0x80], [0xed, 0xa0, 0x80],
      [0xf0, 0x8f, 0x80, 0x80],
      [0xf4, 0x90, 0x80, 0x80], [0xf5, 0x80, 0x80, 0x80], [0xe2, 0x82], [0xc3],
    ] as [[UInt8]])
  func `a call that is not UTF-8 is refused`(_ bytes: [UInt8]) {
    #expect(String(validating: bytes, as: UTF8.self) == nil)
    let message = Array(#"{"method":"a.B"#.utf8) + bytes + Array(#""}"#.utf8)
    #expect(throws: VarlinkMessageError.self) { try VarlinkCall(decoding: message) }
  }

  @Test(arguments: [("{\"a\":", "}"), ("[", "]")])
  func `objects and arrays nest up to 64 deep`(_ opening: String, _ closing: String) throws {
    func text(_ depth: Int) -> String {
      // The message and its parameters are two.
      #"{"method":"a.B","parameters":{"x":"# + String(repeating: opening, count: depth - 2) + "1"
        + String(repeating: closing, count: depth - 2) + "}}"
    }
    _ = try VarlinkCall(decoding: text(64).utf8)
    #expect(throws: VarlinkMessageError.self) { try VarlinkCall(decoding: text(65).utf8) }
    #expect(throws: VarlinkMessageError.self) { try VarlinkCall(decoding: text(20_000).utf8) }
  }

  @Test func `a call reads back as it was written`() throws {
    for mode in [VarlinkCall.Mode.single, .oneway, .more, .upgrade] {
      let parameters = ControlInterface.Set.Parameters(control: "a\"\\\u{1}ä😀", value: -0.3, ifSequence: 7)
      let call = try VarlinkCall(ControlInterface.Set.self, parameters, mode: mode)
      let bytes = call.encoded()
      #expect(bytes.last == 0)
      let read = try VarlinkCall(decoding: bytes.dropLast())
      #expect(read == call)
      #expect(try read.parameters(of: ControlInterface.Set.self) == parameters)
    }
  }

  @Test func `flags that are false and fields that are nil are left out`() throws {
    let call = try VarlinkCall(ControlInterface.List.self, .init())
    #expect(
      String(decoding: call.encoded(), as: UTF8.self)
        == #"{"method":"org.stepperd.control.List","parameters":{}}"# + "\0")
  }
}
