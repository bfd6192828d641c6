import StepperInterfaces
import TestSupport
import Testing

@testable import Varlink

@Suite struct OutsideTextTests {
  @Test func `it is no longer than its limit`() {
    #expect(OutsideText("abc".utf8, atMost: 3)?.name == "abc")
    #expect(OutsideText("abcd".utf8, atMost: 3) == nil)
  }

  @Test func `it is compared by its bytes`() throws {
    let composed = try #require(OutsideText("\u{e9}".utf8, atMost: 9))
    let decomposed = try #require(OutsideText("e\u{301}".utf8, atMost: 9))
    #expect("\u{e9}" == "e\u{301}")
    #expect(composed != decomposed)
    #expect(Set([composed, decomposed, composed]).count == 2)
  }

  @Test(arguments: [
    ("org.stepperd.control.Get", true), ("!~", true), ("", false), ("a b", false), ("a\n", false),
    ("a\u{7f}", false),
    ("\u{e9}", false),
  ])
  func `a name is of printable ASCII`(_ text: String, _ isName: Bool) {
    #expect(OutsideText(text.utf8, atMost: 255)?.name == (isName ? text : nil))
  }

  @Test func `a text has at most thirty combining characters in a row`() throws {
    let most = "e" + String(repeating: "\u{301}\u{316}", count: 15)
    let (two, more) = (most + most, "a" + most + "\u{301}b")
    #expect(OutsideText(two.utf8, atMost: 255)?.text == two)
    let refused = try #require(OutsideText(more.utf8, atMost: 255))
    #expect(refused.text == nil)
    #expect(refused.shown == "a" + most + "\u{fffd}b")
  }

  @Test func `a text is UTF-8`() throws {
    let bytes = try #require(OutsideText([0x61, 0xff, 0x62], atMost: 3))
    #expect(bytes.text == nil)
    #expect(bytes.shown == "a\u{fffd}b")
  }

  @Test func `no text costs more than in proportion to its length`() throws {
    for size in [16 << 10, 64 << 10] {
      expectProportionalCost(of: "OutsideText", upTo: size) { bytes in
        guard let text = OutsideText(bytes, atMost: size) else { return }
        _ = (
          text.name, text.text, text.shown, text.hashValue, text == OutsideText(bytes + [1], atMost: size + 1)
        )
        // What is a text can be used as one.
        if let text = text.text { _ = (text.hashValue, text == text + "x", text.hasPrefix("e\u{301}")) }
      }
    }
  }
}

/// Every place of a message at which a text can stand.
@Suite struct HostileMessageTests {
  private let service = VarlinkService(
    vendor: "v", product: "p", version: "1", url: "https://example.com",
    interfaces: InterfaceDescription.stepperd)
  private static let size = 60_000

  private func answer(_ call: [UInt8]) -> VarlinkFailure? {
    var connection = VarlinkServerConnection()
    connection.receive(call + [0])
    return connection.nextCall().flatMap { service.answer($0)?.failure }
  }

  @Test(arguments: ["", "org.stepperd.control.", "org."])
  func `no method's name costs more than its length`(_ head: String) {
    expectProportionalCost(of: "method", upTo: Self.size) { bytes in
      let failure = answer(Array("{\"method\":\"\(head)".utf8) + bytes + Array("\"}".utf8))
      #expect(failure == VarlinkFailure(ServiceInterface.InvalidParameter(parameter: "method")))
    }
    // Written with escapes it has a sixth of the characters.
    expectProportionalCost(of: "escaped method", upTo: Self.size) { bytes in
      let escaped = bytes.prefix(bytes.count / 6).map { _ in "\\u0301" }.joined()
      let failure = answer(Array("{\"method\":\"\(head)\(escaped)\\u0316\"}".utf8))
      #expect(failure == VarlinkFailure(ServiceInterface.InvalidParameter(parameter: "method")))
    }
  }

  @Test(
    arguments: ([.service] + InterfaceDescription.stepperd).flatMap(\.limits)
  )
  func `no parameter costs more than its length`(_ method: MethodLimits) {
    for parameter in method.parameters {
      expectProportionalCost(of: "\(method.method) \(parameter.name)", upTo: Self.size) { bytes in
        for (open, close) in [("\"", "\""), ("[\"", "\"]"), ("{\"", "\":1}")] {
          let head = "{\"method\":\"\(method.method)\",\"parameters\":{\"\(parameter.name)\":\(open)"
          let failure = answer(Array(head.utf8) + bytes + Array("\(close)}}".utf8))
          guard case .text(let most) = parameter.limit, most >= Self.size, open == "\"" else {
            #expect(failure?.decode(ServiceInterface.InvalidParameter.self)?.parameter == parameter.name)
            continue
          }
        }
      }
    }
    expectProportionalCost(of: "\(method.method), unknown", upTo: Self.size) { bytes in
      let head = "{\"method\":\"\(method.method)\",\"parameters\":{\""
      let failure = answer(Array(head.utf8) + bytes + Array("\":1}}".utf8))
      #expect(failure?.name == ServiceInterface.InvalidParameter.name)
    }
  }

  @Test func `no member of a message costs more than its length`() {
    for value in ["1", "{}", "null", "\"x\""] {
      expectProportionalCost(of: "member", upTo: Self.size) { bytes in
        for name in [bytes, bytes + [UInt8(ascii: ".")]] {
          let message = Array("{\"method\":\"a.B\",\"".utf8) + name + Array("\":\(value)}".utf8)
          _ = try? VarlinkCall(decoding: message)
          _ = try? VarlinkReply(decoding: Array("{\"".utf8) + name + Array("\":\(value)}".utf8))
        }
      }
    }
  }

  @Test func `no reply costs more than its length`() {
    expectProportionalCost(of: "reply", upTo: Self.size) { bytes in
      let error = Array("{\"error\":\"".utf8) + bytes + Array("\"}".utf8)
      #expect(throws: VarlinkMessageError.self) { try VarlinkReply(decoding: error) }
      for head in ["properties\":{\"", "links\":[\"", "device\":\""] {
        let message = Array("{\"parameters\":{\"\(head)".utf8) + bytes + Array("\"}}".utf8)
        let closed = Array("{\"parameters\":{\"\(head)".utf8) + bytes + Array("\":\"x\"}}}".utf8)
        for message in [message, closed] {
          let reply = try? VarlinkReply(decoding: message)
          _ = try? reply?.decode(DeviceInterface.MonitoredDevice.self)
          _ = try? reply?.decode(Strings.self)
          _ = (reply?.parameters.description, reply?.failure?.description)
        }
      }
    }
  }

  private struct Strings: JSONReadable {
    let properties: [String: String]

    init(json value: JSONValue) throws(JSONMisfit) {
      var members = try JSONMembers(value)
      properties = try members.value("properties")
    }
  }

  @Test func `many names that are alike cost no more than their length`() {
    // Each is of a length at which one costs nothing.
    let name = HostileText.marksInReverse.text(200)
    expectProportionalCost(of: "members", upTo: Self.size) { bytes in
      let members = (0..<bytes.count / 220).map { "\"\(name)\($0)\":\"x\"" }.joined(separator: ",")
      let reply = try? VarlinkReply(decoding: Array("{\"parameters\":{\"properties\":{\(members)}}}".utf8))
      _ = try? reply?.decode(Strings.self)
    }
  }
}
