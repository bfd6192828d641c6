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
    try process.expectOutput("Ctrl-C ends it.", within: 20)
    self.process = process
  }

  func stop(_ signal: CInt = SIGTERM) throws {
    process?.signal(signal)
    _ = try process?.waitForExit()
    process = nil
  }
}

/// Waits until `client` says that `control` is at `value`.
func expect(_ client: StepperClient, _ control: String = "volume", at value: Double) async throws {
  try await expect(client, control, "\(value)") { $0 == value }
}

/// Waits until the value of `control` is one that `isRight`, for at most ten seconds.
@discardableResult
func expect(
  _ client: StepperClient, _ control: String = "volume", _ what: String,
  _ isRight: @escaping @Sendable (Double) -> Bool
) async throws -> Double {
  try await withThrowingTaskGroup(of: Double?.self) { group in
    group.addTask {
      for try await state in client.changes(of: control, waitsForDaemon: true) {
        if let value = state.value, isRight(value) { return value }
      }
      return nil
    }
    group.addTask {
      try await Task.sleep(for: .seconds(10))
      return nil
    }
    defer { group.cancelAll() }
    guard let value = try await group.next() ?? nil else {
      throw TestFailure(
        "\(control) is \(try await client.get(control).text ?? "unset") and never became \(what)")
    }
    return value
  }
}
