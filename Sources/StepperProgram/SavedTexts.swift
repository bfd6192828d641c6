package import StepperConfiguration
package import StepperLinux
internal import SystemPackage
package import Varlink

/// Texts by names that a program keeps over restarts, in a file of its own.
package struct SavedTexts {
  private var file: StateFile
  private static let limit = 1 << 20

  /// Below the folder of the service manager, else of the user's state.
  package init(_ name: String, of program: BridgeProgram) throws {
    let given = environmentVariable("STATE_DIRECTORY")?.split(separator: ":").first.map(String.init)
    guard let folder = given ?? UserFolder.state.path(of: program.rawValue, environmentVariable) else {
      throw ExitFailure(.unavailable, "there is no folder for \(name): set STATE_DIRECTORY or HOME")
    }
    file = StateFile(name, in: FilePath(folder))
  }

  /// Throws if another process uses the folder, or it cannot be used. A file that is
  /// damaged, or cannot be read, counts as absent.
  package mutating func read() throws -> [String: String] {
    do throws(LockFailure) {
      try file.open()
    } catch {
      throw ExitFailure(.unavailable, "\(file.name) cannot be kept: \(error)")
    }
    // It counts as absent.
    return (try? file.newest([String: String].self, limit: Self.limit)) ?? [:]
  }

  package mutating func write(_ texts: [String: String]) throws {
    _ = try file.write(try VarlinkParameters(encoding: texts).json)
  }

  package mutating func close() { file.close() }
}

extension StateFile {
  /// The value that the newer generation is, else the older one; nil: neither is one of at most `limit` bytes. Throws if one
  /// may be there and cannot be read.
  package mutating func newest<Value: JSONReadable>(
    _ type: Value.Type, limit: Int
  ) throws(FileFailure) -> Value? {
    for generation in Generation.allCases {
      switch read(generation, limit: limit) {
      case .content(let content, nil):
        // What is damaged is no value.
        if let value = try? VarlinkParameters(json: content).decode(type) { return value }
      case .nothing, .content: break
      case .unusable(let failure): throw failure
      }
    }
    return nil
  }
}
