import StepperInterfaces
import TestSupport
import Testing
import Varlink

/// Hostile texts as every method and every parameter that the daemon has, to the daemon itself.
@Suite(.serialized, .timeLimit(.minutes(10))) struct HostileCallTests {
  private static let size = 60_000
  private static let texts: [HostileText] = [.marksInReverse, .manyMarks, .flags]

  private static let configuration = """
    [device.panel]
    virtual = true
    [control.volume]
    increment = "panel:plus"
    unit = "\u{1f1e6}"
    [control.colour]
    kind = "choice"
    choices = ["red", "gr\u{fc}n"]
    """

  @Test func `no name of a method costs more than its length`() throws {
    let daemon = try RunningDaemon(Self.configuration)
    for head in ["", "org.stepperd.control.", "org.stepperd.control.Get"] {
      try expectProportionalCost(of: "method \(head)", upTo: Self.size, by: { daemon.processorTime }) {
        bytes in
        let reply = try daemon.reply(to: Array("{\"method\":\"\(head)".utf8) + bytes + Array("\"}".utf8))
        #expect(reply?.contains("InvalidParameter") == true)
      }
    }
    #expect(try daemon.stop() == 0)
  }

  @Test func `no parameter costs more than its length`() throws {
    let daemon = try RunningDaemon(Self.configuration)
    for method in ([.service] + InterfaceDescription.stepperd).flatMap(\.limits) {
      for parameter in method.parameters {
        // The others are in order as far as texts go, so that the call gets as far as it can.
        let others = method.parameters.filter { $0.name != parameter.name }.compactMap { other in
          switch other.name {
          case "control": "\"control\":\"\(parameter.name == "text" ? "volume" : "colour")\","
          case "device": "\"device\":\"panel\","
          default: nil
          }
        }
        let head =
          "{\"method\":\"\(method.method)\",\"more\":true,\"parameters\":{\(others.joined())\"\(parameter.name)\":"
        let (open, close): (String, String) = parameter.limit.isList ? ("[\"", "\"]") : ("\"", "\"")
        let (start, end) = (Array((head + open).utf8), Array("\(close)}}".utf8))
        for most in [parameter.limit.mostBytes, Self.size] {
          try expectProportionalCost(
            of: "\(method.method) \(parameter.name)", upTo: most, Self.texts, by: { daemon.processorTime }
          ) { bytes in
            _ = try daemon.reply(to: start + bytes + end)
          }
        }
      }
    }
    #expect(try daemon.stop() == 0)
  }
}

extension ParameterLimit {
  fileprivate var isList: Bool { if case .texts = self { true } else { false } }

  /// Of a text that it accepts.
  fileprivate var mostBytes: Int {
    switch self {
    case .text(let bytes), .texts(_, let bytes): min(bytes, 60_000)
    default: 60
    }
  }
}

extension RunningDaemon {
  fileprivate var processorTime: Duration { TestSupport.processorTime(of: process.processID) }

  /// The first reply to a call on a connection of its own; nil if that is closed instead.
  fileprivate func reply(to call: [UInt8]) throws -> String? {
    let client = try client()
    client.send(call + [0])
    return try client.message()
  }
}
