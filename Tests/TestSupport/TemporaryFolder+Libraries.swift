extension TemporaryFolder {
  /// Compiles `Tests/Support/NAME.c` to a library of this folder, and returns its path for `LD_PRELOAD`.
  package func compileLibrary(_ name: String) throws -> String {
    let source = Self.path(ofSource: "Tests/Support/\(name).c")
    let library = "\(path)/\(name).so"
    // The compiler that Swift itself links with.
    let result = try run("clang", ["-shared", "-fPIC", "-O1", "-o", library, source, "-ldl"])
    guard result.status == 0 else { throw TestFailure("\(source) cannot be compiled: \(result.output)") }
    return library
  }
}
