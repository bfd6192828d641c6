import Glibc
import SystemPackage
import Varlink

/// The folder for generated files.
struct OutputFolder {
  private let path: FilePath

  init(_ path: FilePath) { self.path = path }

  /// Writes `file`, and creates the folders in its path.
  func write(_ file: GeneratedFile) throws {
    var folder = path
    for component in FilePath(file.path).removingLastComponent().components {
      folder.append(component)
      let result = unsafe folder.withPlatformString { unsafe mkdir($0, 0o777) }
      guard result == 0 || errno == EEXIST else { throw Errno(rawValue: errno) }
    }
    let descriptor = try FileDescriptor.open(
      path.pushing(FilePath(file.path)), .writeOnly, options: [.create, .truncate],
      permissions: [.ownerReadWrite, .groupRead, .otherRead])
    _ = try descriptor.closeAfter { try descriptor.writeAll(file.text.utf8) }
  }

  /// The text of the file at `path`.
  static func contents(of path: FilePath) throws -> String {
    let descriptor = try FileDescriptor.open(path, .readOnly)
    return try descriptor.closeAfter {
      var bytes: [UInt8] = []
      var piece = [UInt8](repeating: 0, count: 65_536)
      while case let count = try unsafe piece.withUnsafeMutableBytes({ try unsafe descriptor.read(into: $0) }),
        count > 0
      {
        bytes += piece[..<count]
      }
      return OutsideText.shown(bytes)
    }
  }
}
