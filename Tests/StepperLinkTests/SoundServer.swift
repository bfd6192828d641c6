import FoundationEssentials
import Glibc
import TestSupport

/// A real PipeWire with WirePlumber and pipewire-pulse in a folder of its own, without a sound card: its sinks are null
/// sinks.
final class SoundServer {
  static var isAvailable: Bool {
    ["pipewire", "wireplumber", "pipewire-pulse", "pactl", "wpctl", "dbus-daemon"].allSatisfy {
      unsafe access("/usr/bin/\($0)", X_OK) == 0
    }
  }

  let folder: TemporaryFolder
  private var processes: [ChildProcess] = []
  private var pulse: ChildProcess?

  /// With the sinks `one`, which is the default, and `two`, both at 100 %.
  init() throws {
    folder = try TemporaryFolder()
    processes.append(
      try ChildProcess(
        "/usr/bin/dbus-daemon", ["--session", "--nofork", "--nopidfile", "--address=\(bus)"],
        environment: environment))
    try waitForFile("bus")
    processes.append(try ChildProcess("/usr/bin/pipewire", environment: environment))
    try waitForFile("pipewire-0")
    processes.append(try ChildProcess("/usr/bin/wireplumber", environment: environment))
    try startPulse()
    for sink in ["one", "two"] { try addSink(sink) }
    try makeDefault("one")
  }

  deinit {
    pulse?.signal(SIGKILL)
    for process in processes.reversed() { process.signal(SIGKILL) }
  }

  private var bus: String { "unix:path=\(folder.path)/bus" }

  var environment: [String: String] {
    LinkUnderTest.inherited.merging([
      "HOME": folder.path, "XDG_RUNTIME_DIR": folder.path, "XDG_CONFIG_HOME": "\(folder.path)/config",
      "XDG_STATE_HOME": "\(folder.path)/state", "DBUS_SESSION_BUS_ADDRESS": bus,
    ]) { $1 }
  }

  private func waitForFile(_ name: String) throws {
    let path = "\(folder.path)/\(name)"
    guard Deadline().wait(until: { unsafe access(path, F_OK) == 0 }) else {
      throw TestFailure("no \(path)")
    }
  }

  func startPulse() throws {
    _ = unsafe unlink("\(folder.path)/pulse/native")
    pulse = try ChildProcess("/usr/bin/pipewire-pulse", environment: environment)
    try waitForFile("pulse/native")
    try expectAnswer()
  }

  /// Waits until pipewire-pulse answers to a new client.
  func expectAnswer() throws {
    guard try Deadline().waitThrowing(until: { try command("/usr/bin/pactl", ["info"]).status == 0 })
    else {
      throw TestFailure("pipewire-pulse does not answer")
    }
  }

  /// Of PipeWire itself: the sinks of pipewire-pulse go with it.
  private func addSink(_ name: String) throws {
    let properties = """
      { factory.name = support.null-audio-sink node.name = \(name) media.class = Audio/Sink object.linger = true
        audio.position = [ FL FR ] }
      """
    let (status, output) = try command("/usr/bin/pw-cli", ["create-node", "adapter", properties])
    guard status == 0 else { throw TestFailure("pw-cli: \(output)") }
    guard
      try Deadline().waitThrowing(until: { try pactl("list", "short", "sinks").contains("\t\(name)\t") }
      )
    else { throw TestFailure("there is no sink \(name)") }
  }

  func stopPulse() throws {
    pulse?.signal(SIGTERM)
    _ = try pulse?.waitForExit()
    pulse = nil
  }

  func signalPulse(_ signal: CInt) { pulse?.signal(signal) }

  func command(_ program: String, _ arguments: [String]) throws -> (status: CInt, output: String) {
    try run(program, arguments, environment: environment)
  }

  @discardableResult
  func pactl(_ arguments: String...) throws -> String {
    let (status, output) = try command("/usr/bin/pactl", arguments)
    guard status == 0 else { throw TestFailure("pactl \(arguments): \(output)") }
    return output
  }

  func makeDefault(_ sink: String) throws {
    // WirePlumber may not have its metadata yet.
    let isDefault = try Deadline().waitThrowing {
      _ = try command("/usr/bin/pactl", ["set-default-sink", sink])
      return try pactl("get-default-sink").contains(sink)
    }
    guard isDefault else {
      throw TestFailure("\(sink) does not become the default")
    }
  }

  /// Sets the default sink as a desktop does.
  func wpctl(volume: Double) throws {
    let (status, output) = try command(
      "/usr/bin/wpctl", ["set-volume", "@DEFAULT_AUDIO_SINK@", "\(volume / 100)"])
    guard status == 0 else { throw TestFailure("wpctl: \(output)") }
  }

  /// In per cent, as exact as it is shown: `Volume: front-left: 24248 /  37% / …`.
  func volume(of sink: String = "@DEFAULT_SINK@") throws -> Double {
    let text = try pactl("get-sink-volume", sink)
    let words = text.split(separator: " ")
    guard let place = words.firstIndex(of: "/"), place > 0, let raw = Double(words[place - 1]) else {
      throw TestFailure("no volume in \(text)")
    }
    return raw / 655.36
  }

  func isMuted(_ sink: String = "@DEFAULT_SINK@") throws -> Bool {
    try pactl("get-sink-mute", sink).contains("yes")
  }
}
