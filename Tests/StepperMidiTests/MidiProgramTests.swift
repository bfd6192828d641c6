import TestSupport
import Testing

/// The program's command line.
@Suite(.timeLimit(.minutes(5))) struct MidiProgramTests {
  @Test(
    arguments: [
      ("[midi.a]\nport = \"nano*\"\nprotocol = \"mackie\"\n", 0, "a: nano*: mackie"),
      ("[midi.a]\nport = \"nano*\"\nignore = true\n", 0, "a: nano*: left alone"),
      ("", 0, "no errors in 0 tables of MIDI"), ("[midi.a]\n", 78, "needs port"),
      ("[midi.a]\nport = \"x\"\nknobs = [\"16\"]\n", 78, "must be a controller such as"),
    ] as [(String, Int32, String)])
  func `checks its tables`(text: String, status: Int32, words: String) throws {
    let folder = try TemporaryFolder()
    try folder.write(text, to: "stepperd.toml")
    let result = try run(
      builtProgram("stepperd-midi"), ["--check", "--config", "\(folder.path)/stepperd.toml"])
    #expect(result.status == status && result.output.contains(words), "\(result.output)")
  }

  @Test func `names its options, and refuses others`() throws {
    let program = builtProgram("stepperd-midi")
    #expect(try run(program, ["--help"]).output.contains("--list"))
    #expect(try run(program, ["--nonsense"]).status == 64)
  }
}
