import Glibc
import SystemPackage

@testable import StepperSystem

/// An empty directory that is removed, with the files in it, when the test is over.
final class TemporaryDirectory {
  let path: FilePath

  init() throws {
    var template = Array("/tmp/stepperd-test.XXXXXX".utf8CString)
    guard unsafe mkdtemp(&template) != nil else { throw Errno.current }
    path = FilePath(String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self))
  }

  deinit {
    for name in (try? names) ?? [] { unsafe unlink(path.appending(name).string) }
    unsafe rmdir(path.string)
  }

  /// The names of the files in it, hidden ones too.
  var names: [String] {
    get throws {
      guard let stream = unsafe opendir(path.string) else { throw Errno.current }
      defer { unsafe closedir(stream) }
      var names: [String] = []
      while let entry = unsafe readdir(stream) {
        let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { pointer in
          unsafe pointer.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
        }
        if name != ".", name != ".." { names.append(name) }
      }
      return names.sorted()
    }
  }
}
