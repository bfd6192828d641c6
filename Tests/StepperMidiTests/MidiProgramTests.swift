import Glibc
import StepperLinux
import StepperProgram
import SystemPackage
import TestSupport
import Testing

/// The program's command line.
@Suite(.timeLimit(.minutes(5))) struct MidiProgramTests {
  @Test(
    arguments: [
      ("[midi.a]\nport = \"nano*\"\nprotocol = \"mackie\"\n", 0, "a: nano*: mackie"),
      ("[midi.a]\nport = \"nano*\"\nignore = true\n", 0, "a: nano*: left alone"),
      ("", 0, "no table of MIDI; 'stepperctl check' checks the other tables"),
      ("[midi.a]\n", 78, "needs port"),
      ("[midi.a]\nport = \"x\"\nknobs = [\"16\"]\n", 78, "must be a controller such as"),
    ] as [(String, Int32, String)])
  func `checks its tables`(text: String, status: Int32, words: String) throws {
    let folder = try TemporaryFolder()
    try folder.write(text, to: "stepperd.toml")
    let result = try run(
      builtProgram("stepperd-midi"), ["--check", "--config", "\(folder.path)/stepperd.toml"])
    #expect(result.status == status && result.output.contains(words), "\(result.output)")
  }

  @Test(.enabled(if: unsafe access("/etc/stepperd/stepperd.toml", F_OK) != 0))
  func `says that there is no file`() throws {
    let folder = try TemporaryFolder()
    let result = try run(
      builtProgram("stepperd-midi"), ["--check"], environment: ["CONFIGURATION_DIRECTORY": folder.path])
    #expect(result.status == 0)
    #expect(
      result.output
        == "/etc/stepperd/stepperd.toml: there is no such file, so there is no table of MIDI\n")
  }

  @Test func `what was found is forgotten as the guide says`() throws {
    let folder = try TemporaryFolder()
    var file = StateFile("inputs.json", in: FilePath(folder.path))
    try file.open()
    for word in ["knob-sign REL_DIAL", "fader ABS_X"] {
      _ = try file.write(Array("{\"nano\\tcc-1-16\":\"\(word)\"}".utf8))
    }
    let guide = try TemporaryFolder.contents(ofSource: "Documentation/guides/midi.md")
    let line = try #require(guide.split(separator: "\n").first { $0.hasPrefix("sudo rm ") })
    let command = String(line.dropFirst("sudo ".count))
      .replacing("/var/lib/stepperd-midi", with: folder.path)
    #expect(try run("/bin/sh", ["-c", command]).status == 0)
    #expect(try file.newest([String: String].self, limit: 1 << 20) == nil)
  }

  @Test func `names its options, and refuses others`() throws {
    let program = builtProgram("stepperd-midi")
    #expect(try run(program, ["--help"]).output.contains("--list"))
    #expect(try run(program, ["--nonsense"]).status == 64)
  }
}
