import Glibc
import TestSupport
import Testing

@Suite struct `The manual` {
  @Test func `has the names of all findings, and no others`() throws {
    let folder = "Sources/StepperCommands/Doctor/Tables"
    let files = try Self.files(in: TemporaryFolder.path(ofSource: folder))
    let names = Set(
      try files.flatMap { file in
        try TemporaryFolder.contents(ofSource: "\(folder)/\(file)")
          .matches(of: /"([a-z]+\.[a-z-]+)"/).map { String($0.1) }
      })
    let manual = try TemporaryFolder.contents(ofSource: "Documentation/man/stepperctl.1")
    var documented: Set<String> = []
    for match in manual.matches(of: /\.It Cm ([a-z]+)\n\.Cm (\.[a-z., -]+)\n/) {
      documented.formUnion(match.2.split(separator: " , ").map { "\(match.1)\($0)" })
    }
    #expect(names == documented)
    #expect(documented.count > 60)
  }

  private static func files(in folder: String) throws -> [String] {
    guard let directory = unsafe opendir(folder) else { throw TestFailure("cannot read \(folder)") }
    defer { unsafe closedir(directory) }
    var names: [String] = []
    while let entry = unsafe readdir(directory) {
      let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name.hasSuffix(".swift") { names.append(name) }
    }
    return names
  }
}
