import FoundationEssentials
import FuzzTargets
import StepperInterfaces
import Testing
import Varlink

/// What the fuzzer found once, and a selection of what it tries, without it.
@Suite struct `Fuzz targets` {
  @Test(.timeLimit(.minutes(10)), arguments: FuzzTarget.all.map(\.name))
  func `hold what they promise for every input that is kept`(name: String) throws {
    let target = try #require(FuzzTarget.named(name))
    for input in try Self.inputs(in: "Corpus", name) + Self.inputs(in: "Regressions", name) {
      do {
        try target.run(input.bytes)
      } catch {
        Issue.record("\(input.path): \(error)")
      }
    }
  }

  @Test(arguments: FuzzTarget.all.map(\.name))
  func `have inputs to begin with`(name: String) throws {
    #expect(try !Self.inputs(in: "Corpus", name).isEmpty)
  }

  @Test func `have names that folders can have, each its own`() throws {
    let names = FuzzTarget.all.map(\.name)
    #expect(Set(names).count == names.count)
    for folder in ["Corpus", "Regressions"] {
      let kept = try FileManager.default.contentsOfDirectory(atPath: "\(Self.folder)/\(folder)")
      #expect(Set(kept).isSubset(of: names), "\(folder) has inputs of no target")
    }
  }

  @Test func `know every method, in the order of its description`() {
    let described = ([.service] + InterfaceDescription.stepperd).flatMap(\.methods)
    #expect(Method.all.map(\.name) == described)
  }

  private static let folder =
    "/" + #filePath.split(separator: "/").dropLast(2).joined(separator: "/") + "/Fuzz"

  /// The inputs of a target, none if it has no such folder.
  static func inputs(in folder: String, _ target: String) throws -> [(path: String, bytes: [UInt8])] {
    let path = "\(Self.folder)/\(folder)/\(target)"
    guard FileManager.default.fileExists(atPath: path) else { return [] }
    return try FileManager.default.contentsOfDirectory(atPath: path).sorted().map { name in
      ("\(folder)/\(target)/\(name)", Array(try Data(contentsOf: URL(filePath: "\(path)/\(name)"))))
    }
  }
}
