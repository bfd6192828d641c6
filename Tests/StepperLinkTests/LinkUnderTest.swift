import FoundationEssentials
import Glibc
import StepperClient
import StepperInterfaces
import TestSupport

/// The real `stepperd` and `stepperd-link` with a folder of their own, which a test restarts.
final class LinkUnderTest {
  let folder: TemporaryFolder
  private(set) var daemon: ChildProcess?
  private(set) var link: ChildProcess?
  private let environment: [String: String]

  /// `environment` is that of the link besides the usual.
  init(_ configuration: String, environment: [String: String] = [:]) throws {
    folder = try TemporaryFolder()
    try folder.write(configuration, to: "stepperd.toml")
    self.environment = environment
    try startDaemon()
  }

  var socket: String { "\(folder.path)/stepperd/org.stepperd" }
  var configuration: String { "\(folder.path)/stepperd.toml" }
  var client: StepperClient { StepperClient(address: socket) }

  static var inherited: [String: String] {
    ProcessInfo.processInfo.environment.filter { ["PATH", "LD_LIBRARY_PATH", "LD_PRELOAD"].contains($0.key) }
  }

  func startDaemon() throws {
    let environment = Self.inherited.merging([
      "HOME": folder.path, "XDG_RUNTIME_DIR": folder.path, "XDG_STATE_HOME": "\(folder.path)/state",
    ]) { $1 }
    let process = try ChildProcess(
      builtProgram("stepperd"), ["--user", "--config", configuration], environment: environment)
    try process.expectOutput("Ctrl-C ends it.")
    daemon = process
  }

  /// `preparation` are commands of a shell that becomes the program.
  func startLink(_ preparation: String = "") throws {
    link = try ChildProcess(
      "/bin/sh",
      [
        "-c", "\(preparation)\nexec \"$0\" \"$@\"", builtProgram("stepperd-link"), "--config", configuration,
        "--address", socket,
      ],
      environment: Self.inherited.merging(environment) { $1 })
  }

  func stopDaemon(_ signal: CInt = SIGTERM) throws {
    daemon?.signal(signal)
    _ = try daemon?.waitForExit()
    daemon = nil
  }

  @discardableResult
  func stopLink(_ signal: CInt = SIGTERM) throws -> CInt? {
    link?.signal(signal)
    defer { link = nil }
    return try link?.waitForExit()
  }

  func state(_ control: String = "volume") async throws -> ControlInterface.State {
    try await client.get(control)
  }

  /// Waits until `control` is at `value`; after several attempts to connect a longer time `within` is due.
  func expect(_ control: String = "volume", at value: Double, within seconds: Double = 60) throws {
    let subscription = try client.subscription(to: [control], waitsForDaemon: true)
    let deadline = Deadline(in: seconds)
    var last: String?
    while !deadline.hasPassed, let state = try subscription.next(timeout: .seconds(seconds)) {
      if state.value == value { return }
      last = state.text
    }
    throw TestFailure("\(control) is \(last ?? "unset") and never became \(value):\n\(link?.output ?? "")")
  }
}

/// Waits until `value` is near `expected`.
func expect(
  _ what: String, near expected: Double, within tolerance: Double = 0.6, _ value: () throws -> Double
) throws {
  var last = Double.nan
  let isThere = try Deadline().waitThrowing {
    last = try value()
    return (last - expected).magnitude <= tolerance
  }
  guard isThere else { throw TestFailure("\(what) is \(last) and never became \(expected)") }
}

extension Deadline {
  func waitThrowing(until condition: () throws -> Bool) throws -> Bool {
    var failure: (any Error)?
    let result = wait {
      do { return try condition() } catch {
        failure = error
        return true
      }
    }
    if let failure { throw failure }
    return result
  }
}
