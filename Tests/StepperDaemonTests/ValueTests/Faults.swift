import FoundationEssentials
import Glibc
import TestSupport

/// System calls on files that fail or take their time in a program under test, while it runs; see
/// `Tests/Support/faults.c`, which is compiled for it.
final class Faults {
  let folder: TemporaryFolder

  /// What the program is started with.
  let environment: [String: String]

  init() throws {
    folder = try TemporaryFolder()
    environment = [
      "LD_PRELOAD": try folder.compileLibrary("faults"), "STEPPERD_FAULTS": "\(folder.path)/faults",
    ]
  }

  /// Replaces what happens from now on: `fsync EIO`, or `fsync 2000` for two seconds.
  func set(_ faults: String...) throws { try folder.write(faults.joined(separator: "\n"), to: "faults") }

  /// How often `call` was met.
  func count(of call: String) throws -> Int {
    guard folder.contains("faults.log") else { return 0 }
    return try folder.read("faults.log").split(separator: "\n").count { $0 == call }
  }

  /// Waits until `call` was met `count` times.
  func expect(_ call: String, count: Int = 1, within seconds: Double = 60) throws {
    var seen = 0
    let isThere = Deadline(in: seconds).wait {
      // The file is not there before the first.
      seen = (try? self.count(of: call)) ?? 0
      return seen >= count
    }
    guard isThere else {
      throw TestFailure("\(call) was met \(seen) times within \(seconds) s, not \(count)")
    }
  }
}
