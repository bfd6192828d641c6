import Glibc
import StepperCore
import StepperLinux
import SystemPackage
import TestSupport
import Testing

/// Outputs in virtual time, on files that stand for those of sysfs.
@Suite struct DeviceOutputsTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// A directory of the LED class.
  private func directory(_ name: String, _ files: [String: String]) throws -> FilePath {
    let path = FilePath(folder.path).appending(name)
    unsafe mkdir(path.string, 0o755)
    for (file, text) in files { try folder.write(text, to: "\(name)/\(file)") }
    return path
  }

  private func read(_ path: FilePath, _ name: String) throws -> String {
    let text = try folder.read("\(path.lastComponent?.string ?? "")/\(name)")
    return text.split(separator: "\n").joined()
  }

  @Test func `a light follows a value, and only changes are written`() throws {
    let path = try directory("ring", ["max_brightness": "200\n", "brightness": "7\n"])
    let outputs = DeviceOutputs(of: nil, lights: [try LightOutput(directory: path)])
    #expect(outputs.lights == ["ring"])
    #expect(outputs.kinds == [.classLED])
    for (brightness, level) in [(0.25, "50"), (1, "200"), (7.5, "200"), (-1, "0"), (.nan, "0")] {
      #expect(outputs.setLight("ring", brightness: brightness))
      #expect(try read(path, "brightness") == level)
    }
    try folder.write("touched", to: "ring/brightness")
    outputs.setLight("ring", brightness: 0.001)
    #expect(try read(path, "brightness") == "touched")
    outputs.close()
    #expect(try read(path, "brightness") == "7")
    #expect(!outputs.setLight("ring", brightness: 1))
  }

  @Test func `a flash is the opposite of what is shown, and the value is shown again after it`() throws {
    let path = try directory("ring", ["max_brightness": "255", "brightness": "0"])
    let outputs = DeviceOutputs(of: nil, lights: [try LightOutput(directory: path)])
    outputs.setLight("ring", brightness: 1)
    #expect(outputs.play(.success, at: .milliseconds(0)) == .classLED)
    #expect(try read(path, "brightness") == "0")
    #expect(outputs.deadline == .milliseconds(100))
    outputs.setLight("ring", brightness: 0.4)
    #expect(try read(path, "brightness") == "0")
    outputs.advance(to: .milliseconds(99))
    #expect(try read(path, "brightness") == "0")
    outputs.advance(to: .milliseconds(100))
    #expect(try read(path, "brightness") == "102")
    #expect(outputs.deadline == .milliseconds(200))
    outputs.advance(to: .milliseconds(200))
    #expect(try read(path, "brightness") == "255")
    outputs.advance(to: .milliseconds(300))
    #expect(try read(path, "brightness") == "102")
    #expect(outputs.deadline == nil)
  }

  @Test func `a pulse that was slept over is left out, and what is on goes off`() throws {
    let path = try directory("ring", ["max_brightness": "1", "brightness": "0"])
    let outputs = DeviceOutputs(of: nil, lights: [try LightOutput(directory: path)])
    outputs.play(.error, at: .milliseconds(0))
    outputs.advance(to: .milliseconds(5000))
    #expect(try read(path, "brightness") == "0")
    #expect(outputs.deadline == nil)
    #expect(outputs.play(.light, at: .milliseconds(5000)) == .classLED)
  }

  @Test func `what comes too soon is dropped, and a stronger effect takes over`() throws {
    let path = try directory("ring", ["max_brightness": "1", "brightness": "0"])
    let outputs = DeviceOutputs(of: nil, lights: [try LightOutput(directory: path)])
    #expect(outputs.play(.medium, at: .milliseconds(0)) == .classLED)
    #expect(outputs.play(.medium, at: .milliseconds(0)) == nil)
    #expect(outputs.play(.light, at: .milliseconds(10)) == nil)
    #expect(outputs.play(.heavy, at: .milliseconds(20)) == .classLED)
    #expect(outputs.deadline == .milliseconds(140))
    outputs.advance(to: .milliseconds(140))
    // It is over, but the output rests.
    #expect(outputs.play(.heavy, at: .milliseconds(159)) == nil)
    #expect(outputs.play(.light, at: .milliseconds(160)) == .classLED)
    #expect(outputs.play(.none, at: .milliseconds(900)) == nil)
  }

  @Test func `a storm leaves as many pulses as there is room for`() throws {
    let path = try directory("ring", ["max_brightness": "1", "brightness": "0"])
    let outputs = DeviceOutputs(of: nil, lights: [try LightOutput(directory: path)])
    let played = (0..<1000).count { milliseconds in
      outputs.advance(to: .milliseconds(Int64(milliseconds)))
      return outputs.play(.selection, at: .milliseconds(Int64(milliseconds))) != nil
    }
    #expect(played == 17)  // one in 40 + 20 ms
    #expect(outputs.deadline == .milliseconds(1000))
  }

  @Test func `a light that fails is not used any more, and that is told once`() throws {
    let path = try directory("ring", ["max_brightness": "1", "brightness": "0"])
    let vibrator = try directory("vibrator", ["max_brightness": "1", "brightness": "0"])
    let outputs = DeviceOutputs(
      of: nil, vibrator: try Vibrator(directory: vibrator), lights: [try LightOutput(directory: path)])
    #expect(outputs.kinds == [.vibrator, .classLED])
    for directory in [path, vibrator] {
      unsafe unlink(directory.appending("brightness").string)
      unsafe mkdir(directory.appending("brightness").string, 0o755)
    }
    #expect(outputs.play(.heavy, at: .milliseconds(0)) == nil)
    #expect(outputs.kinds.isEmpty)
    let problems = outputs.takeProblems()
    #expect(problems.map(\.kind) == [.vibrator, .classLED])
    #expect(problems.first?.error == .isDirectory)
    #expect(problems.last?.message.contains("class-led of ring") == true)
    #expect(outputs.takeProblems().isEmpty)
  }

  @Test func `a vibrator without triggers is switched off by its brightness`() throws {
    let path = try directory("vibrator", ["max_brightness": "10", "brightness": "0"])
    let outputs = DeviceOutputs(of: nil, vibrator: try Vibrator(directory: path))
    outputs.play(.heavy, at: .milliseconds(0))
    #expect(try read(path, "brightness") == "9")
    #expect(outputs.deadline == .milliseconds(35))
    outputs.advance(to: .milliseconds(35))
    #expect(try read(path, "brightness") == "0")
    outputs.play(.error, at: .milliseconds(100))
    outputs.close()
    #expect(try read(path, "brightness") == "0")
  }

  @Test func `a vibrator with the transient trigger ends by itself`() throws {
    let path = try directory(
      "vibrator",
      [
        "max_brightness": "255", "brightness": "0", "trigger": "none timer [transient]", "activate": "0",
        "duration": "0", "state": "0",
      ])
    let outputs = DeviceOutputs(of: nil, vibrator: try Vibrator(directory: path))
    #expect(try read(path, "state") == "1")
    outputs.play(.heavy, at: .milliseconds(0))
    #expect(try (read(path, "duration"), read(path, "activate")) == ("35", "1"))
    #expect(outputs.deadline == nil)
    outputs.close()
    #expect(try (read(path, "activate"), read(path, "trigger")) == ("0", "none timer [transient]"))
  }

  @Test func `a vibrator whose trigger's files may not be written is driven by its brightness`() throws {
    let path = try directory(
      "vibrator", ["max_brightness": "255", "brightness": "0", "trigger": "[heartbeat] transient"])
    let outputs = DeviceOutputs(of: nil, vibrator: try Vibrator(directory: path))
    #expect(try read(path, "trigger") == "heartbeat")
    outputs.play(.rigid, at: .milliseconds(0))
    #expect(try read(path, "brightness") == "255")
    #expect(outputs.deadline == .milliseconds(10))
  }

  @Test func `a directory that is no light is none`() throws {
    #expect(throws: Errno.noSuchFileOrDirectory) { try LightOutput(directory: FilePath(folder.path)) }
    let path = try directory("odd", ["max_brightness": "many", "brightness": "0"])
    #expect(throws: Errno.invalidArgument) { try LightOutput(directory: path) }
    #expect(throws: Errno.invalidArgument) { try Vibrator(directory: path) }
  }
}
