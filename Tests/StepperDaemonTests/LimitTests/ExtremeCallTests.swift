import StepperInterfaces
import TestSupport
import Testing
import Varlink

/// Every method of every interface with every number that a client can write, against the real daemon.
@Suite(.timeLimit(.minutes(20)))
struct ExtremeCallTests {
  /// One of each kind, and those whose arithmetic differs.
  private static let configuration = """
    [device.panel]
    virtual = true
    [control.plain]
    rotate = "panel:dial"
    absolute = "panel:fader"
    increment = "panel:plus"
    [control.fine]
    precision = 9
    digits = 9
    minimum = -999999999
    maximum = 999999999
    step = 0.000000001
    [control.unbounded]
    profile = "winui"
    wraps = false
    [control.round]
    profile = "appkit"
    wraps = true
    [control.spin]
    profile = "gtk"
    wraps = true
    climb-rate = 1
    snap-to-ticks = true
    [control.vertical]
    profile = "rpvertical"
    [control.slide]
    profile = "slider"
    [control.source]
    kind = "choice"
    choices = ["a", "b", "c"]
    [control.mute]
    kind = "toggle"
    push = "panel:push"
    [control.bell]
    kind = "button"
    push = "panel:minus"
    """
  private static let controls = [
    "plain", "fine", "unbounded", "round", "spin", "vertical", "slide", "source", "mute", "bell",
  ]

  /// Numbers as JSON: ends of types and of what a double counts, the smallest and the largest, and none at all.
  private static let numbers = [
    "0", "-0", "1", "-1", "0.5", "-0.0", "1e0", "9007199254740992", "-9007199254740992", "9007199254740993",
    "-9007199254740993", "2147483647", "2147483648", "-2147483648", "-2147483649", "9223372036854775807",
    "9223372036854775808", "-9223372036854775808", "18446744073709551615", "10000000000000", "9.2e18",
    "-9.2e18",
    "1e18", "-1e18", "1e17", "-999999999999999999", "4.9e-324", "1e-9", "0.0000000005", "1e308", "-1e308",
    "1.7976931348623157e308", "1e309", "-1e400", "1e99999", "123456789012345678901234567890", "null",
  ]

  /// What a parameter is where it is not the one that is tried.
  private static func usual(_ parameter: String, of method: String, _ control: String) -> String? {
    switch parameter {
    case "control": "\"\(control)\""
    case "device": "\"panel\""
    case "input": method.hasSuffix("Turn") ? "\"dial\"" : method.hasSuffix("Move") ? "\"fader\"" : "\"plus\""
    case "steps", "detents": "1"
    case "position", "brightness": "0.5"
    case "light": "\"LED_MUTE\""
    case "identity": #"{"provider":"x","name":"x"}"#
    case "keys": #"["BTN_0"]"#
    case "handle": "\"x\""
    default: nil
    }
  }

  /// The parameters with `tried` in place of the usual ones.
  private static func json(_ limits: MethodLimits, _ control: String, _ tried: [String: String]) -> String {
    let members = limits.parameters.compactMap { parameter in
      (tried[parameter.name] ?? usual(parameter.name, of: limits.method, control)).map {
        "\"\(parameter.name)\":\($0)"
      }
    }
    return "{\(members.joined(separator: ","))}"
  }

  private static func isNumber(_ parameter: MethodLimits.Parameter) -> Bool {
    switch parameter.limit {
    case .integer, .number: true
    case .text, .texts, .boolean, .object, .objects: false
    }
  }

  private static let methods = [InterfaceDescription.control, .device, .provider, .manager].flatMap(\.limits)

  @Test(arguments: methods.filter { $0.parameters.contains(where: isNumber) }.map(\.method))
  func `no number of a call does harm`(_ method: String) throws {
    let limits = try #require(Self.methods.first { $0.method == method })
    let daemon = try RunningDaemon(Self.configuration)
    let other = try daemon.client()
    let controls = limits.parameters.contains { $0.name == "control" } ? Self.controls : ["plain"]
    let mode = method.contains("Subscribe") ? ",\"more\":true" : ""
    for control in controls {
      for tried in Self.cases(limits.parameters.filter(Self.isNumber).map(\.name)) {
        let client = try daemon.client()
        let call = "{\"method\":\"\(method)\",\"parameters\":\(Self.json(limits, control, tried))\(mode)}"
        client.send(call)
        // Several things only go wrong with the next change; a button is not to be set.
        for value in [40.0, 60] {
          let answer = try other.failure(
            ControlInterface.Set.self, .init(control: control, value: value, clamp: true))
          #expect(answer == nil || control == "bell", "after \(call)")
        }
        try #require(try client.message() != nil, "\(call)")
      }
    }
    #expect(try other.call(ControlInterface.List.self, .init()).controls.count == Self.controls.count)
    #expect(try daemon.stop() == 0, "\(daemon.process.output.suffix(400))")
  }

  /// Each number for each parameter alone, and for all at once; every pair of ends.
  private static func cases(_ names: [String]) -> [[String: String]] {
    let alone = names.flatMap { name in numbers.map { [name: $0] } }
    guard names.count > 1 else { return alone }
    let together = numbers.map { number in Dictionary(uniqueKeysWithValues: names.map { ($0, number) }) }
    let ends = ["-1e17", "1e17", "-9.2e18", "9.2e18", "0", "1e-9"]
    let pairs = ends.flatMap { first in ends.map { second in [names[0]: first, names[1]: second] } }
    return alone + together + pairs
  }

  // MARK: Texts

  /// Texts as JSON: those that are no text, that end others, that look like paths and formats, and the longest.
  private static let texts: [String] =
    [
      "", " ", "\\u0000", "\\u001b[2J", "\\r\\n", "\\ud83d\\ude00", "%s%n", "../../etc/passwd", "\\\\",
      "\\\"", "*", "?", "[a-z]",
      "nan", "inf", "-inf", "1e400", "0x1p99999", "0x", "1e", "--1", "1/0", "0^-1", "(-8)^(1/3)", "9^9^9",
      "2^-1074",
      "\u{665}\u{665}", "\u{202e}", "\u{feff}1", "e\u{301}", "volume", "plain", "panel", "a", "on",
      "de-AT-1996", "null",
    ]
    + ["x", "*", "?", "*a", "9", "-", "(", "\\u0001", "e\u{301}", "a-", " "].flatMap { unit in
      [64, 255, 1024].map { length in
        let size = unit.hasPrefix("\\") ? 1 : unit.utf8.count
        return String(repeating: unit, count: length / size)
      }
    }

  @Test(arguments: methods.filter { $0.parameters.contains(where: isText) }.map(\.method))
  func `no text of a call does harm`(_ method: String) throws {
    let limits = try #require(Self.methods.first { $0.method == method })
    let daemon = try RunningDaemon(Self.configuration)
    let other = try daemon.client()
    let mode = method.contains("Subscribe") ? ",\"more\":true" : ""
    let controls = method.hasSuffix(".Set") ? Self.controls : ["plain"]
    for control in controls {
      for parameter in limits.parameters.filter(Self.isText) {
        for text in Self.texts {
          let json = if case .texts = parameter.limit { "[\"\(text)\",\"\(text)\"]" } else { "\"\(text)\"" }
          let client = try daemon.client()
          let call =
            "{\"method\":\"\(method)\",\"parameters\":\(Self.json(limits, control, [parameter.name: json]))\(mode)}"
          client.send(call)
          let message = try #require(try client.message(), "\(call)")
          #expect(message.utf8.count < 100_000)
          try other.call(ControlInterface.Step.self, .init(control: "plain", steps: 1))
        }
      }
    }
    #expect(try daemon.stop() == 0, "\(daemon.process.output.suffix(400))")
  }

  private static func isText(_ parameter: MethodLimits.Parameter) -> Bool {
    switch parameter.limit {
    case .text, .texts: true
    case .integer, .number, .boolean, .object, .objects: false
    }
  }

  /// A range that reaches as far as numbers go, and everything that moves a value in it.
  @Test(arguments: controls) func `no number does harm in the widest range`(_ control: String) throws {
    let daemon = try RunningDaemon(Self.configuration)
    let client = try daemon.client()
    func call(_ method: String, _ parameters: String) throws {
      client.send("{\"method\":\"org.stepperd.control.\(method)\",\"parameters\":\(parameters)}")
      try #require(try client.message() != nil, "\(method) \(parameters)")
    }
    for end in ["1e18", "1e9", "9.99e17", "0.000000001"] {
      try call("Adjust", #"{"control":"\#(control)","minimum":-\#(end),"maximum":\#(end),"page":\#(end)}"#)
      for step in ["1e18", "1e9", "1", "1e-9"] {
        try call("Adjust", #"{"control":"\#(control)","step":\#(step)}"#)
        for value in ["-\(end)", end, "0", "-9.2e18", "9.2e18"] {
          try call("Set", #"{"control":"\#(control)","value":\#(value),"clamp":true}"#)
          for steps in ["1", "-1", "9007199254740992", "-9007199254740992", "10001", "-9999"] {
            try call("Step", #"{"control":"\#(control)","steps":\#(steps)}"#)
            try call("Step", #"{"control":"\#(control)","steps":\#(steps),"unit":"page"}"#)
          }
        }
      }
      try call("Reset", #"{"control":"\#(control)"}"#)
      try call("Describe", #"{"control":"\#(control)","language":"de"}"#)
    }
    #expect(try daemon.stop() == 0, "\(daemon.process.output.suffix(400))")
  }
}
