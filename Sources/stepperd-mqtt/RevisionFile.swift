internal import StepperLinux
internal import StepperProgram
internal import SystemPackage
internal import Varlink

/// The revisions of the targets that were applied, by control, over restarts.
struct RevisionFile {
  private var file: StateFile
  private static let limit = 1 << 20

  /// Below the folder of the service manager, else of the user's state.
  init() throws {
    let folder: String
    if let given = environmentVariable("STATE_DIRECTORY")?.split(separator: ":").first.map(String.init) {
      folder = given
    } else if let state = environmentVariable("XDG_STATE_HOME"), state.hasPrefix("/") {
      folder = "\(state)/stepperd-mqtt"
    } else if let home = environmentVariable("HOME"), home.hasPrefix("/") {
      folder = "\(home)/.local/state/stepperd-mqtt"
    } else {
      throw ExitFailure(.unavailable, "there is no folder for targets: set STATE_DIRECTORY or HOME")
    }
    file = StateFile("targets.json", in: FilePath(folder))
  }

  /// Throws if another process uses the folder, or it cannot be used.
  mutating func read() throws -> [String: String] {
    do throws(LockFailure) {
      try file.open()
    } catch {
      throw ExitFailure(.unavailable, "the revisions of targets cannot be kept: \(error)")
    }
    for generation in StateFile.Generation.allCases {
      // A damaged file counts as absent: its targets are applied once more.
      if case .content(let content, nil) = file.read(generation, limit: Self.limit),
        // As above.
        let revisions = try? VarlinkParameters(json: content).decode([String: String].self)
      {
        return revisions
      }
    }
    return [:]
  }

  mutating func write(_ revisions: [String: String]) throws {
    _ = try file.write(try VarlinkParameters(encoding: revisions).json)
  }
}
