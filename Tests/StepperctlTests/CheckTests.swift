import Glibc
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct `stepperctl check` {
  /// Nobody listens there: no daemon is asked.
  private let nowhere = ["STEPPERD_ADDRESS": "/nonexistent", "HOME": "/nonexistent"]

  private static let isInstalled = unsafe access("/etc/stepperd/stepperd.toml", F_OK) == 0
  private static let control = "[control.volume]\n"
  private static let device = "[device.knob]\nmatch = { name = \"x\" }\n"

  /// Also the kernel's names of keys and axes are looked up here.
  @Test(
    arguments: [
      (control, 0), (device + control, 0), (control + "maximun = 3\n", 78), (control + "step = 1 2\n", 78),
      (device + control + "rotate = \"knob:REL_DIAL\"\n", 0),
      (device + control + "rotate = \"knob:REL_DAIL\"\n", 78), ("", 0),
      ("[daemon]\nadmin-group = \"no-such-group\"\nproviders = [\"user:no-such-user\"]\n" + control, 0),
      ("[daemon]\nsocket-group = \"no-such-group\"\n" + control, 78),
      (control + "title = \"\u{1b}[2J\u{202e}\"\nmaximum = \"\u{1b}[2J\"\n", 78),
    ] as [(String, Int32)])
  func `prints what 'stepperd --check' prints, with its status`(text: String, status: Int32) async throws {
    let folder = try TemporaryFolder()
    let file = "\(folder.path)/x.toml"
    try folder.write(text, to: "x.toml")
    let own = try await Program.run(["check", file], environment: nowhere)
    let daemon = try await Program.run(
      ["--check", file], environment: nowhere, program: builtProgram("stepperd"))
    #expect(own.status == status && daemon.status == status)
    // Of an empty file stepperd says besides that it is empty, since as a daemon it would not take it over.
    let expected = daemon.output.replacing("\(file): warning: it is empty and defines no control\n", with: "")
    #expect(own == Run(output: expected, status: status))
  }

  @Test(arguments: [
    ("[control.bass]\n", ""), ("[control.bass]\nmaximun = 3\n", "control.bass.maximun: unknown key"),
    ("[mqtt]\n", "not allowed in an included file"),
    ("[control.volume]\n", "is in the configuration already"),
  ])
  func `reads the included file as 'stepperd --check' does`(included: String, problem: String) async throws {
    let folder = try TemporaryFolder()
    let file = "\(folder.path)/x.toml"
    try folder.write("[daemon]\ninclude = \"\(folder.path)/sent.toml\"\n" + Self.control, to: "x.toml")
    try folder.write(included, to: "sent.toml")
    let own = try await Program.run(["check", file], environment: nowhere)
    let daemon = try await Program.run(
      ["--check", file], environment: nowhere, program: builtProgram("stepperd"))
    #expect(own == daemon)
    #expect(own.output.contains(problem) && own.output.hasSuffix("\(file): no errors\n") == problem.isEmpty)
    #expect(own.status == (problem.isEmpty ? 0 : 78))
    #expect(own.output.contains("\(folder.path)/sent.toml") == !problem.isEmpty)
  }

  @Test func `a FIFO in the place of the configuration is not waited for`() async throws {
    let folder = try TemporaryFolder()
    let directory = "\(folder.path)/stepperd"
    guard unsafe mkdir(directory, 0o700) == 0, unsafe mkfifo("\(directory)/stepperd.toml", 0o600) == 0 else {
      throw TestFailure("mkfifo")
    }
    let run = try await Program.run(["check"], environment: ["XDG_CONFIG_HOME": folder.path])
    #expect(run.status == 1)
    #expect(run.errors == "stepperctl: \(directory)/stepperd.toml is a FIFO, not a file\n")
  }

  @Test func `reads the standard input`() async throws {
    let fine = try await Program.run(["check", "-"], environment: nowhere, input: Self.control)
    #expect(fine == Run(output: "<stdin>: no errors\n"))
    let wrong = try await Program.run(
      ["check", "-", "--json"], environment: nowhere, input: Self.control + "maximun = 3\n")
    let problem =
      #"{"file":"<stdin>","keyPath":"control.volume.maximun","line":2,"column":1,"severity":"error","#
      + #""message":"unknown key","suggestion":"maximum"}"# + "\n"
    #expect(wrong == Run(output: problem, status: 78))
  }

  @Test(arguments: [
    control, control + "maximun = 3\n", "", "\u{1}", String(repeating: "#", count: 1_048_577),
  ])
  func `'stepperd --check -' reads the standard input as well, with the same status`(text: String)
    async throws
  {
    let own = try await Program.run(["check", "-"], environment: nowhere, input: text)
    let daemon = try await Program.run(
      ["--check", "-"], environment: nowhere, input: text, program: builtProgram("stepperd"))
    #expect(daemon.output == own.output && daemon.status == own.status)
    #expect(daemon.errors == own.errors.replacing("stepperctl: ", with: "stepperd: "))
  }

  @Test(.disabled(if: isInstalled, "a configuration is installed"))
  func `without a file it is the built-in configuration if there is no other`() async throws {
    let folder = try TemporaryFolder()
    let environment = ["XDG_CONFIG_HOME": folder.path]
    let builtIn = try await Program.run(["check"], environment: environment)
    #expect(builtIn == Run(output: "the built-in configuration: no errors\n"))
  }

  @Test(.disabled(if: isInstalled, "a configuration is installed"))
  func `a relative folder of the user counts as absent, as for the daemon`() async throws {
    let folder = try TemporaryFolder()
    try folder.writeBelow(Self.control, to: ".config/stepperd/stepperd.toml")
    let environment = ["XDG_CONFIG_HOME": "relative", "HOME": folder.path]
    let file = "\(folder.path)/.config/stepperd/stepperd.toml"
    #expect(
      try await Program.run(["check"], environment: environment) == Run(output: "\(file): no errors\n"))
  }

  @Test func `a file that cannot be read is 1, one that is too long 78`() async throws {
    let missing = try await Program.run(["check", "/nonexistent/x"], environment: nowhere)
    #expect(
      missing == Run(errors: "stepperctl: cannot read /nonexistent/x: No such file or directory\n", status: 1)
    )
    let endless = try await Program.run(["check", "/dev/zero"], environment: nowhere)
    let expected = "stepperctl: /dev/zero is longer than 1048576 bytes, the most that is allowed\n"
    #expect(endless == Run(errors: expected, status: 78))
  }
}
