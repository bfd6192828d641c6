import FoundationEssentials
import StepperInterfaces
import TestSupport
import Testing

/// Calls of 64 KiB that are as much work as a call can be. What each takes in a release build is far below 50 ms; the
/// bound here is for a debugging build on a busy machine, and below what work that is not linear took.
@Suite(.timeLimit(.minutes(10)))
struct SlowCallTests {
  private static let most = 65_536

  /// A call whose parameters are `beginning`, as many of `unit` as fit with `separator` between, and `end`.
  private static func call(
    _ method: String, _ beginning: String, _ unit: String, _ end: String, separator: String = "",
    more: Bool = false
  ) -> (name: String, message: String) {
    let head = "{\"method\":\"org.stepperd.\(method)\",\"parameters\":\(beginning)"
    let tail = "\(end)\(more ? ",\"more\":true" : "")}"
    let room = most - head.utf8.count - tail.utf8.count
    let count = (room + separator.utf8.count) / (unit.utf8.count + separator.utf8.count)
    let message = head + Array(repeating: unit, count: count).joined(separator: separator) + tail
    return ("\(method) \(beginning)\(unit)…", message)
  }

  static let calls: [(name: String, message: String)] =
    [
      call("control.Describe", #"{"control":"volume","language":""#, "a-", #""}"#),
      call("control.Describe", #"{"control":"volume","language":""#, "-", #""}"#),
      call("control.List", #"{"match":""#, "*a", #""}"#),
      call("control.Get", #"{"control":""#, "\\u0001", #""}"#),
      call("control.Set", #"{"control":"volume","text":""#, "-", #""}"#),
      call("control.Set", #"{"control":"volume","value":"#, "9", "}"),
      call("control.Set", #"{"control":"volume","value":0."#, "0", "1}"),
      call("control.Set", #"{"control":"volume","value":["#, #"{"a":0}"#, "]}", separator: ","),
      call("control.Adjust", #"{"control":"volume","maximum":1e"#, "9", "}"),
      call("control.Subscribe", #"{"match":["#, #""""#, "]}", separator: ",", more: true),
      call("control.Subscribe", #"{"match":["#, #""a*""#, "]}", separator: ",", more: true),
      call("control.SubscribeMoments", #"{"match":["#, #""a*""#, "]}", separator: ",", more: true),
      call("device.Move", #"{"device":"panel","input":"fader","position":0."#, "9", "}"),
      call("device.Press", #"{"device":"panel","input":""#, "\\u0001", #""}"#),
      call("device.SetLight", #"{"device":"panel","brightness":1,"light":""#, "x", #""}"#),
      call("manager.Check", #"{"text":"","file":""#, "f", #""}"#),
      call("nothing.Nothing", #"{"a":["#, #"{"":0}"#, "]}", separator: ","),
    ] + ["control.List", "device.List", "manager.Save"].map(unknown)

  private static func unknown(_ method: String) -> (name: String, message: String) {
    let members = (0..<5_900).map { "\"k\(10_000 + $0)\":0" }.joined(separator: ",")
    return (
      "\(method) of 5,900 parameters", "{\"method\":\"org.stepperd.\(method)\",\"parameters\":{\(members)}}"
    )
  }

  @Test func `no call of 64 KiB keeps another client waiting`() throws {
    let names = (0..<240).map { String(repeating: "a", count: 60) + "\(1_000 + $0)" }
    let daemon = try RunningDaemon(
      """
      [device.panel]
      virtual = true
      [control.volume]
      expressions = "conventional"
      title.en = "Volume"
      title.de-a = "Lautstärke"

      """ + names.map { "[control.\($0)]\n" }.joined())
    let other = try daemon.client()
    for (name, message) in Self.calls {
      #expect(message.utf8.count <= Self.most)
      let client = try daemon.client()
      let start = ContinuousClock.now
      client.send(message)
      _ = try other.state()
      try #require(try client.message() != nil, "\(name)")
      #expect(ContinuousClock.now - start < .seconds(10), "\(name)")
    }
  }

  /// Worst patterns that a call may have, on as many controls as there are.
  @Test func `patterns are matched once, and not again with every change of a range`() throws {
    let names = (0..<240).map { String(repeating: "a", count: 60) + "\(1_000 + $0)" }
    let daemon = try RunningDaemon("[control.volume]\n" + names.map { "[control.\($0)]\n" }.joined())
    let patterns = (0..<64).map { "*" + String(repeating: "a*", count: 60) + "b\($0)" }
    let followers = try (0..<24).map { _ in try daemon.client() }
    for follower in followers {
      try follower.subscribe(patterns + ["volume"].prefix(0))
      #expect(try follower.next().states.isEmpty)
    }
    let client = try daemon.client()
    let start = ContinuousClock.now
    for maximum in 1...10 {
      try client.call(ControlInterface.Adjust.self, .init(control: "volume", maximum: Double(maximum)))
    }
    #expect(ContinuousClock.now - start < .seconds(15))
    for follower in followers { #expect(try follower.next().snapshot) }
  }
}
