import FoundationEssentials
import Glibc
import StepperInterfaces
import TestSupport
import Testing
import Varlink

/// Files of values that are not what the daemon wrote: what is in them is used as far as it can be, and none is lost.
@Suite(.timeLimit(.minutes(10)))
struct DamagedFileTests {
  private static let configuration = """
    [daemon]
    save-after = "1h"
    save-interval = "1h"
    [device.panel]
    virtual = true
    [control.bass]
    initial = 7
    rotate = "panel:dial"
    [control.volume]
    initial = 7
    """

  private func folder(with text: String, _ name: String = "values.json") throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    try makeStateFolder(in: folder)
    try folder.write(text, to: "state/stepperd/\(name)")
    return folder
  }

  private func makeStateFolder(in folder: TemporaryFolder) throws {
    try FileManager.default.createDirectory(
      atPath: "\(folder.path)/state/stepperd", withIntermediateDirectories: true)
  }

  private func names(in folder: TemporaryFolder) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: "\(folder.path)/state/stepperd").sorted()
  }

  /// Those that were set aside, which have a date in their names.
  private func setAside(in folder: TemporaryFolder) throws -> [String] {
    try names(in: folder).filter { $0.hasPrefix("values.json.2") }
  }

  /// Values of the daemon that has these files, after it has saved once.
  private func values(
    in folder: TemporaryFolder, configuration: String = configuration, expecting message: String? = nil
  ) throws -> [Double?] {
    let daemon = try RunningDaemon(configuration, in: folder)
    if let message {
      let lines = daemon.process.output.split(separator: "\n").filter { $0.contains("values") }
      #expect(lines.count == 1 && lines[0].contains(message), "\(lines)")
    }
    let client = try daemon.client()
    let values = try ["bass", "volume"].map { try client.state(of: $0).value }
    _ = try client.call(ManagerInterface.Save.self, NoParameters())
    #expect(try daemon.stop() == 0)
    return values
  }

  /// Two generations: before the last save 10 and 20, and then 11 and 20.
  private func savedTwice() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    let daemon = try RunningDaemon(Self.configuration, in: folder)
    let client = try daemon.client()
    try client.call(ControlInterface.Set.self, .init(control: "bass", value: 10))
    try client.call(ControlInterface.Set.self, .init(control: "volume", value: 20))
    _ = try client.call(ManagerInterface.Save.self, NoParameters())
    try client.turn(1)
    _ = try client.call(ManagerInterface.Save.self, NoParameters())
    daemon.process.signal(SIGKILL)
    #expect(try daemon.process.waitForExit() == -SIGKILL)
    return folder
  }

  @Test(arguments: ["", "{ not json", "null", "[1,2]", "\0\0\0\0", #"{"a":"b"}"#, "bass = 3\n"])
  func `a file of another kind is kept under a name with its date`(text: String) throws {
    let folder = try folder(with: text)
    #expect(try values(in: folder, expecting: "values.json is damaged") == [7, 7])
    let name = try #require(try setAside(in: folder).first)
    #expect(try folder.read("state/stepperd/\(name)") == text)
  }

  @Test func `a file of a newer version is kept, and its values are not guessed`() throws {
    let folder = try folder(with: #"{"version":99,"values":{"bass":"3"}}"#)
    #expect(try values(in: folder, expecting: "newer") == [7, 7])
    #expect(try setAside(in: folder).count == 1)
  }

  @Test func `the older generation stands in for what is damaged, and nothing else`() throws {
    let folder = try savedTwice()
    let text = try folder.read("state/stepperd/values.json")
    // One digit of the volume.
    try folder.write(text.replacing("\"20\"", with: "\"21\""), to: "state/stepperd/values.json")
    #expect(try values(in: folder, expecting: "values.json is damaged") == [11, 20])
    #expect(try setAside(in: folder).count == 1)
  }

  @Test(arguments: [0, 1, 10, 40])
  func `a file that was cut off is completed from the older generation`(length: Int) throws {
    let folder = try savedTwice()
    let text = try folder.read("state/stepperd/values.json")
    try folder.write(String(text.prefix(length)), to: "state/stepperd/values.json")
    #expect(try values(in: folder, expecting: "values.json is damaged") == [10, 20])
  }

  @Test func `without the newer generation the older one is used`() throws {
    let folder = try savedTwice()
    folder.remove("state/stepperd/values.json")
    #expect(try values(in: folder, expecting: "values.json is missing") == [10, 20])
  }

  @Test func `a file larger than any of ours is kept, and its readable entries are used`() throws {
    let folder = try savedTwice()
    let text = try folder.read("state/stepperd/values.json")
    try folder.write(text + String(repeating: "x", count: 3 << 20), to: "state/stepperd/values.json")
    #expect(try values(in: folder, expecting: "values.json is damaged") == [11, 20])
    #expect(try setAside(in: folder).count == 1)
  }

  @Test(arguments: TemporaryFolder.Kind.all)
  func `what is no file is set aside, and what a link leads to is left alone`(
    kind: TemporaryFolder.Kind
  ) throws {
    let folder = try TemporaryFolder()
    try makeStateFolder(in: folder)
    try folder.write("precious", to: "target")
    try folder.make(kind, at: "state/stepperd/values.json")
    #expect(try values(in: folder, expecting: "values.json is a") == [7, 7])
    #expect(try setAside(in: folder).count == 1)
    #expect(try folder.read("target") == "precious")
  }

  @Test func `a link where the new file is to be made is not followed`() throws {
    let folder = try TemporaryFolder()
    try makeStateFolder(in: folder)
    try folder.write("precious", to: "target")
    for name in [".values.json.new", ".values.previous.json.new", "values.previous.json"] {
      try folder.make(.link, at: "state/stepperd/\(name)")
    }
    _ = try values(in: folder)
    #expect(try folder.read("target") == "precious")
  }

  @Test func `a link in the place of the lock is not followed, and said`() throws {
    let folder = try TemporaryFolder()
    try makeStateFolder(in: folder)
    try folder.write("precious", to: "target")
    try folder.make(.link, at: "state/stepperd/lock")
    let daemon = try RunningDaemon(Self.configuration, in: folder)
    try daemon.process.expectOutput("lock is a symbolic link, not a file")
    #expect(try folder.read("target") == "precious")
    folder.remove("state/stepperd/lock")
    _ = try daemon.client().call(ManagerInterface.Save.self, NoParameters())
  }

  @Test func `a file that takes the place of ours while it runs is not overwritten`() throws {
    let folder = try TemporaryFolder()
    let daemon = try RunningDaemon(Self.configuration, in: folder)
    let client = try daemon.client()
    try client.turn(1)
    _ = try client.call(ManagerInterface.Save.self, NoParameters())
    try folder.write("a backup that somebody restored", to: "state/stepperd/values.json")
    _ = try client.call(ManagerInterface.Save.self, NoParameters())
    let name = try #require(try setAside(in: folder).first)
    #expect(try folder.read("state/stepperd/\(name)") == "a backup that somebody restored")
    #expect(try daemon.savedText().contains("\"8\""))
  }

  @Test func `a state directory that is removed while it runs is made again`() throws {
    let folder = try TemporaryFolder()
    let daemon = try RunningDaemon(Self.configuration, in: folder)
    let client = try daemon.client()
    try client.turn(1)
    _ = try client.call(ManagerInterface.Save.self, NoParameters())
    try FileManager.default.removeItem(atPath: "\(folder.path)/state")
    _ = try client.call(ManagerInterface.Save.self, NoParameters())
    #expect(try daemon.savedText().contains("\"8\""))
  }

  @Test func `only the newest damaged files are kept`() throws {
    let folder = try TemporaryFolder()
    try makeStateFolder(in: folder)
    for round in 0..<8 {
      try folder.write("damaged \(round)", to: "state/stepperd/values.json")
      _ = try values(in: folder)
    }
    let kept = try setAside(in: folder)
    #expect(try kept.map { try folder.read("state/stepperd/\($0)") } == (3..<8).map { "damaged \($0)" })
  }

  @Test func `the file and its folder are for the daemon's user alone`() throws {
    let folder = try TemporaryFolder()
    _ = try values(in: folder)
    #expect(folder.permissions(of: "state/stepperd") == 0o700)
    #expect(folder.permissions(of: "state/stepperd/values.json") == 0o600)
  }
}
