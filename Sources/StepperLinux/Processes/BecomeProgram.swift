internal import CLinux
internal import Glibc
internal import SystemPackage
internal import Varlink

/// Has `arguments[0]`, a path or a name that is searched in the `PATH` of `environment`, take the place of this program, which
/// calls `before` when it is found. Ignored signals are as usual again. Throws if it cannot be loaded.
package func becomeProgram(
  _ arguments: [String], environment: [String: String], before: () -> Void
) throws(SpawnFailure) {
  let program = try findProgram(
    arguments.first ?? "", path: environment["PATH"] ?? RunningCommand.defaultPath)
  guard unsafe access(program, X_OK) == 0 else { throw SpawnFailure(program: program, errno: .current) }
  for number in 1..<32 as Range<CInt> { signal(number, SIG_DFL) }
  before()
  var vector = unsafe arguments.map { unsafe strdup($0) } + [nil]
  var variables = unsafe environment.map { unsafe strdup("\($0)=\($1)") } + [nil]
  _ = unsafe execve(program, &vector, &variables)
  throw SpawnFailure(program: program, errno: .current)
}

/// The environment of this process.
package func processEnvironment() -> [String: String] {
  var result: [String: String] = [:]
  var entry = unsafe environ
  while let text = unsafe entry.pointee {
    let parts = unsafe OutsideText.shown(text).split(
      separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    if parts.count == 2 { result[String(parts[0])] = String(parts[1]) }
    unsafe entry += 1
  }
  return result
}

/// Names this process `name`, where it was started by another name, and has the kernel kill it when its parent ends.
package func serveParent(as name: String) {
  unsafe name_process(name)
  end_with_parent()
}
