internal import Glibc
package import SystemPackage

/// Detects that one of some files is removed, moved or replaced, or that its content changes. All of them share one
/// instance of inotify, of which a user has 128.
///
/// The corresponding C interface is inotify(7).
package struct PathWatch: ~Copyable {
  /// What is detected. In either case, it is also detected that a directory on the way to the file is moved or
  /// removed, or that a symbolic link there leads elsewhere.
  package enum Subject {
    /// The file or its directory is removed, moved or replaced. Other events in the directory cause no wakeups.
    case removal
    /// The file is written, replaced, removed or created; a symbolic link is followed. If the directory does not
    /// exist, the nearest existing parent is watched for new entries.
    case content
  }

  /// The maximum of names and links that are followed in a path; the kernel follows 40 links.
  private static let mostSteps = 128

  private let descriptor: OwnedFileDescriptor
  /// Why nothing can be watched: this user has too many inotify instances.
  private let failure: Errno?
  private var watches: Set<CInt> = []
  /// The paths of which a part cannot be watched, so that changes may be missed, with the reason: the part is not
  /// readable, or this user has too many watches.
  package private(set) var refusals: [FilePath: Errno] = [:]
  /// The reason for the path that is being added.
  private var refusal: Errno?
  /// For directories of which only some entries matter: these entries.
  private var entries: [CInt: Set<String>] = [:]

  package init() {
    let result = inotify_init1(CInt(IN_NONBLOCK | IN_CLOEXEC))
    failure = result < 0 ? Errno.current : nil
    descriptor = OwnedFileDescriptor(owning: result)
  }

  /// Readable after a possible change of one of the paths; nil if nothing can be watched.
  package var rawDescriptor: CInt? { failure == nil ? descriptor.rawValue : nil }

  /// Watches `paths` from now on, instead of the former paths. Earlier changes are not reported: the caller checks the
  /// paths afterwards.
  package mutating func watch(_ paths: [FilePath], for subject: Subject = .removal) {
    for watch in watches { inotify_rm_watch(descriptor.rawValue, watch) }
    takeAll()
    (watches, entries, refusals) = ([], [:], [:])
    // The number of links changes when a file is removed or another one is moved to its place.
    let events = IN_MOVE_SELF | IN_DELETE_SELF | IN_ATTRIB
    for path in paths {
      refusal = failure
      if failure == nil {
        _ = add(path, subject == .removal ? events | IN_DONT_FOLLOW : events | IN_CLOSE_WRITE)
        watchWay(to: path, for: subject)
      }
      refusals[path] = refusal
    }
  }

  /// Watches each directory on the way to `path`, and the entries whose change may make the path lead elsewhere.
  private mutating func watchWay(to path: FilePath, for subject: Subject) {
    var (place, rest) = (FilePath(root: path.root, []), Array(path.components.reversed()))
    for _ in 0..<Self.mostSteps {
      guard let name = rest.popLast() else { return }
      switch name.kind {
      case .currentDirectory: continue
      case .parentDirectory:
        // No component of `place` is a link.
        if place.lastComponent?.kind == .regular || place.isAbsolute {
          place.removeLastComponent()
        } else {
          place.append(name)
        }
        continue
      case .regular: break
      }
      let next = place.appending(name)
      if let target = linkTarget(next) {
        watch(name, in: place)
        if target.isAbsolute { place = FilePath(root: target.root, []) }
        rest += target.components.reversed()
      } else if rest.isEmpty {
        return subject == .content ? watch(name, in: place) : ()
      } else if add(next, IN_MOVE_SELF | IN_DELETE_SELF | IN_ONLYDIR) == .missing {
        return subject == .content ? watch(name, in: place) : ()
      } else {
        place = next
      }
    }
  }

  /// Watches an entry of a directory.
  private mutating func watch(_ entry: FilePath.Component, in directory: FilePath) {
    let events = IN_CREATE | IN_MOVED_TO | IN_MOVED_FROM | IN_DELETE
    if case .watched(let watch) = add(directory, events | IN_MOVE_SELF | IN_DELETE_SELF | IN_ONLYDIR) {
      entries[watch, default: []].insert(entry.string)
    }
  }

  private enum Addition: Hashable {
    case watched(CInt)
    case missing
    /// The entry may exist; ``refusal`` has the reason.
    case refused
  }

  /// Watches `path` for `events`, in addition to those for which it is watched already.
  private mutating func add(_ path: FilePath, _ events: some BinaryInteger) -> Addition {
    let (path, events) = (path.isEmpty ? "." : path.string, UInt32(truncatingIfNeeded: events))
    do throws(Errno) {
      let watch = try Errno.check(
        unsafe inotify_add_watch(descriptor.rawValue, path, events | UInt32(IN_MASK_ADD)))
      watches.insert(watch)
      return .watched(watch)
    } catch {
      if [.noSuchFileOrDirectory, .notDirectory].contains(error) { return .missing }
      refusal = error
      return .refused
    }
  }

  /// Takes all pending events. Returns whether a path may have changed; false if all events are about other entries
  /// of the directories.
  @discardableResult
  package func takeAll() -> Bool {
    var buffer = [UInt8](repeating: 0, count: 4_096)
    var isChanged = false
    while case let count = unsafe read(descriptor.rawValue, &buffer, buffer.count), count > 0 {
      isChanged = isAbout(buffer[..<count]) || isChanged
    }
    return isChanged
  }

  /// Whether one of the events in these bytes is about a path: see inotify(7) for their layout.
  private func isAbout(_ bytes: ArraySlice<UInt8>) -> Bool {
    var rest = bytes
    let head = MemoryLayout<inotify_event>.size
    while rest.count >= head {
      let event = unsafe rest.withUnsafeBytes { unsafe $0.loadUnaligned(as: inotify_event.self) }
      let name = rest.dropFirst(head).prefix(Int(event.len)).prefix { $0 != 0 }
      guard let entries = entries[event.wd], !name.isEmpty,
        !entries.contains(where: { name.elementsEqual($0.utf8) })
      else { return true }
      rest = rest.dropFirst(head + Int(event.len))
    }
    return false
  }
}
