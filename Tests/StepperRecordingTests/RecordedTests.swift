import FoundationEssentials
import StepperCommands
import StepperConfiguration
import StepperCore
import StepperText
import TestSupport
import Testing

/// Recordings of bug reports and of usual devices: with their configuration they lead to what is expected.
///
/// `Scripts/renew/recordings` writes the expectations.
@Suite struct RecordedTests {
  private static let folder = "Tests/StepperRecordingTests/Recordings"

  private static func names() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: TemporaryFolder.path(ofSource: folder))
      .filter { $0.hasSuffix(".recording") }.map { String($0.dropLast(".recording".count)) }.sorted()
  }

  private static func text(_ file: String) throws -> String {
    try String(contentsOfFile: TemporaryFolder.path(ofSource: "\(folder)/\(file)"), encoding: .utf8)
  }

  @Test(arguments: try names())
  func `a recording leads to what is expected`(name: String) throws {
    let recording = try Self.recording(name)
    let (configuration, problems) = Configuration.load(
      Array(try Self.text("\(name).toml").utf8), file: "\(name).toml", codes: kernelCodes)
    let loaded = try #require(configuration, "\(problems)")
    var lines: [String] = []
    try RecordingReplay(recording, loaded, codes: kernelCodes).play { line in
      lines += line.texts(codes: kernelCodes, hasMoments: false)
    }
    let expected = try Self.text("\(name).expected").split(separator: "\n").map(String.init)
    #expect(lines == expected)
  }

  @Test(arguments: try names())
  func `a recording is the same when it is written and read again`(name: String) throws {
    let recording = try Self.recording(name)
    let text = RecordingWriter.lines(of: recording, codes: kernelCodes).map { "\($0)\n" }.joined()
    #expect(try Recording.read(Array(text.utf8), file: name, codes: kernelCodes) == recording)
  }

  @Test func `there are recordings`() throws { #expect(try Self.names().count >= 7) }

  private static func recording(_ name: String) throws -> Recording {
    try Recording.read(
      Array(try text("\(name).recording").utf8), file: "\(name).recording", codes: kernelCodes)
  }
}
