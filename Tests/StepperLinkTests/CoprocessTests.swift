import Glibc
import StepperClient
import TestSupport
import Testing

/// The real programs with coprocesses of a few lines.
@Suite("A coprocess") struct CoprocessTests {
  private func link(
    _ script: String, start: String = "outside", shell: String = "\"/bin/sh\", ",
    environment: [String: String] = [:],
    preparation: String = ""
  ) throws -> LinkUnderTest {
    let link = try LinkUnderTest(
      """
      [control.volume]
      [link.own]
      control = "volume"
      start = "\(start)"
      command = [\(shell)"/FOLDER/script"]
      """, environment: environment)
    try link.folder.write(script.replacing("FOLDER", with: link.folder.path), to: "script")
    _ = unsafe chmod("\(link.folder.path)/script", 0o755)
    try link.folder.write(
      link.folder.read("stepperd.toml").replacing("FOLDER", with: link.folder.path), to: "stepperd.toml")
    try link.startLink(preparation)
    return link
  }

  @Test func `is shown by stepperctl, with what it counts, while the links run`() async throws {
    let runtime = try TemporaryFolder()
    let environment = ["XDG_RUNTIME_DIR": runtime.path]
    let link = try link("echo value 30; exec cat >/dev/null", environment: environment)
    func shown(_ command: String) throws -> String {
      try run(
        builtProgram("stepperctl"), [command, "--address", link.socket],
        environment: LinkUnderTest.inherited.merging(environment) { $1 }, within: 20
      ).output
    }
    try link.expect(at: 30)
    try await link.client.set("volume", to: 42)
    let isCounted = try Deadline().waitThrowing {
      try shown("metrics").contains("stepperd_link_writes_total{object=\"own\"} 1\n")
    }
    let metrics = try shown("metrics")
    #expect(isCounted, "\(metrics)")
    for line in [
      "stepperd_link_connected{object=\"own\"} 1", "stepperd_link_starts_total{object=\"own\"} 1",
      "# TYPE stepperd_link_write_seconds_total counter", "stepperd_link_refusals_total{object=\"own\"} 0",
    ] { #expect(metrics.contains("\(line)\n"), "\(metrics)") }
    #expect(try shown("status").contains("1 of 1 links connected"))
    try link.stopLink(SIGKILL)
    // The file remains.
    #expect(try !shown("metrics").contains("link"))
    #expect(try !shown("status").contains("links connected"))
  }

  @Test func `is shown although other links of the user have come and gone`() throws {
    let runtime = try TemporaryFolder()
    let environment = ["XDG_RUNTIME_DIR": runtime.path]
    let link = try link("echo value 30; exec cat >/dev/null", environment: environment)
    func shown() throws -> String {
      try run(
        builtProgram("stepperctl"), ["status", "--address", link.socket],
        environment: LinkUnderTest.inherited.merging(environment) { $1 }, within: 20
      ).output
    }
    try link.expect(at: 30)
    #expect(try Deadline().waitThrowing { try shown().contains("1 of 1 links connected") })
    let other = try ChildProcess(
      builtProgram("stepperd-link"), ["--config", link.configuration, "--address", link.socket],
      environment: LinkUnderTest.inherited.merging(environment) { $1 })
    try other.expectOutput("own: connected")
    other.signal(SIGTERM)
    #expect(try other.waitForExit() == 0)
    #expect(try shown().contains("1 of 1 links connected"))
    // What a killed one has left is replaced.
    try link.stopLink(SIGKILL)
    try link.startLink()
    #expect(try Deadline().waitThrowing { try shown().contains("1 of 1 links connected") })
    #expect(try link.stopLink() == 0)
    #expect(!runtime.contains("stepperd-link/status"))
  }

  @Test func `gets each value and gives its own`() async throws {
    // It halves what is above 50, as a mixer with a limit.
    let link = try link(
      """
      echo value 30
      while read -r word value; do
        echo "$word $value" >>FOLDER/got
        if [ "$value" -gt 50 ]; then echo "value 25"; else echo "value $value"; fi
      done
      """)
    try link.expect(at: 30)
    try await link.client.set("volume", to: 42)
    try #require(Deadline().wait { (try? link.folder.read("got")) == "value 42\n" })
    try await link.client.set("volume", to: 80)
    try link.expect(at: 25)
    #expect(try link.folder.read("got") == "value 42\nvalue 80\n")
    #expect(try link.stopLink() == 0)
  }

  @Test func `that is slow gets the newest value, and not all before it`() throws {
    // It reads the next line when there is a file of its number.
    let link = try link(
      """
      echo value 30
      number=0
      while read -r word value; do
        echo "$value" >>FOLDER/got
        number=$((number + 1))
        until [ -e FOLDER/$number ]; do sleep 0.01; done
      done
      """)
    func expect(_ got: String) throws {
      let isSo = Deadline().wait { (try? link.folder.read("got")) == got }
      try #require(isSo, "\((try? link.folder.read("got")) ?? "")")
    }
    try link.expect(at: 30)
    // In less time than a link waits for a coprocess that does not read: on one connection, by this thread, and not many.
    let client = link.client
    try client.set("volume", to: 40)
    try expect("40\n")
    for value in 41...60 { try client.set("volume", to: Double(value)) }
    for number in 1...21 { try link.folder.write("", to: "\(number)") }
    try #require(Deadline().wait { (try? link.folder.read("got"))?.hasSuffix("60\n") == true })
    // One was in its pipe, and the link may be behind by some.
    let got = try link.folder.read("got")
    #expect(got.split(separator: "\n").count < 10, "\(got)")
    #expect(try link.stopLink() == 0)
  }

  @Test func `that says nothing gets the values of the hand`() async throws {
    let link = try link("exec cat >FOLDER/got", start: "control")
    try #require(Deadline().wait { (try? link.folder.read("got")) == "value 0\n" })
    try await link.client.step("volume", by: 7)
    try #require(Deadline().wait { (try? link.folder.read("got")) == "value 0\nvalue 7\n" })
  }

  @Test func `that dies is started again, and that is said`() async throws {
    let link = try link("echo value 12; read -r word value; exit 3")
    try link.expect(at: 12)
    try await link.client.set("volume", to: 50)
    try link.link?.expectOutput("/bin/sh has ended with exit status 3; it is restarted")
    // It begins again with its value.
    try link.expect(at: 12)
  }

  @Test func `that floods is ended, and the control goes on`() async throws {
    let link = try link("while :; do echo value 1; echo value 99; done")
    try link.link?.expectOutput("writes more than 2000 lines a second")
    #expect(try await link.client.set("volume", to: 50).value == 50)
  }

  @Test func `with lines that mean nothing is told so once`() async throws {
    let link = try link(
      """
      head -c 1000000 /dev/zero | tr '\\0' x | head -c 300; echo
      echo value nan; echo volume 3; echo value 1 2; echo '# fine'; echo value 64; exec cat
      """)
    try link.expect(at: 64)
    let output = try #require(link.link)
    try output.expectOutput("wrote a line of more than 256 bytes")
    #expect(output.output.split(separator: "\n").count { $0.contains("wrote") } == 1, "\(output.output)")
  }

  @Test func `that does not exist is named`() throws {
    let link = try LinkUnderTest(
      "[control.volume]\n[link.own]\ncontrol = \"volume\"\ncommand = [\"/nowhere/at-all\"]\n")
    try link.startLink()
    try link.link?.expectOutput("own: the outside is disconnected: /nowhere/at-all does not exist")
  }

  @Test(arguments: [
    ("echo value 3", "is not a program"), ("#!/nowhere/at-all", "names an interpreter that does not exist"),
  ])
  func `that cannot be loaded was never connected`(script: String, reason: String) throws {
    let link = try link(script, shell: "")
    let output = try #require(link.link)
    try output.expectOutput(reason)
    #expect(!output.output.contains("own: connected"), "\(output.output)")
  }

  @Test func `has the environment of the links, byte by byte`() throws {
    let link = try link(
      "env | grep ^NAME= | od -An -tx1 >FOLDER/got; exec cat", preparation: "export NAME=$(printf 'J\\366rg')"
    )
    let got = { (try? link.folder.read("got")) ?? "" }
    try #require(Deadline().wait { got().contains("0a") }, "\(link.link?.output ?? "")")
    #expect(got().contains("3d 4a f6 72 67 0a"), "\(got())")
  }

  @Test func `is told what waits for its time before the links end`() throws {
    let link = try link(
      "echo value 30; while read -r word value; do sleep 0.2; echo $value >>FOLDER/got; done")
    try link.expect(at: 30)
    let subscription = try link.client.subscription(to: ["volume"])
    let values = [70.0, 72, 74]
    let program = try #require(link.link)
    try program.whileStopped {
      for value in values {
        try link.client.set("volume", to: value)
        // The daemon has told its subscribers.
        while let state = try subscription.next(timeout: .seconds(10)), state.value != value {}
      }
      program.signal(SIGTERM)
    }
    #expect(try program.waitForExit() == 0)
    #expect(try link.folder.read("got").hasSuffix("74\n"))
  }

  @Test func `its lines are checked without it`() throws {
    let link = try LinkUnderTest("[control.volume]\n[link.own]\ncontrol = \"volume\"\nto = \"pulse:x\"\n")
    let (status, output) = try run(
      builtProgram("stepperd-link"), ["--check", "--config", link.configuration])
    #expect(status == 0 && output.contains("own: volume ↔ pulse:x") && output.contains("no errors in 1 link"))
    try link.folder.write(
      "[control.volume]\n[link.own]\ncontrol = \"volum\"\nto = \"pulse:x\"\n", to: "bad.toml")
    let (wrong, problem) = try run(
      builtProgram("stepperd-link"), ["--check", "--config", "\(link.folder.path)/bad.toml"])
    #expect(
      wrong == 78 && problem.contains("bad.toml:3:11: error: link.own.control: there is no [control.volum]"))
    try link.folder.write("[control.volume]\n", to: "none.toml")
    let (idle, notice) = try run(
      builtProgram("stepperd-link"), ["--config", "\(link.folder.path)/none.toml"])
    #expect(idle == 0 && notice.contains("nothing to do"))
    let (missing, error) = try run(
      builtProgram("stepperd-link"), ["--config", "\(link.folder.path)/nowhere.toml"])
    #expect(missing == 78 && error.contains("nowhere.toml: error: there is no such file"))
  }
}
