import Glibc
import StepperInterfaces
import TestSupport
import Testing
import Varlink

/// `stepperctl record`, and `stepperctl replay` of what it wrote.
@Suite(.timeLimit(.minutes(10))) struct `stepperctl record` {
  @Test func `writes devices and frames that replay plays`() async throws {
    let folder = try TemporaryFolder()
    let file = "\(folder.path)/x.recording"
    let peer = try Self.peer()
    let environment = ["STEPPERD_ADDRESS": peer.path]
    let run = try await Program.run(["record", file, "--time", "1s"], environment: environment)
    #expect(run.status == 0 && run.output.isEmpty, "\(run)")
    #expect(peer.heard == [#"Monitor {"unused":true,"keyboards":false}"#])
    for line in [
      "recording knob (Knob \\u{202e}\\n)", "recording buttons too",
      "7 frames were lost: they came faster than they were read; a line of the file marks the place",
      "keyboards and mice are left out", "4 frames of 2 devices, 7 frames are missing",
    ] { #expect(run.errors.contains(line), "\(line) is not in \(run.errors)") }
    var lines = try folder.read("x.recording").split(separator: "\n").map(String.init)
    #expect(lines.removeLast().hasSuffix("ms end"))
    #expect(lines[1] == "# stepperctl \(productVersion) record")
    let added = try #require(lines.firstIndex { $0.hasSuffix(" add buttons") })
    let head = """
      device knob
        name "Knob \\u{202e}\\u{a}"
        bus 3
        vendor 077d
        product 0410
        phys "usb-1"
        node "/dev/input/event5"
        link "/dev/input/by-id/knob"
        property ID_BUS "usb"
        codes REL_DIAL
        axis ABS_X 0..1023 at 7 fuzz 4
        down BTN_0
      0ms frame knob REL_DIAL=1
      1.5ms frame knob REL_DIAL=-2 BTN_0=0
      """
    #expect(lines[2..<16].joined(separator: "\n") == head)
    #expect(lines[16..<added].joined(separator: "\n").hasPrefix("device buttons\n"))
    let rest = lines[(added + 1)...].map { $0.split(separator: " ").dropFirst().joined(separator: " ") }
    #expect(rest == ["lost 7", "frame buttons KEY_VOLUMEUP=1", "resync knob ABS_X=9", "remove buttons"])
    try folder.write(
      "[device.dial]\nmatch = { name = \"Knob*\" }\n[control.volume]\nrotate = \"dial:REL_DIAL\"\ninitial = 5\n",
      to: "x.toml")
    let replay = try await Program.run(["replay", file, "--config", "\(folder.path)/x.toml"])
    #expect(
      replay.output.hasPrefix(
        """
        # knob (Knob \\u{202e}\\n) is dial, of [device.dial]
        # buttons (Buttons): no [device.NAME] of the configuration matches it; it is left out
        0ms add dial -> publish 5
        0ms frame dial REL_DIAL=1 -> publish 6 editing
        1.5ms frame dial REL_DIAL=-2 BTN_0=0 -> publish 4 editing

        """), "\(replay)")
    let refused = try await Program.run(["record", file, "--time", "1s"], environment: environment)
    #expect(refused.status == 1 && refused.errors.contains("exists already; --force replaces it"))
    let forced = try await Program.run(["record", file, "--time", "1s", "--force"], environment: environment)
    #expect(forced.status == 0)
  }

  @Test func `makes a file of its own in the place of one that others may read, and of a link`() async throws
  {
    let (folder, peer) = (try TemporaryFolder(), try Self.peer())
    func record(_ name: String) async throws -> Run {
      try await Program.run(
        ["record", "\(folder.path)/\(name)", "--force", "--time", "100ms", "--address", peer.path])
    }
    func mode(_ name: String) throws -> UInt32 {
      var status = stat()
      guard unsafe stat("\(folder.path)/\(name)", &status) == 0 else { throw TestFailure(name) }
      return status.st_mode & 0o7777
    }
    try folder.write("old", to: "file")
    unsafe chmod("\(folder.path)/file", 0o644)
    unsafe symlink("file", "\(folder.path)/link")
    for name in ["file", "link"] {
      #expect(try await record(name).status == 0)
      #expect(try mode("file") == 0o600 && folder.read("file").hasPrefix("stepperd-recording 1\n"))
      unsafe chmod("\(folder.path)/file", 0o644)
    }
    var link = stat()
    #expect(unsafe lstat("\(folder.path)/link", &link) == 0 && link.st_mode & S_IFMT == S_IFLNK)
    #expect(try await record("new").status == 0 && mode("new") == 0o600)
    let folderRun = try await record(".")
    #expect(folderRun.status == 1 && folderRun.errors.contains("cannot create"), "\(folderRun)")
  }

  @Test func `a file whose first line has no end is refused, however long it is`() async throws {
    let run = try await Program.run(["replay", "/dev/zero"])
    #expect(run.status != 0)
    #expect(run.errors.contains("/dev/zero:1: error: the line is longer than 2097152 bytes"), "\(run)")
  }

  @Test func `asks for the devices that are named, and says what keyboards mean`() async throws {
    let peer = try Self.peer()
    let run = try await Program.run(
      ["record", "-", "knob", "kb*", "--keyboards", "--time", "1s"],
      environment: ["STEPPERD_ADDRESS": peer.path])
    #expect(
      peer.heard == ["List {}", #"Monitor {"match":["knob","kb*"],"unused":true,"keyboards":true}"#])
    #expect(run.output.contains("# This file contains what was typed on the recorded keyboards."))
    let all = try await Program.run(["record", "-", "--keyboards"])
    #expect(all.status == 2 && all.errors.contains("--keyboards needs the names of the devices"))
  }

  @Test func `of a device that does not exist is 4, and makes no file`() async throws {
    let (folder, daemon) = (try TemporaryFolder(), try SmallDaemon.start())
    let run = try await Program.run(["record", "\(folder.path)/x", "knbo", "--address", daemon.path])
    #expect(run == Run(errors: "stepperctl: there is no device 'knbo'; did you mean 'knob'?\n", status: 4))
    #expect(!folder.contains("x"))
  }

  @Test func `into a FIFO without a reader ends with the first signal`() throws {
    let (folder, daemon) = (try TemporaryFolder(), try Self.peer())
    guard unsafe mkfifo("\(folder.path)/x", 0o600) == 0 else { throw TestFailure("mkfifo") }
    let child = try ChildProcess(
      builtProgram("stepperctl"), ["record", "\(folder.path)/x", "--force", "--address", daemon.path])
    #expect(Deadline().wait { !daemon.heard.isEmpty })
    child.signal(SIGTERM)
    #expect(try child.waitForExit() == -SIGTERM)
  }

  @Test func `keeps whole lines where the file may not grow`() async throws {
    let (folder, peer) = (try TemporaryFolder(), try Self.peer())
    let command = "\(builtProgram("stepperctl")) record \(folder.path)/x --time 1s --address \(peer.path)"
    // A block of 512 bytes.
    let run = try await Program.run(["-c", "ulimit -f 1; exec \(command)"], program: "/bin/sh")
    #expect(run.status == 1 && run.errors.contains("cannot write \(folder.path)/x: File too large"), "\(run)")
    let text = try folder.read("x")
    #expect(text.hasPrefix("stepperd-recording 1\n") && text.hasSuffix("\n"), "\(text)")
  }

  @Test func `creates no file when no daemon answers`() async throws {
    let folder = try TemporaryFolder()
    let run = try await Program.run(
      ["record", "\(folder.path)/x"], environment: ["STEPPERD_ADDRESS": "/nonexistent"])
    #expect(run.status == 3 && !folder.contains("x"))
  }

  @Test func `shows a file without a name as such`() async throws {
    let peer = try Self.peer()
    let run = try await Program.run(["record", ""], environment: ["STEPPERD_ADDRESS": peer.path])
    #expect(run == Run(errors: "stepperctl: cannot create '': No such file or directory\n", status: 1))
  }

  @Test func `is text on the standard output, with messages as JSON if these are wanted`() async throws {
    let peer = try Self.peer()
    let run = try await Program.run(
      ["record", "-", "--json", "--time", "1s"], environment: ["STEPPERD_ADDRESS": peer.path])
    #expect(run.status == 0 && run.output.hasPrefix("stepperd-recording 1\n"), "\(run)")
    #expect(run.errors.split(separator: "\n").allSatisfy { $0.hasPrefix(#"{"message":""#) }, "\(run.errors)")
  }

  // MARK: A daemon

  private static func peer() throws -> AnsweringPeer {
    try AnsweringPeer { call in
      guard call.method == DeviceInterface.Monitor.name else { return try SmallDaemon.answer(call) }
      let first = DeviceInterface.Monitor.Reply(devices: [knob], removed: [], frames: [], dropped: 0)
      let frames = [
        frame("knob", 1_000_000, [.init(code: "REL_DIAL", value: 1)]),
        frame("knob", 1_001_500, [.init(code: "REL_DIAL", value: -2), .init(code: "BTN_0", value: 0)]),
      ]
      let second = DeviceInterface.Monitor.Reply(devices: [], removed: [], frames: frames, dropped: 0)
      let third = DeviceInterface.Monitor.Reply(
        devices: [buttons], removed: [],
        frames: [
          frame("buttons", 2_000_000, [.init(code: "KEY_VOLUMEUP", value: 1)]),
          frame("knob", 2_000_000, [.init(code: "ABS_X", value: 9)], resynchronized: true),
        ], dropped: 7)
      let last = DeviceInterface.Monitor.Reply(devices: [], removed: ["buttons"], frames: [], dropped: 0)
      return try [first, second, third, last].map {
        try .of(DeviceInterface.Monitor.self, $0, continues: true)
      }
    }
  }

  private static func frame(
    _ device: String, _ time: Int64, _ events: [DeviceInterface.InputEvent], resynchronized: Bool = false
  ) -> DeviceInterface.Frame {
    DeviceInterface.Frame(
      device: device, monotonicMicroseconds: time, resynchronized: resynchronized, events: events,
      consequences: [])
  }

  private static let knob = DeviceInterface.MonitoredDevice(
    device: "knob", name: "Knob \u{202e}\n", bus: 3, vendor: "077d", product: "0410", physicalPath: "usb-1",
    uniqueName: "", node: "/dev/input/event5", links: ["/dev/input/by-id/knob"],
    properties: ["ID_BUS": "usb", "USEC_INITIALIZED": "7"], generalPurpose: false,
    codes: ["REL_DIAL", "ABS_X"],
    axes: [.init(code: "ABS_X", minimum: 0, maximum: 1023, fuzz: 4, flat: 0, resolution: 0, value: 7)],
    keysDown: ["BTN_0"])
  private static let buttons = DeviceInterface.MonitoredDevice(
    device: "buttons", name: "Buttons", bus: 25, vendor: "0001", product: "0001", physicalPath: "",
    uniqueName: "", node: "/dev/input/event6", links: [], properties: [:], generalPurpose: false,
    codes: ["KEY_VOLUMEUP"], axes: [], keysDown: [])
}

@Suite(.timeLimit(.minutes(10))) struct `stepperctl replay` {
  private static let recording = """
    stepperd-recording 1
    device a
      codes REL_DIAL KEY_VOLUMEUP BTN_3 BTN_4 REL_WHEEL REL_WHEEL_HI_RES
      axis ABS_X 0..1000 at 0
    0ms frame a REL_DIAL=2
    1ms frame a KEY_VOLUMEUP=1
    2ms frame a KEY_VOLUMEUP=2 ABS_X=250
    3ms frame a KEY_VOLUMEUP=0 BTN_4=1
    4ms frame a REL_WHEEL=1 REL_WHEEL_HI_RES=120 BTN_3=1
    5ms remove a

    """

  @Test func `begins with the first movement, whenever that was`() async throws {
    let peer = try AnsweringPeer { _ in [VarlinkReply()] }
    let recording = "stepperd-recording 1\ndevice a\n  codes REL_DIAL\n3600000ms frame a REL_DIAL=2\n"
    let run = try await Program.run(
      ["replay", "-", "--real", "--device", "panel"], environment: ["STEPPERD_ADDRESS": peer.path],
      input: recording)
    #expect(run.status == 0, "\(run)")
    #expect(peer.heard == [#"Turn {"device":"panel","input":"dial","detents":2}"#])
  }

  @Test func `moves a virtual device of the daemon, and says what it maps`() async throws {
    let peer = try AnsweringPeer { _ in [VarlinkReply()] }
    let run = try await Program.run(
      ["replay", "-", "--real", "--device", "panel"], environment: ["STEPPERD_ADDRESS": peer.path],
      input: Self.recording)
    #expect(run.status == 0, "\(run)")
    #expect(
      peer.heard == [
        #"Turn {"device":"panel","input":"dial","detents":2}"#, #"Press {"device":"panel","input":"plus"}"#,
        #"Move {"device":"panel","input":"fader","position":0.25}"#,
        #"Release {"device":"panel","input":"plus"}"#,
        #"Turn {"device":"panel","input":"dial","detents":1}"#, #"Press {"device":"panel","input":"push"}"#,
        #"Release {"device":"panel","input":"push"}"#,
      ])
    for line in [
      "a:REL_DIAL moves panel:dial", "a:BTN_3 moves panel:push",
      "a:BTN_4 is left out: panel has no input for it",
      "a:REL_WHEEL_HI_RES is left out: it is in the notches too", "a:ABS_X moves panel:fader",
    ] { #expect(run.errors.contains(line), "\(line) is not in \(run.errors)") }
  }

  @Test func `moves the same inputs when the device is plugged in again`() async throws {
    let peer = try AnsweringPeer { _ in [VarlinkReply()] }
    let device = "device a\n  codes BTN_3\n  axis ABS_X 0..1000 at 0\n"
    let recording = """
      stepperd-recording 1
      \(device)0ms frame a BTN_3=1 ABS_X=500
      1ms remove a
      \(device.replacing("0..1000", with: "0..100"))2ms add a
      3ms frame a BTN_3=1 ABS_X=25
      4ms frame a BTN_3=0

      """
    let run = try await Program.run(
      ["replay", "-", "--real", "--device", "panel"], environment: ["STEPPERD_ADDRESS": peer.path],
      input: recording)
    #expect(run.status == 0 && !run.errors.contains("left out"), "\(run)")
    #expect(
      peer.heard == [
        #"Press {"device":"panel","input":"push"}"#,
        #"Move {"device":"panel","input":"fader","position":0.5}"#,
        #"Release {"device":"panel","input":"push"}"#, #"Press {"device":"panel","input":"push"}"#,
        #"Move {"device":"panel","input":"fader","position":0.25}"#,
        #"Release {"device":"panel","input":"push"}"#,
      ])
  }

  @Test func `prints what differs as JSON, too`() async throws {
    let page = try TemporaryFolder.contents(ofSource: "Documentation/recordings.md")
    let block = try #require(page.split(separator: "```\n").first { $0.hasPrefix("stepperd-log 1\n") })
    let changed = String(block).replacing(
      "3 editing, volume increment #5", with: "4 editing, volume increment #6")
    let run = try await Program.run(["replay", "-", "--check", "--json"], input: changed)
    let expected =
      #"{"input":"frame panel#1 REL_DIAL=3","line":10,"milliseconds":2019.356445,"#
      + #""now":"publish volume 3 editing, volume increment","recorded":"publish volume 4 editing, volume increment"}"#
    #expect(run.status == 1 && run.output == "\(expected)\n", "\(run)")
    #expect(run.errors.contains("4 lines compared, 1 differ"))
  }

  @Test func `plays what a configuration includes`() async throws {
    let folder = try TemporaryFolder()
    let included = "[device.a]\nmatch = { has = [\"REL_DIAL\"] }\n[control.volume]\nrotate = \"a:REL_DIAL\"\n"
    try folder.write("[daemon]\ninclude = \"\(folder.path)/in.toml\"\n[control.other]\n", to: "x.toml")
    try folder.write(included, to: "in.toml")
    unsafe chmod("\(folder.path)/in.toml", 0o600)
    let arguments = ["replay", "-", "--config", "\(folder.path)/x.toml"]
    let run = try await Program.run(arguments, input: Self.recording)
    #expect(run.status == 0 && run.errors == "" && run.output.contains("frame a REL_DIAL=2"), "\(run)")
    try folder.write("[control.volume]\nnonsense = 1\n", to: "in.toml")
    let without = try await Program.run(arguments, input: Self.recording)
    #expect(without.status == 0 && without.errors.contains("includes is left out"), "\(without)")
  }

  @Test func `plays the recording of the engine that the documents show`() async throws {
    let page = try TemporaryFolder.contents(ofSource: "Documentation/recordings.md")
    let block = try #require(page.split(separator: "```\n").first { $0.hasPrefix("stepperd-log 1\n") })
    let run = try await Program.run(["replay", "-", "--check"], input: String(block))
    #expect(run == Run(output: "4 lines compared, none differs\n"))
  }

  @Test func `leaves out a last line that is cut`() async throws {
    let folder = try TemporaryFolder()
    try folder.write(
      "[device.a]\nmatch = { has = [\"REL_DIAL\"] }\n[control.volume]\nrotate = \"a:REL_DIAL\"\n",
      to: "x.toml")
    for cut in ["5ms", "5ms frame a", "5ms frame a REL_DIAL=1"] {
      let run = try await Program.run(
        ["replay", "-", "--config", "\(folder.path)/x.toml"],
        input: Self.recording.replacing("5ms remove a\n", with: cut))
      #expect(run.status == 0 && run.output.contains("4ms frame a"), "\(run)")
      #expect(run.errors == "stepperctl: the last line of <stdin> is incomplete, and is left out\n")
      #expect(!run.output.contains("5ms frame"), "\(run)")
    }
  }

  private static let log = """
    stepperd-log 1
    start 0ms
    configuration "x.toml"
    | [device.panel]
    | virtual = true
    | [control.volume]
    | rotate = "panel:dial"
    0ms add panel#1 REL_DIAL -> publish volume 0
    1ms frame panel#1 REL_DIAL=3 -> publish volume 3

    """

  @Test(arguments: [
    "\(String(repeating: "# A comment.\n", count: 100))\(log)", " \t\n  \(log)",
    log.replacing("\n", with: "\r\n"),
  ])
  func `knows a log of the engine by its first line`(text: String) async throws {
    let run = try await Program.run(["replay", "-"], input: text)
    #expect(
      run.status == 0 && run.output.contains("1ms frame panel#1 REL_DIAL=3 -> publish 3"), "\(run)")
  }

  @Test func `prints what precedes a line with an error, and leaves out one that is cut`() async throws {
    let wrong = try await Program.run(["replay", "-"], input: Self.log + "2ms nonsense panel#1\n")
    #expect(wrong.status == 1 && wrong.output.contains("1ms frame panel#1"), "\(wrong)")
    #expect(wrong.errors.contains("<stdin>:10: error:"))
    let cut = try await Program.run(
      ["replay", "-", "--check"], input: Self.log + "2ms frame panel#1 REL_DIAL=1 -> publish volume 4 #5a")
    #expect(
      cut.status == 0 && cut.errors.contains("the last line of <stdin> is incomplete, and is left out"),
      "\(cut)")
  }

  @Test func `prints JSON, with the moments if they are wanted`() async throws {
    let folder = try TemporaryFolder()
    try folder.write(
      "[device.a]\nmatch = { has = [\"REL_DIAL\"] }\n[control.volume]\nrotate = \"a:REL_DIAL\"\n",
      to: "x.toml")
    let run = try await Program.run(
      ["replay", "-", "--config", "\(folder.path)/x.toml", "--json", "--moments"], input: Self.recording)
    let lines = run.output.split(separator: "\n")
    #expect(lines.first == #"{"device":"a","missing":[],"name":"","recorded":"a"}"#)
    #expect(
      lines.contains {
        $0.contains(#""input":"frame a REL_DIAL=2","milliseconds":0"#)
          && $0.contains(#""moment":"increment""#)
      },
      "\(run)")
  }

  @Test(
    arguments: [
      (["replay", "-"], "", 1, "<stdin>:1: error: it is empty"),
      (["replay", "-"], "stepperd-recording 1\nx\n", 1, "<stdin>:2: error:"),
      (
        ["replay", "-", "--check"], "stepperd-recording 1\n", 2,
        "--check is for recordings of 'stepperd --record'"
      ),
      (["replay", "-", "--config", "-"], "", 2, "cannot be both"),
      (["replay", "-", "--real"], "", 2, "--real needs --device"),
      (["replay", "/nonexistent"], "", 1, "cannot read /nonexistent"),
      (
        ["replay", "-"], "stepperd-log 1\nstart 0ms\n1ms ->\n", 1,
        "<stdin>:3: error: there is no configuration above"
      ),
      (["replay", "-", "--config", "x"], "stepperd-log 1\nstart 0ms\n", 2, "contains its configuration"),
      (["replay", "-"], "stepperd-log 1\nstart 0ms\n", 0, "has no last line"),
      (["replay", "-"], "stepperd-log 1\nstart 0ms 9223372036854775807\n", 1, "is no number of a change"),
      (["replay", "-"], "stepperd-log 1\nstart 0ms 5 7\n", 1, "7"),
    ] as [([String], String, Int32, String)])
  func `a wrong use is explained`(arguments: [String], input: String, status: Int32, text: String)
    async throws
  {
    let run = try await Program.run(arguments, input: input)
    #expect(run.status == status && run.errors.contains(text), "\(run)")
  }
}
