import StepperCommands
import StepperConfiguration
import StepperCore
import StepperText
import Testing

/// Reads the settings of another configuration, which `;` separates.
func configurationFrom(_ words: inout Words) throws(NotationError) -> EngineConfiguration {
  do {
    return try configurationFrom(
      words.all().split(separator: ";").map { $0.joined(separator: " ") })
  } catch {
    throw NotationError("\(error)")
  }
}

/// Reads the settings above a timeline: `control NAME key=value …`, `device NAME key=value …` and
/// `daemon key=value …`.
///
/// A pair is one of the configuration file without its blanks, and texts need no quotes; there are short forms
/// for what timelines need often. Without a control there is `volume` with UIStepper's defaults; a control that
/// names no input is driven by every input of the virtual device `panel`, which is always there.
func configurationFrom(_ lines: some Sequence<String>) throws -> EngineConfiguration {
  var devices: [String: [String]] = ["panel": ["virtual = true"]]
  var controls: [(name: String, pairs: [Pair])] = []
  var daemon: [String] = []
  for line in lines {
    let words = line.split(separator: " ").map(String.init)
    let pairs = words.dropFirst(2).map(Pair.init)
    switch words[0] {
    case "daemon": daemon += words.dropFirst().map { Pair($0).toml }
    case "control": controls.append((words[1], try pairs.map { try $0.spelledOut() }))
    case "device": devices[words[1], default: [Pair.anyDevice]] += try pairs.map { try $0.spelledOut().toml }
    default: throw TimelineError(text: "no such setting: \(line)")
    }
  }
  if controls.isEmpty { controls = [("volume", [])] }
  for name in controls.flatMap({ $0.pairs.flatMap(\.devices) }) where devices[name] == nil {
    devices[name] = [Pair.anyDevice]
  }
  let tables =
    (daemon.isEmpty ? [] : ["[daemon]\n" + daemon.joined(separator: "\n")])
    + devices.map { "[device.\($0)]\n" + $1.joined(separator: "\n") }
    + controls.map { name, pairs in
      let isDriven = pairs.contains { pair in
        Pair.inputKeys.contains(pair.key) && pair.key != "push" || pair == Pair("kind=button")
      }
      let isUnbounded = pairs.contains { $0.value == "none" || $0.value.hasPrefix("winui") }
      let inputs =
        isDriven
        ? []
        : Pair.panel.filter { input in
          !pairs.contains { $0.key == input.key } && !(isUnbounded && input.key == "absolute")
        }
      return "[control.\(name)]\n" + (pairs + inputs).map(\.toml).joined(separator: "\n")
    }
  let text = tables.joined(separator: "\n")
  let (configuration, problems) = Configuration.load(
    Array(text.utf8), file: "timeline", codes: timelineCodes)
  guard let configuration else { throw TimelineError(text: "\(problems) in\n\(text)") }
  return EngineConfiguration(
    controls: configuration.controls.map(\.settings), devices: configuration.devices.map(\.settings),
    idleAfter: configuration.daemon.idleAfter)
}

/// `key=value` of a timeline.
private struct Pair: Hashable {
  var key: String
  var value: String

  init(_ text: String) {
    let parts = text.split(separator: "=", maxSplits: 1)
    key = String(parts[0])
    value = parts.count > 1 ? String(parts[1]) : "true"
  }

  static let anyDevice = "match = { name = \"*\" }"
  static let inputKeys = [
    "increment", "decrement", "page-increment", "page-decrement", "to-minimum", "to-maximum", "reset",
    "rotate",
    "absolute", "push",
  ]
  static let panel = [
    "increment=panel:plus", "decrement=panel:minus", "rotate=panel:dial", "absolute=panel:fader",
    "push=panel:push",
  ].map(Pair.init)

  /// Short forms as the configuration file has them.
  func spelledOut() throws -> Pair {
    var pair = self
    let names = ["plus": "increment", "minus": "decrement", "page-plus": "page-increment"]
    pair.key = names[key] ?? key
    switch key {
    case "once": pair = Pair("autorepeat=false")
    case "at-end": pair = Pair("continuous=false")
    case "disabled": pair = Pair("enabled=false")
    case "repeat" where value.contains("/"):
      let times = value.split(separator: "/")
      pair.value = "{delay=\"\(times[0])\",interval=\"\(times[1])\"}"
    case "acceleration" where value.contains("/"):
      let numbers = value.split(separator: "/")
      pair.value = "{gain=\(numbers[0]),slow=\(numbers[1]),fast=\(numbers[2])}"
    // short:reset,long:toggle:0/50,delay:800ms
    case "push" where !value.contains("\"") && !value.hasPrefix("panel"):
      let parts = value.split(separator: ",").flatMap { word -> [String] in
        let parts = word.split(separator: ":")
        let values = parts.count > 2 ? ["toggle=[\(parts[2].replacing("/", with: ","))]"] : []
        return ["\(parts[0])=\"\(parts[1])\""] + values
      }
      pair.value = "{input=\"panel:push\",\(parts.joined(separator: ","))}"
    default: break
    }
    return pair
  }

  /// What the configuration file says.
  var toml: String {
    let isDuration = value.first?.isNumber == true && value.last?.isLetter == true
    let isLiteral =
      !isDuration && value.first.map { "0123456789-\"[{".contains($0) } ?? false
      || ["true", "false"].contains(value)
    if isLiteral { return "\(key) = \(value)" }
    let texts = value.split(separator: ",").map { "\"\($0)\"" }
    return "\(key) = " + (texts.count == 1 ? texts[0] : "[\(texts.joined(separator: ","))]")
  }

  /// The devices whose inputs it names.
  var devices: [String] {
    guard Self.inputKeys.contains(key) else { return [] }
    return value.split(whereSeparator: { "\",[]{}= ".contains($0) }).compactMap { word in
      word.contains(":") ? String(word.prefix { $0 != ":" }) : nil
    }
  }
}
