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
  /// The watched directory and the entry of it that matters; nil: none of its entries does.
  private var directory: (watch: CInt, entry: String)?

  package init() throws(Errno) {
    self.init(descriptor: try OwnedFileDescriptor(inotify_init1(CInt(IN_NONBLOCK | IN_CLOEXEC))))
  }

  private init(descriptor: consuming OwnedFileDescriptor) {
    self.descriptor = descriptor
  }

  /// Readable after a possible change of the path.
  package var rawDescriptor: CInt { descriptor.rawValue }

  /// Watches `path` from now on, instead of the former path. Earlier changes are not reported: the caller checks the
  /// path afterwards.
  package mutating func watch(_ path: FilePath, for subject: Subject = .removal) {
    for watch in watches { inotify_rm_watch(descriptor.rawValue, watch) }
    takeAll()
    directory = nil
    switch subject {
    case .removal:
      // The number of links changes when a file is removed or another one is moved to its place.
      watches = [add(path, IN_ATTRIB | IN_MOVE_SELF | IN_DELETE_SELF | IN_DONT_FOLLOW)]
      watches.append(add(path.removingLastComponent(), IN_MOVE_SELF | IN_DELETE_SELF))
    case .content:
      watches = [add(path, IN_CLOSE_WRITE | IN_ATTRIB | IN_MOVE_SELF | IN_DELETE_SELF)]
      watchDirectory(of: path)
    }
    watches.removeAll { $0 < 0 }
  }

  /// Watches the nearest existing directory for the entry that leads to `path`.
  private mutating func watchDirectory(of path: FilePath) {
    var path = path
    while let entry = path.lastComponent?.string {
      path.removeLastComponent()
      let entries = IN_CREATE | IN_MOVED_TO | IN_MOVED_FROM | IN_DELETE
      let watch = add(path, entries | IN_MOVE_SELF | IN_DELETE_SELF | IN_ONLYDIR)
      guard watch < 0 else {
        watches.append(watch)
        directory = (watch, entry)
        return
      }
    }
  }

  /// -1 if it cannot be watched.
  private func add(_ path: FilePath, _ events: some BinaryInteger) -> CInt {
    let path = path.isEmpty ? "." : path.string
    return unsafe inotify_add_watch(descriptor.rawValue, path, UInt32(truncatingIfNeeded: events))
  }

  /// Takes the events until now. Returns whether the path may have changed: not if all are about other entries of its
  /// directory.
  @discardableResult
  package func takeAll() -> Bool {
    var buffer = [UInt8](repeating: 0, count: 4_096)
    var isChanged = false
    while case let count = unsafe read(descriptor.rawValue, &buffer, buffer.count), count > 0 {
      isChanged = isAbout(buffer[..<count]) || isChanged
    }
    return isChanged
  }

  /// Whether one of the events in the bytes that were read is about the path: see inotify(7) for their layout.
  private func isAbout(_ bytes: ArraySlice<UInt8>) -> Bool {
    var rest = bytes
    let head = MemoryLayout<inotify_event>.size
    while rest.count >= head {
      let event = unsafe rest.withUnsafeBytes { unsafe $0.loadUnaligned(as: inotify_event.self) }
      let name = rest.dropFirst(head).prefix(Int(event.len)).prefix { $0 != 0 }
      guard let directory, event.wd == directory.watch, !name.isEmpty,
        !name.elementsEqual(directory.entry.utf8)
      else { return true }
      rest = rest.dropFirst(head + Int(event.len))
    }
    return false
  }
}
