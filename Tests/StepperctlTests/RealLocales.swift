import Glibc
import TestSupport

/// Locales of the C library, compiled beside the tests once: those of the machine differ, and stay as they are.
enum RealLocales {
  /// The environment of a program in the locale `name`.
  static func environment(_ name: String) throws -> [String: String] {
    ["LOCPATH": try folder.get(), "LC_ALL": name]
  }

  private static let sources = [
    ("da_DK", "UTF-8"), ("de_CH", "UTF-8"), ("de_DE", "UTF-8"), ("de_DE", "ISO-8859-15"), ("en_IN", "UTF-8"),
    ("en_US", "UTF-8"), ("fa_IR", "UTF-8"), ("fr_FR", "UTF-8"), ("hi_IN", "UTF-8"), ("sl_SI", "UTF-8"),
  ]

  /// The names of all of them.
  static let names = sources.map { "\($0).\($1)" }

  private static let folder = Result { try compiled() }

  private static func compiled() throws -> String {
    let program = builtProgram("stepperctl")
    let folder = program.split(separator: "/").dropLast().reduce("") { "\($0)/\($1)" } + "/test-locales"
    unsafe mkdir(folder, 0o755)
    let missing = sources.filter { unsafe access("\(folder)/\($0.0).\($0.1)/LC_CTYPE", R_OK) != 0 }
    let compilers = try missing.map { (source, charset) in
      let new = "\(folder)/\(source).\(charset).\(getpid())"
      do {
        return (
          "\(source).\(charset)", new, try ChildProcess("localedef", ["-i", source, "-f", charset, new])
        )
      } catch {
        throw failure("localedef cannot be started")
      }
    }
    for (name, new, compiler) in compilers {
      _ = try compiler.waitForExit(within: 60)
      guard unsafe access("\(new)/LC_CTYPE", R_OK) == 0 else { throw failure(compiler.output) }
      // It may be there by now, from another run of the tests.
      if unsafe rename(new, "\(folder)/\(name)") != 0 {
        _ = try run("rm", ["-r", new])
      }
    }
    return folder
  }

  private static func failure(_ reason: String) -> TestFailure {
    TestFailure("no locales to test with; install the Debian packages 'locales' and 'libc-bin': \(reason)")
  }
}
