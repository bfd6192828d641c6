package import StepperConfiguration
package import StepperLinux
internal import SystemPackage
package import Varlink

/// Named texts that a program keeps across restarts, in a file of its own.
package struct SavedTexts {
  private var file: StateFile
  private static let limit = 1 << 20

  /// Uses the service manager's state folder, or else the user's.
  package init(_ name: String, of program: BridgeProgram) throws {
    let given = environmentVariable("STATE_DIRECTORY")?.split(separator: ":").first.map(String.init)
    guard let folder = given ?? UserFolder.state.path(of: program.rawValue, environmentVariable) else {
      throw ExitFailure(.unavailable, "there is no folder for \(name): set STATE_DIRECTORY or HOME")
    }
    file = StateFile(name, in: FilePath(folder))
  }

  /// Throws if another process uses the folder, or if the folder cannot be used. A file that is damaged or cannot be read counts as
  /// absent.
  package mutating func read() throws -> [String: String] {
    do throws(LockFailure) {
      try file.open()
    } catch {
      throw ExitFailure(.unavailable, "\(file.name) cannot be kept: \(error)")
    }
    // A file that cannot be read counts as absent.
    return (try? file.newest([String: String].self, limit: Self.limit)) ?? [:]
  }

  package mutating func write(_ texts: [String: String]) throws {
    _ = try file.write(try VarlinkParameters(encoding: texts).json)
  }

  package mutating func close() { file.close() }
}

extension StateFile {
  /// The value of the newer generation, or else of the older one; nil: neither is a valid value of at most `limit` bytes. Throws if a
  /// generation may exist but cannot be read.
  package mutating func newest<Value: JSONReadable>(
    _ type: Value.Type, limit: Int
  ) throws(FileFailure) -> Value? {
    for generation in Generation.allCases {
      switch read(generation, limit: limit) {
      case .content(let content, nil):
        // A damaged generation has no value.
        if let value = try? VarlinkParameters(json: content).decode(type) { return value }
      case .nothing, .content: break
      case .unusable(let failure): throw failure
      }
    }
    return nil
  }
}
