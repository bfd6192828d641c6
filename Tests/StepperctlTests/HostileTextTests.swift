import Foundation
import StepperInterfaces
import TestSupport
import Testing
import Varlink

@testable import StepperCommands

/// A daemon in whose every text somebody tries to write to the terminal.
@Suite(.timeLimit(.minutes(10))) struct `What stepperctl prints of others' words` {
  /// A line of its own, orders for the terminal, a reversed direction, and what nobody sees.
  static let hostile =
    "x\r\n<3>forged\u{1b}[2J\u{9b}31m\u{7f}\u{85}\u{2028}forged\u{202e}\u{2066}\u{200b}\u{e0041}\u{7}"

  static func daemon() throws -> AnsweringPeer { try AnsweringPeer { try replies(to: $0) } }

  private static var control: ControlInterface.Control {
    var state = ControlInterface.State.example(hostile, 1)
    state.text = hostile
    return .init(
      description: .init(
        control: hostile, kind: .choice, profile: hostile, title: hostile, titles: ["de": hostile],
        unit: hostile, format: .init(), choices: [hostile, hostile], wrap: false, writable: true),
      state: state)
  }

  private static let device = DeviceInterface.Device(
    device: hostile, name: hostile, node: hostile, virtual: false, state: .open, problem: hostile,
    capabilities: [
      .init(name: hostile, role: .button, controls: [hostile], eventType: hostile, eventCode: hostile)
    ], outputs: [hostile], lights: [hostile], events: 0, overruns: 0, connects: 1)

  private static let problem = ManagerInterface.Problem(
    file: hostile, keyPath: hostile, line: 1, column: 1, severity: .error, message: hostile,
    suggestion: hostile)

  private static func replies(to call: VarlinkCall) throws -> [VarlinkReply] {
    switch call.method {
    case ControlInterface.List.name:
      return try [.of(ControlInterface.List.self, .init(instance: "one", sequence: 1, controls: [control]))]
    case ControlInterface.Get.name:
      return try [.of(ControlInterface.Get.self, .init(state: control.state))]
    case ControlInterface.Set.name:
      return [VarlinkReply(VarlinkFailure(ControlInterface.NoSuchValue(control: hostile, text: hostile)))]
    case ControlInterface.Step.name:
      return [VarlinkReply(VarlinkFailure(name: "org.stepperd.\(hostile)"))]
    case ControlInterface.Reset.name:
      return [VarlinkReply(VarlinkFailure(ControlInterface.NoSuchControl(control: hostile)))]
    case ControlInterface.Describe.name:
      return try [
        .of(
          ControlInterface.Describe.self,
          .init(
            description: control.description, state: control.state,
            accessibility: .init(
              role: .slider, label: hostile, adjustable: true, announcement: .polite, speech: hostile)))
      ]
    case ControlInterface.Subscribe.name:
      var first = ControlInterface.Subscribe.Reply.snapshot([control.state], sequence: 1)
      first.descriptions = [control.description]
      return try [
        .of(ControlInterface.Subscribe.self, first, continues: true),
        VarlinkReply(VarlinkFailure(ServiceInterface.PermissionDenied())),
      ]
    case ControlInterface.SubscribeMoments.name:
      let moment = ControlInterface.MomentEvent.example(
        hostile, .init(rawValue: hostile), device: hostile)
      return try [
        .of(ControlInterface.SubscribeMoments.self, .first, continues: true),
        .of(ControlInterface.SubscribeMoments.self, .init(moments: [moment], dropped: 0), continues: true),
        VarlinkReply(VarlinkFailure(ServiceInterface.PermissionDenied())),
      ]
    case DeviceInterface.List.name:
      return try [.of(DeviceInterface.List.self, .init(devices: [device]))]
    case DeviceInterface.PlayEffect.name:
      return [
        VarlinkReply(
          VarlinkFailure(DeviceInterface.NoSuchOutput(device: hostile, output: hostile, outputs: [hostile])))
      ]
    case ManagerInterface.GetStatus.name:
      return try [
        .of(
          ManagerInterface.GetStatus.self,
          .init(
            version: hostile, instance: hostile, configuration: hostile, uptimeMicroseconds: 1, sequence: 1,
            controls: 1, devices: 1, clients: 1, subscriptions: 1, eventsRead: 1, overruns: 1, repliesSent: 1,
            changesCoalesced: 1, stalls: 1, problems: [hostile]))
      ]
    case ManagerInterface.Reload.name:
      return [VarlinkReply(VarlinkFailure(ManagerInterface.ConfigurationInvalid(problems: [problem])))]
    default: return [VarlinkReply()]
    }
  }

  /// What in `text` does something else than to be shown; line ends are the program's own.
  private func forbidden(in text: String) -> [String] {
    text.unicodeScalars.filter { scalar in
      scalar != "\n"
        && (scalar.value < 0x20 || (0x7f...0x9f).contains(scalar.value)
          || [0x200b, 0x2028, 0x202e, 0x2066, 0xe0041].contains(scalar.value))
    }.map { String($0.value, radix: 16) }
  }

  /// The command, and how many lines it prints at its two outputs together.
  @Test(
    arguments: [
      (["list"], 2), (["list", "--localized"], 2), (["get", "a"], 1), (["get", "a", "b"], 2),
      (["watch"], 2), (["watch", "--once"], 1), (["set", "a", hostile], 1), (["step", "a", "1"], 1),
      (["reset", "a"], 1), (["speak"], 1), (["devices"], 3), (["feedback", "watch"], 2),
      (["feedback", "play", "a", "light"], 1), (["feedback", "test", hostile + "x"], 1), (["status"], 9),
      (["reload"], 2), (["get", hostile], 1), (["check", "/nonexistent/\(hostile)"], 1),
      (["try", "--profile", hostile], 1), (["---completion", "get", "--", "positional@0", "0", "0"], 0),
    ] as [([String], Int)])
  func `is one line each, and moves no terminal`(arguments: [String], lines: Int) async throws {
    let daemon = try Self.daemon()
    let run = try await Program.run(
      arguments, environment: ["STEPPERD_ADDRESS": daemon.path, "LANGUAGE": "de"])
    let all = run.output + run.errors
    #expect(forbidden(in: all) == [])
    let printed = all.split(separator: "\n").filter { !$0.allSatisfy(\.isWhitespace) }
    #expect(printed.count == lines, "\(all)")
    #expect(!printed.contains { $0.hasPrefix("<3>") || $0.hasPrefix("forged") })
  }

  @Test(arguments: [["list"], ["get", "a"], ["devices"], ["status"], ["watch"]])
  func `is the same JSON, and moves no terminal either`(arguments: [String]) async throws {
    let daemon = try Self.daemon()
    let run = try await Program.run(arguments + ["--json", "--address", daemon.path])
    #expect(forbidden(in: run.output) == [])
    let lines = run.output.split(separator: "\n")
    try #require(lines.count == 1, "\(run)")
    let object = try JSONSerialization.jsonObject(with: Data(lines[0].utf8))
    #expect("\(object)".contains("forged"))
    func texts(_ value: Any) -> [String] {
      switch value {
      case let text as String: [text]
      case let list as [Any]: list.flatMap(texts)
      case let object as [String: Any]: object.values.flatMap(texts)
      default: []
      }
    }
    #expect(texts(object).contains(Self.hostile), "it can be read back")
  }

  @Test func `usage errors quote what was typed in lines of their own`() async throws {
    let run = try await Program.run(["list", "--\(Self.hostile)"])
    #expect(run.status == 2 && forbidden(in: run.errors) == [])
  }
}

@Suite struct `Columns of text` {
  @Test(
    arguments: [
      ("volume", 6), ("Lautstärke", 10), ("e\u{301}", 1), ("音量", 4), ("ｱｲ", 2), ("ＡＢ", 4), ("👍🏽", 2),
      ("🇩🇪", 2), ("❤️", 2), ("❤", 1), ("한국", 4), ("שלום", 4), ("\u{301}", 0), ("", 0), ("…", 1),
    ])
  func `are as wide as they are shown`(text: String, width: Int) {
    #expect(text.displayWidth == width)
    #expect(text.padded(to: 12).displayWidth == 12)
  }

  @Test func `are aligned whatever is in them`() {
    var columns = RunningColumns()
    #expect(columns.line(["音量", "1"]) == "音量  1")
    #expect(columns.line(["ab", "2"]) == "ab    2")
    #expect(columns.line(["\u{1b}", "3"]) == #"\x1b  3"#)
  }
}
