import Glibc
@testable import StepperCommands
import TestSupport

/// A tree of files that stands for the root directory of a system.
final class FixtureSystem {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  var root: SystemRoot { SystemRoot(folder.path) }
  var path: String { folder.path }

  func write(_ text: String, to path: String) throws {
    makeDirectory(path.split(separator: "/").dropLast().map(String.init))
    try folder.write(text, to: String(path.dropFirst()))
  }

  func link(_ path: String, to target: String) throws {
    makeDirectory(path.split(separator: "/").dropLast().map(String.init))
    guard unsafe symlink(target, folder.path + path) == 0 else { throw TestFailure("cannot link \(path)") }
  }

  func makeDirectory(_ parts: [String]) {
    var path = folder.path
    for part in parts {
      path += "/\(part)"
      unsafe mkdir(path, 0o755)
    }
  }

  func makeFIFO(_ path: String) throws {
    makeDirectory(path.split(separator: "/").dropLast().map(String.init))
    guard unsafe mkfifo(folder.path + path, 0o600) == 0 else { throw TestFailure("cannot make \(path)") }
  }

  /// An input device as sysfs shows it.
  func addInput(
    _ event: String, name: String, modalias: String, rel: String = "0", key: String = "0", record: String?
  )
    throws
  {
    let directory = "/sys/class/input/\(event)"
    try write("\(name)\n", to: "\(directory)/device/name")
    try write("input:\(modalias)\n", to: "\(directory)/device/modalias")
    try write("077d\n", to: "\(directory)/device/id/vendor")
    try write("0410\n", to: "\(directory)/device/id/product")
    try write("\(rel)\n", to: "\(directory)/device/capabilities/rel")
    try write("\(key)\n", to: "\(directory)/device/capabilities/key")
    try write("13:69\n", to: "\(directory)/dev")
    if let record { try write(record, to: "/run/udev/data/c13:69") }
    try write("", to: "/dev/input/\(event)")
  }
}
