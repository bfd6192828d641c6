import StepperInterfaces
import Testing

@testable import Varlink

/// A connection reads calls where they lie, in memory that it uses again.
@Suite struct CallReadingTests {
  @Test func `a call that is kept stays as it was while others arrive`() {
    var connection = VarlinkServerConnection()
    var kept: [VarlinkCall] = []
    for number in 0..<20 {
      let text = #"{"method":"a.B","parameters":{"x":\#(number),"y":"\#(number)"}}"#
      connection.receive(Array(text.utf8) + [0] + Array(#"{"meth"#.utf8))
      kept += [connection.nextCall()].compactMap(\.self)
      connection.reply(NoParameters())
      connection.receive(Array(#"od":"a.C","parameters":{}}"#.utf8) + [0])
      #expect(connection.nextCall()?.method == "a.C")
      connection.reply(NoParameters())
    }
    #expect(kept.map(\.description) == (0..<20).map { #"a.B {"x":\#($0),"y":"\#($0)"}"# })
  }

  @Test(arguments: [
    [#""a.B""#, #""a.B""#, #""a.\u0042""#, #""a.B""#], [#""a\\b""#, #""a\b""#, #""a\\b""#],
    [#""ä""#, #""\u00e4""#, #""a\u0308""#], [#""a.Bc""#, #""a.B""#, #""""#, #""a.Bd""#],
  ])
  func `the name of a method does not depend on the call before it`(_ names: [String]) throws {
    var connection = VarlinkServerConnection()
    for name in names {
      let message = Array(#"{"method":\#(name)}"#.utf8)
      let alone = try VarlinkCall(decoding: message)
      connection.receive(message + [0])
      let next = connection.nextCall()
      let call = try #require(next)
      #expect(Array(call.method.utf8) == Array(alone.method.utf8))
      connection.reply(NoParameters())
    }
  }

  @Test func `where a message is wrong is counted from its beginning`() {
    var connection = VarlinkServerConnection()
    connection.receive(VarlinkCall("a.B").encoded() + Array(#"{"method":x}"#.utf8) + [0])
    _ = connection.nextCall()
    connection.reply(NoParameters())
    #expect(connection.nextCall() == nil)
    #expect(connection.violation?.reason == "invalid JSON at byte 10: a value was expected")
  }
}

extension VarlinkCall {
  fileprivate var description: String { "\(method) \(parameters)" }
}
