import Glibc
import StepperClient
import TestSupport
import Testing

/// Coprocesses that do wrong beside one that does right: the control and the other link go on.
@Suite("A coprocess that does wrong") struct CoprocessTroubleTests {
  /// Two links of two controls: `bad` with the script, and `good`, which writes what it gets to a file.
  private func links(_ script: String) throws -> LinkUnderTest {
    let link = try LinkUnderTest(
      """
      [device.panel]
      virtual = true
      [control.volume]
      wraps = true
      increment = "panel:plus"
      repeat = { delay = "10ms", stages = [{ interval = "10ms" }] }
      [control.other]
      """)
    let folder = link.folder.path
    try link.folder.write(script.replacing("FOLDER", with: folder), to: "bad")
    try link.folder.write("exec cat >\(folder)/got", to: "good")
    try link.folder.write(
      """
      [control.volume]
      [control.other]
      [link.bad]
      control = "volume"
      rate = 1000
      command = ["/bin/sh", "\(folder)/bad"]
      [link.good]
      control = "other"
      start = "control"
      command = ["/bin/sh", "\(folder)/good"]
      """, to: "stepperd.toml")
    try link.startLink()
    try #require(
      Deadline().wait { (try? link.folder.read("got")) == "value 0\n" }, "\(link.link?.output ?? "")")
    return link
  }

  private func expectGoodGoesOn(_ link: LinkUnderTest) async throws {
    try await link.client.set("other", to: 55)
    try #require(Deadline().wait { (try? link.folder.read("got"))?.hasSuffix("value 55\n") == true })
  }

  /// Ends the links; they and the coprocess whose number is in the file `pid` are gone soon.
  private func expectPromptEnd(_ link: LinkUnderTest) throws {
    let number = try #require(
      pid_t(try link.folder.read("pid").split(whereSeparator: \.isWhitespace).last ?? ""))
    link.link?.signal(SIGTERM)
    #expect(try link.link?.waitForExit(within: 20) == 0, "\(link.link?.output ?? "")")
    #expect(Deadline().wait { kill(number, 0) != 0 }, "its coprocess \(number) goes on without it")
  }

  @Test func `by not reading its input is restarted`() async throws {
    let link = try links(
      """
      echo $$ >>FOLDER/pid
      echo value 30
      exec sleep 3600
      """)
    try link.expect(at: 30)
    let output = try #require(link.link)
    let plus = InputName(device: "panel", input: "plus")
    let client = link.client
    // The first line is enough.
    try await client.press(plus)
    try await client.release(plus)
    try output.expectOutput("/bin/sh does not read its input; it is restarted", within: 60)
    let isRestarted = Deadline().wait {
      (try? link.folder.read("pid").split(separator: "\n").count) ?? 0 >= 2
    }
    #expect(isRestarted)
    try await expectGoodGoesOn(link)
    try expectPromptEnd(link)
  }

  @Test func `by flooding is restarted ever later`() async throws {
    let begin = ContinuousClock.now
    let link = try links(
      """
      echo $$ >>FOLDER/pid
      exec yes 'value 1
      value 99'
      """)
    let output = try #require(link.link)
    try output.expectOutput("bad: the outside is disconnected: /bin/sh writes more than 2000 lines a second")
    let starts = { (try? link.folder.read("pid").split(separator: "\n").count) ?? 0 }
    try #require(Deadline().wait { starts() >= 4 })
    // The time since the begin is longer than the pauses between the starts: 0.25, 0.5, 1 seconds and so on up to 30.
    let count = starts()
    let pauses = (0..<count - 1).map { Duration.seconds(0.25) * (1 << min($0, 6)) }.reduce(.zero, +)
    #expect(begin.duration(to: .now) >= pauses, "\(count) starts")
    try await expectGoodGoesOn(link)
    try expectPromptEnd(link)
  }

  @Test func `that goes on without input does not outlive links that were killed`() throws {
    let link = try links("echo $$ >>FOLDER/pid; echo value 7; exec sleep 3600")
    try link.expect(at: 7)
    let number = try #require(
      pid_t(try link.folder.read("pid").split(whereSeparator: \.isWhitespace).last ?? ""))
    try link.stopLink(SIGKILL)
    #expect(Deadline().wait { kill(number, 0) != 0 }, "its coprocess \(number) goes on without it")
  }

  @Test func `by ignoring its end does not outlive the links`() throws {
    let link = try links(
      "trap '' TERM HUP INT; echo $$ >>FOLDER/pid; echo value 7; while :; do sleep 1; done")
    try link.expect(at: 7)
    try expectPromptEnd(link)
  }
}
