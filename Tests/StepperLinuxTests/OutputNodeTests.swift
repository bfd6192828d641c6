import TestSupport
import Testing

/// What outputs write to a node and ask of it, and how failures are told.
@Suite(.enabled(if: MockBed.isAvailable, "needs umockdev, gir1.2-umockdev-1.0 and python3-gi"), .serialized)
struct OutputNodeTests {
  private let bed: MockBed
  private static let node = "/dev/input/event7"

  init() throws { bed = try MockBed() }

  /// Lets the program do `commands`, one after the other, until its end; returns what it wrote.
  private func run(_ commands: String, injecting failures: String...) throws -> String {
    for failure in failures { try bed("inject event7 \(failure)") }
    let words = commands.split(separator: " ").map(String.init)
    try bed.start("input-probe", arguments: ["outputs", Self.node] + words)
    #expect(try bed.waitForExit() == 0)
    let state = try bed("state event7")
    return String(state.split(separator: " ").last?.dropFirst("written=".count) ?? "")
  }

  @Test func `an effect is uploaded once, played and erased`() throws {
    try bed("add event7 REL_DIAL FF_RUMBLE FF_GAIN")
    #expect(
      try run("--grab play success , gain 0.5 , close")
        == "upload:80:0,21:0:1,0:0:0,upload:80:1,21:1:1,0:0:0,21:96:32767,0:0:0,"
        + "21:1:0,0:0:0,erase:0,erase:1,21:96:65535,0:0:0")
    #expect(try bed.line("ready") == "ready grabbed=true kinds=rumble lights=")
    #expect(try bed.line("played") == "played rumble")
  }

  @Test func `a tone ends, and every event has its report`() throws {
    try bed("add event7 REL_DIAL SND_TONE SND_BELL")
    #expect(
      try run("play light , play light bell") == "18:2:1600,0:0:0,18:2:0,0:0:0,18:1:1,0:0:0,18:1:0,0:0:0")
  }

  @Test func `what the driver does not know is one kind's failure`() throws {
    try bed("add event7 FF_RUMBLE FF_CONSTANT SND_TONE")
    #expect(
      try run("play light , play light", injecting: "EVIOCSFF EINVAL")
        == "18:2:1600,0:0:0,18:2:0,0:0:0")
    #expect(try bed.line("problem") == "problem rumble 22")
    #expect(try bed.line("problem") == "problem constant 22")
  }

  @Test func `another failure is one of all force feedback`() throws {
    try bed("add event7 FF_RUMBLE FF_CONSTANT LED_MISC")
    #expect(try run("play light , outputs", injecting: "EVIOCSFF EIO") == "17:8:1,0:0:0,17:8:0,0:0:0")
    #expect(try bed.line("problem") == "problem rumble 5")
    #expect(try bed.line("kinds") == "kinds=led lights=LED_MISC")
  }

  @Test func `a device that is gone has none, and that is told once`() throws {
    try bed("add event7 FF_RUMBLE SND_TONE LED_MISC")
    #expect(
      try run("play light , play light , outputs , close", injecting: "write ENODEV") == "upload:80:0,erase:0"
    )
    #expect(try bed.line("played") == "played nothing")
    #expect(try bed.line("problem") == "problem rumble 19")
    #expect(try bed.line("played") == "played nothing")
    #expect(try bed.line("kinds") == "kinds= lights=LED_MISC")
  }

  @Test func `a light that fails is gone`() throws {
    try bed("add event7 LED_MISC LED_MUTE")
    #expect(
      try run("light LED_MUTE 1 , light LED_MUTE 1 , outputs", injecting: "write EIO") == "")
    #expect(try bed.line("light ") == "light false")
    #expect(try bed.line("problem") == "problem led 5")
    #expect(try bed.line("light ") == "light false")
    #expect(try bed.line("kinds") == "kinds= lights=LED_MISC")
  }

  @Test func `a device that may only be read has none`() throws {
    try bed("add event7 REL_DIAL FF_RUMBLE LED_MISC MSC_PULSELED")
    try bed("readonly event7")
    #expect(try run("play heavy , light LED_MISC 1 , close") == "")
    #expect(try bed.line("ready") == "ready grabbed=false kinds= lights=")
  }
}
