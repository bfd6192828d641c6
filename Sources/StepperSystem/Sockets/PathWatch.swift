internal import Glibc
package import SystemPackage

/// Detects that a file, or its directory, is removed, moved or replaced. Other events in the directory cause no
/// wakeups.
///
/// The corresponding C interface is inotify(7).
package struct PathWatch: ~Copyable {
  private let descriptor: OwnedFileDescriptor
  private var watches: [CInt] = []

  package init() throws(Errno) {
    descriptor = try OwnedFileDescriptor(inotify_init1(CInt(IN_NONBLOCK | IN_CLOEXEC)))
  }

  /// Readable after a possible change of the path.
  package var rawDescriptor: CInt { descriptor.rawValue }

  /// Watches `path` from now on, instead of the former path. Earlier changes are not reported: the caller checks the
  /// path afterwards.
  package mutating func watch(_ path: FilePath) {
    for watch in watches { inotify_rm_watch(descriptor.rawValue, watch) }
    takeAll()
    // The number of links changes when a file is removed or another one is moved to its place.
    let file = UInt32(IN_ATTRIB | IN_MOVE_SELF | IN_DELETE_SELF | IN_DONT_FOLLOW)
    let directory = UInt32(IN_MOVE_SELF | IN_DELETE_SELF)
    watches = [(path.string, file), (path.removingLastComponent().string, directory)].map { path, mask in
      unsafe inotify_add_watch(descriptor.rawValue, path, mask)
    }.filter { $0 >= 0 }
  }

  /// Discards the events until now.
  package func takeAll() {
    var buffer = [UInt8](repeating: 0, count: 4_096)
    while unsafe read(descriptor.rawValue, &buffer, buffer.count) > 0 {}
  }
}
