internal import ArgumentParser
internal import Glibc
internal import StepperClient

/// The daemon's own program, which can check a configuration without running as a daemon.
enum CheckingProgram {
  /// Becomes `stepperd --check`. Returns only if there is no such program.
  static func replaceThisProgram(checking source: ConfigurationSource, text: String) throws {
    guard let program = candidates.first(where: { unsafe access($0, X_OK) == 0 }) else { return }
    var file = "/dev/stdin"
    switch source {
    case .file(let path): file = path
    case .standardInput: try rewindStandardInput(text)
    }
    // Never freed: this program ends here, or right after.
    let arguments = unsafe [strdup(program), strdup("--check"), strdup(file), nil]
    unsafe execv(program, arguments)
  }

  /// Beside this program first: that one is of the same version.
  private static var candidates: [String] {
    var own = [CChar](repeating: 0, count: 4096)
    let length = unsafe readlink("/proc/self/exe", &own, own.count)
    let path = String(decoding: own.prefix(max(0, length)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    let beside = path.lastIndex(of: "/").map { [String(path[..<$0])] } ?? []
    let search = StepperAddress.environmentValue("PATH") ?? "/usr/local/bin:/usr/bin:/usr/sbin"
    let directories = beside + search.split(separator: ":").map(String.init)
    return directories.map { "\($0)/stepperd" }
  }

  /// The standard input has been read; what was in it is put into a file without a name in its place.
  private static func rewindStandardInput(_ text: String) throws {
    guard let file = unsafe tmpfile() else {
      throw CommandFailure(message: "no temporary file could be made", code: .failure)
    }
    let bytes = Array(text.utf8)
    let descriptor = unsafe fileno(file)
    guard unsafe write(descriptor, bytes, bytes.count) == bytes.count, lseek(descriptor, 0, SEEK_SET) == 0,
      dup2(descriptor, STDIN_FILENO) == STDIN_FILENO
    else { throw CommandFailure(message: "the standard input could not be kept", code: .failure) }
  }
}
