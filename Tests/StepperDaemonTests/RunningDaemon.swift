import FoundationEssentials
import Glibc
import TestSupport

/// The real `stepperd` with folders of its own.
final class RunningDaemon {
  let folder: TemporaryFolder
  let process: ChildProcess

  /// `configuration` is TOML; nil: the built-in one. `path` is searched for programs first. The log goes to `log`, if
  /// that is given, else to the output.
  init(
    _ configuration: String? = nil, in folder: TemporaryFolder? = nil, arguments: [String] = [],
    path: String? = nil, log: CInt? = nil, faults: Faults? = nil,
    calls: SystemCalls? = nil
  ) throws {
    let folder = try folder ?? TemporaryFolder()
    self.folder = folder
    var arguments = ["--user", "--log-level", "debug"] + arguments
    if let configuration {
      try folder.write(configuration, to: "stepperd.toml")
      arguments += ["--config", "\(folder.path)/stepperd.toml"]
    }
    var environment = Self.environment(in: folder)
    if let path { environment["PATH"] = "\(path):\(environment["PATH"] ?? "/usr/bin:/bin")" }
    if let faults { environment.merge(faults.environment) { $1 } }
    if let calls { environment.merge(calls.environment) { $1 } }
    process = try ChildProcess(
      builtProgram("stepperd"), arguments, environment: environment, errorOutput: log)
    try process.expectOutput("Ctrl-C ends it.")
  }

  static func environment(in folder: TemporaryFolder) -> [String: String] {
    let inherited = ["PATH", "LD_LIBRARY_PATH"].compactMap { name in
      ProcessInfo.processInfo.environment[name].map { (name, $0) }
    }
    return Dictionary(inherited, uniquingKeysWith: { $1 }).merging([
      "HOME": folder.path, "XDG_RUNTIME_DIR": folder.path, "XDG_STATE_HOME": "\(folder.path)/state",
      "XDG_CONFIG_HOME": "\(folder.path)/config",
    ]) { $1 }
  }

  var socket: String { "\(folder.path)/stepperd/org.stepperd" }

  func client() throws -> WireClient { try WireClient(socket) }

  /// Ends it as the service manager does; returns its exit status.
  @discardableResult
  func stop() throws -> CInt {
    process.signal(SIGTERM)
    return try process.waitForExit()
  }
}
