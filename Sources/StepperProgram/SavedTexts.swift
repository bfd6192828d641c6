package import StepperConfiguration
internal import StepperLinux
internal import SystemPackage
internal import Varlink

/// Texts by names that a program keeps over restarts, in a file of its own.
package struct SavedTexts {
  private var file: StateFile
  private static let limit = 1 << 20

  /// Below the folder of the service manager, else of the user's state.
  package init(_ name: String, of program: BridgeProgram) throws {
    let folder: String
    if let given = environmentVariable("STATE_DIRECTORY")?.split(separator: ":").first.map(String.init) {
      folder = given
    } else if let state = environmentVariable("XDG_STATE_HOME"), state.hasPrefix("/") {
      folder = "\(state)/\(program.rawValue)"
    } else if let home = environmentVariable("HOME"), home.hasPrefix("/") {
      folder = "\(home)/.local/state/\(program.rawValue)"
    } else {
      throw ExitFailure(.unavailable, "there is no folder for \(name): set STATE_DIRECTORY or HOME")
    }
    file = StateFile(name, in: FilePath(folder))
  }

  /// Throws if another process uses the folder, or it cannot be used. A damaged file counts as absent.
  package mutating func read() throws -> [String: String] {
    do throws(LockFailure) {
      try file.open()
    } catch {
      throw ExitFailure(.unavailable, "\(file.name) cannot be kept: \(error)")
    }
    for generation in StateFile.Generation.allCases {
      if case .content(let content, nil) = file.read(generation, limit: Self.limit),
        // As above.
        let texts = try? VarlinkParameters(json: content).decode([String: String].self)
      {
        return texts
      }
    }
    return [:]
  }

  package mutating func write(_ texts: [String: String]) throws {
    _ = try file.write(try VarlinkParameters(encoding: texts).json)
  }

  package mutating func close() { file.close() }
}
