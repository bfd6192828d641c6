import FoundationEssentials
import Glibc
import StepperClient
import StepperInterfaces
import TestSupport

/// The real `stepperd` with a folder of its own, which a test restarts.
final class DaemonUnderTest {
  let folder: TemporaryFolder
  private var process: ChildProcess?

  init(_ configuration: String) throws {
    folder = try TemporaryFolder()
    try folder.write(configuration, to: "stepperd.toml")
    try start()
  }

  var socket: String { "\(folder.path)/stepperd/org.stepperd" }
  var client: StepperClient { StepperClient(address: socket) }

  func start() throws {
    var environment = ProcessInfo.processInfo.environment.filter {
      ["PATH", "LD_LIBRARY_PATH"].contains($0.key)
    }
    environment.merge([
      "HOME": folder.path, "XDG_RUNTIME_DIR": folder.path, "XDG_STATE_HOME": "\(folder.path)/state",
    ]) { $1 }
    let process = try ChildProcess(
      builtProgram("stepperd"), ["--user", "--config", "\(folder.path)/stepperd.toml"],
      environment: environment)
    try process.expectOutput("Ctrl-C ends it.")
    self.process = process
  }

  func stop(_ signal: CInt = SIGTERM) throws {
    process?.signal(signal)
    _ = try process?.waitForExit()
    process = nil
  }
}

/// Waits until `client` says that `control` is at `value`, for at most ten seconds.
func expect(_ client: StepperClient, _ control: String = "volume", at value: Double) throws {
  let subscription = try client.subscription(to: [control], waitsForDaemon: true)
  let deadline = Deadline()
  var last: String?
  while !deadline.hasPassed, let state = try subscription.next(timeout: .seconds(10)) {
    if state.value == value { return }
    last = state.text
  }
  throw TestFailure("\(control) is \(last ?? "unset") and never became \(value)")
}
