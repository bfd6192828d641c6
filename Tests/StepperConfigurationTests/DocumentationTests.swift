import FoundationEssentials
import Testing

@testable import StepperConfiguration

@Suite struct DocumentationTests {
  /// A file of the repository; nil if there is none.
  static func text(_ path: String) -> String? {
    let root = #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
    // An absent file is nil; the tests that need it require it.
    return try? String(contentsOfFile: "/\(root)/\(path)", encoding: .utf8)
  }

  static let keys: [String] =
    DaemonKey.allCases.map(\.rawValue) + DeviceKey.allCases.map(\.rawValue)
    + MatchKey.allCases.map(\.rawValue)
    + AccelerationKey.allCases.map(\.rawValue) + AxisKey.allCases.map(\.rawValue)
    + ProfileKey.allCases.map(\.rawValue) + ControlKey.allCases.map(\.rawValue)
    + OptionKey.allCases.map(\.rawValue) + BindingKey.allCases.map(\.rawValue)
    + PushKey.allCases.map(\.rawValue) + PushActionKey.allCases.map(\.rawValue)
    + RepeatKey.allCases.map(\.rawValue)
    + StageKey.allCases.map(\.rawValue) + HookKey.allCases.map(\.rawValue)
    + RestoreKey.allCases.map(\.rawValue) + TitledNameKey.allCases.map(\.rawValue)
    + LinkKey.allCases.map(\.rawValue)
    + MQTTKey.allCases.map(\.rawValue)
    + MQTTRemoteKey.allCases.map(\.rawValue)
    + SerialKey.allCases.map(\.rawValue)
    + MidiKey.allCases.map(\.rawValue)

  /// A line such as `#key = value`.
  static func isCommentedKey(_ line: Substring) -> Bool {
    line.first == "#" && line.dropFirst().first?.isLetter == true && line.contains(" = ")
  }

  @Test func `the example loads, and with each commented key`() throws {
    let text = try #require(Self.text("Documentation/stepperd.toml"))
    #expect(problems(in: text).isEmpty)
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    let commented = lines.indices.filter { Self.isCommentedKey(lines[$0]) }
    #expect(commented.count > 25)
    for index in commented {
      var changed = lines
      changed[index].removeFirst()
      #expect(problems(in: changed.joined(separator: "\n")).isEmpty, "\(lines[index])")
    }
  }

  @Test(arguments: keys) func `every key is in the example, the reference and the manual`(key: String) throws
  {
    let isKey = { (text: String) in
      text.split { !$0.isLetter && $0 != "-" }.contains { $0 == key }
    }
    let example = try #require(Self.text("Documentation/stepperd.toml"))
    #expect(
      example.split(separator: "\n").contains {
        (!$0.hasPrefix("#") || Self.isCommentedKey($0)) && isKey(String($0))
      })
    #expect(try #require(Self.text("Documentation/configuration.md")).contains("`\(key)`"))
    #expect(isKey(try #require(Self.text("Documentation/man/stepperd.toml.5"))))
  }

  @Test(arguments: [
    "Documentation/configuration.md", "Documentation/profiles.md", "Documentation/feedback.md",
    "Documentation/tour.md", "Documentation/boards.md",
  ])
  func `every block of TOML in the documents loads`(path: String) throws {
    let text = try #require(Self.text(path))
    let blocks = text.split(separator: "```toml\n").dropFirst().compactMap {
      $0.split(separator: "```").first
    }
    for block in blocks { #expect(problems(in: String(block)).isEmpty, "\(block)") }
  }
}
