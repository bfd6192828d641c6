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
  func `what a message writes of itself reads back, also with another library`(
    _ number: Double?, _ text: String?
  ) throws {
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
      try reply.appendJSON(to: &json)
      #expect(try VarlinkParameters(json: json).decode(Reply.self) == reply)
    }
  }

  @Test func `numbers are written as short as they can be, and never as infinity`() throws {
    func text(_ value: Double) throws -> String {
      let parameters = ControlInterface.Set.Parameters(control: "c", value: value)
      return String(decoding: try VarlinkParameters(encoding: parameters).json, as: UTF8.self)
    }
    for (value, number) in [(0.3, "0.3"), (50, "50"), (1e-7, "1e-07"), (-2.5, "-2.5")] {
      #expect(try text(value) == #"{"control":"c","value":\#(number)}"#)
    }
    for value in [Double.nan, .infinity, -.infinity] {
      #expect(throws: VarlinkMessageError.self) { try text(value) }
    }
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
