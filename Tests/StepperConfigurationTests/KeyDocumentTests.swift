import FoundationEssentials
import Testing

@testable import StepperConfiguration

/// The types and defaults in the tables of configuration.md are those that the keys declare.
@Suite struct KeyDocumentTests {
  private static let path = "Documentation/configuration.md"

  /// By heading: what a row about the key has in the columns type and default; nil: the document's own words.
  private static let tables: [String: [String: Cells]] = [
    "`[daemon]`": cells(DaemonKey.self),
    "`[device.NAME]`": cells(DeviceKey.self),
    "`match`": cells(MatchKey.self),
    "`acceleration`": cells(AccelerationKey.self),
    "`axis`": cells(AxisKey.self),
    "`[control.NAME]`": cells(ControlKey.self),
    "Inputs": cells(BindingKey.self),
    "`push`": cells(PushKey.self),
    "Outputs and hooks": cells(HookKey.self),
    "`[link.NAME]`": cells(LinkKey.self),
    "`[mqtt]`": cells(MQTTKey.self),
    "`[mqtt.remote.NAME]`": cells(MQTTRemoteKey.self),
    "`[serial.NAME]`": cells(SerialKey.self),
    "`[midi.NAME]`": cells(MidiKey.self),
    "The value": cells(OptionKey.self),
    "A button that is pressed": cells(OptionKey.self)
      .merging(cells(RepeatKey.self)) { first, _ in first }
      .merging(cells(StageKey.self)) { first, _ in first },
    "The ends of the range": cells(OptionKey.self),
    "What is published": cells(OptionKey.self),
    "Knobs and faders": cells(OptionKey.self),
    "Text": cells(OptionKey.self),
  ]

  private struct Cells {
    var type: String?
    var standard: String?
  }

  private static func cells<Key: ConfigurationKey>(_ type: Key.Type) -> [String: Cells] {
    let pairs = Key.allCases.map { key in
      let declared = key.key
      // The defaults of options are those of a profile: ``ProfileDocumentTests``. A list is empty by default.
      let isOption = type == OptionKey.self
      let hasDefault = !isOption && declared.type != nil && key.need == nil
      let standard = hasDefault ? declared.text(Key.standard) : nil
      return (
        key.rawValue, Cells(type: declared.type, standard: standard.flatMap { $0 == "[]" ? nil : "`\($0)`" })
      )
    }
    return Dictionary(pairs) { first, _ in first }
  }

  private func renew(_ cell: inout String, _ declared: String?) {
    if let declared, !cell.hasPrefix(declared) { cell = declared }
  }

  /// With `STEPPERD_RENEW=1` in the environment the test writes them into the document.
  @Test func `types and defaults in the reference are those of the keys`() throws {
    let text = try #require(DocumentationTests.text(Self.path))
    var heading = ""
    var header: [String] = []
    var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    var count = 0
    for index in lines.indices {
      let line = lines[index]
      if line.hasPrefix("#") { heading = String(line.drop { $0 == "#" || $0 == " " }) }
      guard line.hasPrefix("|") else {
        header = []
        continue
      }
      guard !line.hasPrefix("|---") else { continue }
      var columns = line.dropFirst(2).dropLast(2).components(separatedBy: " | ")
      guard !header.isEmpty else {
        header = columns
        continue
      }
      guard line.hasPrefix("| `"), header[0].hasPrefix("key"), let table = Self.tables[heading] else {
        continue
      }
      for key in columns[0].codes {
        guard let cells = table[key] else { continue }
        count += 1
        for (column, name) in header.enumerated() where column < columns.count {
          switch name {
          // The document may have more to say behind it.
          case "type", "values": renew(&columns[column], cells.type)
          case "default": renew(&columns[column], cells.standard)
          default: break
          }
        }
      }
      lines[index] = "| \(columns.joined(separator: " | ")) |"
    }
    #expect(count > 100)
    let renewed = lines.joined(separator: "\n")
    if ProcessInfo.processInfo.environment["STEPPERD_RENEW"] != nil {
      let root = #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
      try renewed.write(toFile: "/\(root)/\(Self.path)", atomically: true, encoding: .utf8)
    }
    for (old, new) in zip(text.split(separator: "\n"), renewed.split(separator: "\n")) {
      #expect(old == new)
    }
  }
}
