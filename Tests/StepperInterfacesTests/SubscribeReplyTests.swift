import FoundationEssentials
import StepperInterfaces
import Testing
import Varlink

@Suite struct SubscribeReplyTests {
  private typealias Reply = ControlInterface.Subscribe.Reply

  static let numbers: [Double?] = [
    nil, 0, -0.0, 0.3, 50, -12.75, 1e-7, 1e300, -1e-300, 9_007_199_254_740_992, 9_007_199_254_740_994,
    1.0 / 3,
  ]
  static let texts: [String?] = [
    nil, "", "volume", "\"\\/", "\n\t\r\u{8}\u{c}\u{0}\u{1f}\u{7f}", "Lautstärke 音量 😀 e\u{301}", "\u{2028}",
  ]

  @Test(arguments: numbers, texts)
  func `the fast encoder says what the library says`(_ number: Double?, _ text: String?) throws {
    let state = ControlInterface.State(
      control: text ?? "c", value: number, text: text, limit: .both, origin: .client, live: true, turned: -12,
      presses: 1 << 53, pressed: false, editing: true, canIncrement: false, canDecrement: true, sequence: 0,
      monotonicMicroseconds: .min)
    let description = ControlInterface.Description(
      control: "c", kind: .choice, profile: "gtk/gtk3", title: text,
      titles: text.map { ["de": $0, "en": "x"] }, unit: text, minimum: number, maximum: number, step: number,
      page: number, digits: number.map { _ in 3 },
      format: .init(
        style: .currency, currency: text, significantDigits: number.map { _ in 4 }, grouping: true),
      choices: text.map { [$0, "b"] }, wrap: true,
      writable: false,
      default: number, expressions: text.map { _ in true })
    for reply in [
      Reply(snapshot: true, instance: text ?? "i", sequence: .max, coalesced: -1, states: []),
      Reply(snapshot: false, instance: "i", sequence: 9, coalesced: 10, states: [state]),
      Reply(
        snapshot: true, instance: "i", sequence: 1, coalesced: 0, states: [state, state],
        descriptions: [description, description]),
      Reply(snapshot: true, instance: "i", sequence: 1, coalesced: 0, states: [], descriptions: []),
    ] {
      var json: [UInt8] = []
      reply.appendJSON(to: &json)
      let library = try VarlinkParameters(encoding: reply)
      #expect(try VarlinkParameters(json: json).decode(Reply.self) == reply)
      #expect(try library.decode(Reply.self) == reply)
    }
  }

  @Test func `numbers are written as short as they can be and never as infinity`() {
    func text(_ value: Double) -> String {
      let state = ControlInterface.State(
        control: "c", value: value, limit: .none, origin: .device, live: true, turned: 0, presses: 0,
        pressed: false, editing: false, canIncrement: true, canDecrement: true, sequence: 0,
        monotonicMicroseconds: 0)
      var json: [UInt8] = []
      Reply(snapshot: false, instance: "", sequence: 0, coalesced: 0, states: [state]).appendJSON(to: &json)
      let rest = String(decoding: json, as: UTF8.self).split(separator: "\"value\":").dropFirst().first ?? ""
      return String(rest.prefix { $0 != "," })
    }
    #expect([0.3, 50, 1e-7, -2.5, .nan, .infinity].map(text) == ["0.3", "50", "1e-07", "-2.5", "", ""])
  }

  @Test func `the connection sends it as a reply that continues`() throws {
    let reply = Reply(snapshot: true, instance: "i", sequence: 1, coalesced: 0, states: [])
    var connection = VarlinkServerConnection()
    connection.receive(VarlinkCall("a.Follow", mode: .more).encoded())
    _ = connection.nextCall()
    connection.reply(reply, continues: true)
    let message = try VarlinkReply(decoding: connection.output.dropLast())
    #expect(message.continues)
    #expect(try message.decode(Reply.self) == reply)
  }
}
