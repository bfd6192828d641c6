import FoundationEssentials
import Glibc
import StepperInterfaces
import TestSupport
import Testing
import Varlink

/// Texts and files that were made to end the daemon that reads them.
@Suite(.timeLimit(.minutes(10)))
struct HostileConfigurationTests {
  private static let configuration =
    "[device.panel]\nvirtual = true\n[control.volume]\nrotate = \"panel:dial\"\n"

  /// They ended it while it read TOML with toml++, or would have.
  private static let texts = [
    "a=1979-05-27 0#", "a=1979-05-27T:", "[,", "a = }", "a=0.\u{2a0}",
    "a=1\(String(repeating: "_", count: 115))979-05-27 00:00:00",
    String(repeating: "a.", count: 20_000) + "a=1",
    "[" + String(repeating: "a.", count: 20_000) + "a]", "a=" + String(repeating: "[", count: 40_000),
    Self.marks,
  ]

  private static let marks = "a=e" + String(repeating: "\u{301}\u{323}", count: 10_000)

  @Test func `no text that a client has checked ends the daemon`() throws {
    let daemon = try RunningDaemon(Self.configuration)
    let client = try daemon.client()
    try client.turn(30)
    for text in Self.texts where !text.utf8.elementsEqual(Self.marks.utf8) {
      let check = ManagerInterface.Check.Parameters(text: text, file: nil)
      let problems = try client.call(ManagerInterface.Check.self, check).problems
      #expect(problems.first?.line == 1)
    }
    // No text of a call is one like this.
    let error = #expect(throws: VarlinkReplyError.self) {
      try client.call(ManagerInterface.Check.self, .init(text: Self.marks, file: nil))
    }
    #expect(error == .failed(VarlinkFailure(ServiceInterface.InvalidParameter(parameter: "text"))))
    #expect(try client.state().value == 30)
    #expect(try daemon.stop() == 0)
  }

  @Test func `a check of a thousand wrong lines tells a hundred`() throws {
    let daemon = try RunningDaemon(Self.configuration)
    let text = "[control.c]\n" + (0..<1_000).map { "k\($0) = 1\n" }.joined()
    let check = ManagerInterface.Check.Parameters(text: text, file: nil)
    let problems = try daemon.client().call(ManagerInterface.Check.self, check).problems
    #expect(problems.count == 101 && problems.last?.message == "… and 900 more problems")
  }

  @Test func `no file that is read again ends the daemon or loses a value`() throws {
    let daemon = try RunningDaemon(Self.configuration)
    let client = try daemon.client()
    try client.turn(30)
    let notText: [UInt8] = Array("[control.volume]\ntitle = \"".utf8) + [0xff]
    for content in Self.texts.map({ Array($0.utf8) }) + [notText] {
      try Data(content).write(to: URL(filePath: "\(daemon.folder.path)/stepperd.toml"))
      try client.send(ManagerInterface.Reload.self, NoParameters())
      let failure = try #require(try client.reply().failure)
      let problems = try #require(failure.decode(ManagerInterface.ConfigurationInvalid.self)).problems
      #expect(problems.first?.line != nil && problems.first?.column != nil)
    }
    #expect(try client.state().value == 30)
    #expect(try daemon.stop() == 0)
  }

  @Test func `a signal to read such a file changes nothing`() throws {
    let daemon = try RunningDaemon(Self.configuration)
    let client = try daemon.client()
    try client.turn(30)
    try daemon.folder.write("a=1979-05-27T:", to: "stepperd.toml")
    daemon.process.signal(SIGHUP)
    try daemon.process.expectOutput("nothing was changed")
    #expect(try client.state().value == 30)
    #expect(try daemon.stop() == 0)
  }
}
