import StepperCore
import StepperInterfaces
import Varlink

@testable import StepperBridge
@testable import StepperClient
@testable import StepperCommands

extension FuzzTarget {
  /// How the programs beside the daemon take the replies of a hostile one, after they were read: what people are
  /// shown, what waits for a slow reader, and what a link or the bridge to MQTT makes of them.
  ///
  /// The first byte names the reader; the rest are the decisions of ``RandomReplies``.
  static let replies = FuzzTarget("replies", upTo: 4_096, within: .milliseconds(500)) { input in
    var source = ByteSource(input)
    let reader = source.index(below: 6)
    var replies = RandomReplies(source)
    switch reader {
    case 0: try monitor(&replies)
    case 1: try controls(&replies)
    case 2: try follow(&replies)
    case 3: try moments(&replies)
    case 4: try manager(&replies)
    default: try errors(&replies)
    }
  }

  /// At most so many replies; where the decisions end there are no more.
  private static func each<M: VarlinkMethod>(
    _ method: M.Type, of replies: inout RandomReplies, _ body: (M.Reply) throws -> Void
  ) rethrows {
    for _ in 0..<8 where !replies.source.isEmpty {
      let parameters = replies.parameters(of: M.name)
      // What a client does not understand ends its connection.
      guard let reply = try? parameters.decode(M.Reply.self) else { continue }
      try body(reply)
    }
  }

  // MARK: stepperctl

  private static func monitor(_ replies: inout RandomReplies) throws {
    let flags = replies.source.byte()
    var view = MonitorView(isRaw: flags & 1 != 0, isJSON: false, includesKeyboards: flags & 2 != 0)
    var session = RecordingSession(keyboards: flags & 4 != 0)
    var pending = PendingFrames()
    each(DeviceInterface.Monitor.self, of: &replies) { reply in
      pending.add(reply)
      _ = view.lines(of: reply)
      _ = session.lines(of: reply, at: .milliseconds(1_000))
    }
    _ = session.end(at: .milliseconds(2_000))
    if let all = pending.take() {
      try require(all.frames.count <= PendingFrames.limit + 8, "\(all.frames.count) frames wait")
      _ = view.lines(of: all)
    }
  }

  private static let values: [ValueText] = [.plain]

  private static func controls(_ replies: inout RandomReplies) throws {
    var bars = Bars()
    let size = TerminalSize(columns: Int(replies.source.byte()), rows: 1 + replies.source.index(below: 20))
    let style = TerminalStyle(isUnicode: replies.source.flag(), hasColour: false)
    let keys: [TerminalKey] = (0..<4).map { _ in
      [.up, .down, .character(" "), .character("m"), .character("0"), .character("h")][
        replies.source.index(below: 6)]
    }
    try each(ControlInterface.List.self, of: &replies) { reply in
      let descriptions = ControlText.descriptions(of: reply.controls)
      bars.describe(descriptions)
      for control in reply.controls {
        bars.update(control.state)
        _ = ControlText.notes(control.state, control.description)
        _ = ControlText.range(control.description)
        _ = ValueText.plain.value(control.state, control.description)
        let terms = control.description.bridgeTerms
        if let terms {
          _ = BridgeConversion(.same, from: terms, to: terms)
          _ = BridgeConversion(.spread, from: BridgeTerms(range: 0...1), to: terms)
          _ = BridgeConversion(.spread, from: terms, to: BridgeTerms(range: 0...1))
        }
      }
      for key in keys { _ = bars.press(key) }
      let lines = BarsScreen(bars: bars, size: size, style: style).lines
      try require(lines.count <= size.rows, "\(lines.count) lines on a terminal of \(size.rows)")
    }
  }

  private static func follow(_ replies: inout RandomReplies) throws {
    var pending = PendingStates()
    var bridge = Bridge()
    let start = SuspendingClock.now
    var turn = 0
    try each(ControlInterface.Subscribe.self, of: &replies) { reply in
      pending.add(reply)
      turn += 1
      for state in reply.states {
        let time = start.advanced(by: .milliseconds(turn))
        if let terms = reply.descriptions?.first?.bridgeTerms {
          _ = bridge.advance(to: time, applying: .connected(.control, terms))
          _ = bridge.advance(to: time, applying: .connected(.outside, BridgeTerms(range: 0...1)))
        }
        _ = bridge.advance(to: time, applying: .value(.control, state.value))
        let effects = bridge.advance(to: time, applying: .value(.outside, 0.5))
        for case .write(_, let value) in effects { try require(!value.isNaN, "no number is written") }
      }
    }
    try require(pending.count <= PendingStates.limit, "\(pending.count) states wait")
    while pending.take() != nil {}
  }

  private static func moments(_ replies: inout RandomReplies) throws {
    var pending = PendingMoments()
    each(ControlInterface.SubscribeMoments.self, of: &replies) { pending.add($0) }
    var count = 0
    while pending.take() != nil { count += 1 }
    try require(count <= PendingMoments.limit, "\(count) moments wait")
    _ = pending.drops.value
  }

  private static func manager(_ replies: inout RandomReplies) throws {
    each(ManagerInterface.GetStatus.self, of: &replies) { status in
      _ = PrometheusText.of(status, status.metrics ?? [])
      _ = StatusCommand.time(status.uptimeMicroseconds)
    }
    each(ManagerInterface.Check.self, of: &replies) { reply in
      for problem in reply.problems { _ = problem.text }
    }
  }

  private static func errors(_ replies: inout RandomReplies) throws {
    for _ in 0..<8 where !replies.source.isEmpty {
      let method = replies.source.element(of: Method.all)
      guard let failure = replies.reply(to: method?.name ?? "").failure else { continue }
      let error = StepperClientError(failure)
      try require(!error.message.isEmpty, "an error without words: \(failure)")
    }
  }
}
