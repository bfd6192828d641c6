import FoundationEssentials
import StepperCore
import StepperText
import TestSupport
import Testing

@testable import StepperConfiguration

/// Hostile texts at every key of every table, in every form of a value.
@Suite struct HostileKeyTests {
  /// A table of a document, with the keys that it has.
  struct Table: CustomTestStringConvertible, Sendable {
    let header: String
    let keys: any ConfigurationKey.Type

    init(_ header: String, _ keys: any ConfigurationKey.Type) { (self.header, self.keys) = (header, keys) }

    var words: [String] { Self.words(keys) }
    var testDescription: String { "\(keys)" }

    private static func words<Key: ConfigurationKey>(_: Key.Type) -> [String] { Key.allCases.map(\.rawValue) }
  }

  static let tables = [
    Table("", RootKey.self), Table("[daemon]", DaemonKey.self), Table("[device.k]", DeviceKey.self),
    Table("[device.k.axis.ABS_X]", AxisKey.self), Table("[device.k.match]", MatchKey.self),
    Table("[device.k.acceleration]", AccelerationKey.self), Table("[control.c]", ControlKey.self),
    Table("[control.c]", OptionKey.self), Table("[profile.p]", ProfileKey.self),
    Table("[control.c.on-change]", HookKey.self), Table("[control.c.restore]", RestoreKey.self),
    Table("[[control.c.choices]]", TitledNameKey.self), Table("[control.c.group]", TitledNameKey.self),
    Table("[control.c.push]", PushKey.self),
    Table("[control.c.push.short]", PushActionKey.self), Table("[control.c.increment]", BindingKey.self),
    Table("[control.c.repeat]", RepeatKey.self), Table("[[control.c.repeat.stages]]", StageKey.self),
    Table("[link.l]", LinkKey.self), Table("[mqtt]", MQTTKey.self),
    Table("[mqtt.remote.r]", MQTTRemoteKey.self), Table("[serial.s]", SerialKey.self),
    Table("[midi.m]", MidiKey.self),
  ]
  static let size = 8_192

  @Test func `every enumeration of keys is one of the tables`() throws {
    let sources = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appendingPathComponent("Sources/StepperConfiguration").path
    let folders = try FileManager.default.contentsOfDirectory(atPath: sources).filter { !$0.contains(".") }
    let files = try folders.flatMap { folder in
      try FileManager.default.contentsOfDirectory(atPath: "\(sources)/\(folder)").map { "\(folder)/\($0)" }
    }
    let declared = try files.filter { $0.hasSuffix(".swift") }.flatMap { file in
      try String(contentsOfFile: "\(sources)/\(file)", encoding: .utf8).split(separator: "\n").filter {
        $0.contains("enum ") && $0.contains(": String, ConfigurationKey")
      }
    }
    #expect(declared.count == Set(Self.tables.map { ObjectIdentifier($0.keys) }).count)
  }

  private func read(_ text: String) {
    let bytes = Array(text.utf8)
    _ = Configuration.load(
      bytes, file: "f", codes: CodeNames(name: { _ in nil }, usage: { _ in nil }, all: { ["KEY_A"] }))
    _ = LinkConfiguration.load(bytes, file: "f")
    _ = MQTTSettings.load(bytes, file: "f")
  }

  @Test(arguments: tables) func `no value or name costs more than its length`(_ table: Table) {
    for key in table.words {
      // What is refused never reaches the key.
      expectProportionalCost(of: "\(table.header) \(key)", upTo: Self.size, [.manyMarks, .flags]) { bytes in
        let text = String(decoding: bytes, as: UTF8.self)
        read("\(table.header)\n\(key) = \"\(text)\"\n")
        read("\(table.header)\n\(key) = { \"\(text)\" = [\"\(text)\"] }\n")
      }
    }
  }

  @Test func `no text of a document costs more than its length`() {
    expectProportionalCost(of: "document", upTo: 1 << 16) { bytes in
      let text = String(decoding: bytes, as: UTF8.self)
      for document in [
        "a = \"\(text)\"", "a = '''\(text)'''", "\"\(text)\" = 1", "[\"\(text)\"]", "a = \(text)", "\(text)",
        "# \(text)", "a = true\(text)",
      ] {
        read(document)
      }
      let escaped = String(repeating: "\\u0301\\u0316", count: text.utf8.count / 16)
      read("a = \"\(escaped)\"")
    }
  }
}
