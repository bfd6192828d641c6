internal import Glibc
package import SystemPackage

/// Detects that a file is removed, moved or replaced, or that its content changes.
///
/// The corresponding C interface is inotify(7).
package struct PathWatch: ~Copyable {
  /// What is detected.
  package enum Subject {
    /// The file or its directory is removed, moved or replaced. Other events in the directory cause no wakeups.
    case removal
    /// The file is written, replaced, removed or created; a symbolic link is followed. Where its directory does not
    /// exist, the nearest one that does is watched for new entries.
    case content
  }

  private let descriptor: OwnedFileDescriptor
  private var watches: [CInt] = []

  package init() throws(Errno) {
    descriptor = try OwnedFileDescriptor(inotify_init1(CInt(IN_NONBLOCK | IN_CLOEXEC)))
  }

  /// Readable after a possible change of the path.
  package var rawDescriptor: CInt { descriptor.rawValue }

  /// Watches `path` from now on, instead of the former path. Earlier changes are not reported: the caller checks the
  /// path afterwards.
  package mutating func watch(_ path: FilePath, for subject: Subject = .removal) {
    for watch in watches { inotify_rm_watch(descriptor.rawValue, watch) }
    takeAll()
    switch subject {
    case .removal:
      // The number of links changes when a file is removed or another one is moved to its place.
      watches = [add(path, IN_ATTRIB | IN_MOVE_SELF | IN_DELETE_SELF | IN_DONT_FOLLOW)]
      watches.append(add(path.removingLastComponent(), IN_MOVE_SELF | IN_DELETE_SELF))
    case .content:
      watches = [add(path, IN_CLOSE_WRITE | IN_ATTRIB | IN_MOVE_SELF | IN_DELETE_SELF)]
      var directory = path
      repeat {
        let isRoot = !directory.removeLastComponent()
        let entries = IN_CREATE | IN_MOVED_TO | IN_MOVED_FROM | IN_DELETE
        watches.append(add(directory, entries | IN_MOVE_SELF | IN_DELETE_SELF | IN_ONLYDIR))
        if isRoot { break }
      } while watches.last == -1
    }
    watches.removeAll { $0 < 0 }
  }

  /// -1 if it cannot be watched.
  private func add(_ path: FilePath, _ events: some BinaryInteger) -> CInt {
    let path = path.isEmpty ? "." : path.string
    return unsafe inotify_add_watch(descriptor.rawValue, path, UInt32(truncatingIfNeeded: events))
  }

  /// Discards the events until now.
  package func takeAll() {
    var buffer = [UInt8](repeating: 0, count: 4_096)
    while unsafe read(descriptor.rawValue, &buffer, buffer.count) > 0 {}
  }
}
