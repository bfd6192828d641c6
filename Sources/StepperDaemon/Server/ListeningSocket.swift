import StepperConfiguration
import StepperCore
import StepperSystem
import SystemPackage

extension ConfigurationFile.Loaded {
  /// The number of `socket-group`; nil: none is set.
  func socketGroup() throws(ConfigurationFailure) -> UInt32? {
    guard let name = configuration.daemon.socketGroup else { return nil }
    return try requireGroup(name, keyPath: "daemon.socket-group", file: self.name)
  }
}

/// Where clients find the daemon: the lock that keeps a second daemon from the same path, and a watch on the socket's
/// file, which is made again when somebody removes it.
final class ListeningSocket {
  private var path: String
  private let group: UInt32?
  private let scope: Places.Scope
  private let journal: Journal
  /// Whether the service manager made it; then only it can make it again.
  private var isInherited = false
  private var lock: LockFile?
  private var watch: PathWatch?
  /// Whether something may have happened to the socket's file.
  private var hasEvent = false
  /// Why clients cannot connect.
  private(set) var problem: String?
  /// When to try again to make it.
  private(set) var deadline: Instant?
  private var pause = shortestPause

  private static var shortestPause: Duration { .seconds(1) }
  private static var longestPause: Duration { .seconds(60) }

  init(path: String, group: UInt32?, scope: Places.Scope, journal: Journal) {
    self.path = path
    self.group = group
    self.scope = scope
    self.journal = journal
  }

  /// The socket that the service manager handed over, or one bound at the path.
  func open() throws(StartFailure) -> UnixListener {
    let listener: UnixListener
    do throws(ListenFailure) {
      if let given = ListenDescriptors.take(warn: { journal.warning(.daemon, $0) }).first {
        isInherited = true
        listener = UnixListener(inheriting: OwnedFileDescriptor(owning: given.rawValue))
      } else {
        listener = try bind()
      }
    } catch {
      throw error.startFailure(at: path)
    }
    path = listener.path ?? path
    do throws(Errno) {
      watch = try PathWatch()
      watch?.watch(FilePath(path))
    } catch {
      journal.info(.daemon, "nobody will notice if \(path) is removed: \(error)")
    }
    return listener
  }

  /// Readable when something may have happened to the socket's file; nil if that cannot be noticed.
  var rawDescriptor: CInt? { watch?.rawDescriptor }

  /// ``rawDescriptor`` was readable.
  func noteEvent() {
    watch?.takeAll()
    hasEvent = true
  }

  /// Returns a new listener if one had to be made because the present one is not where clients look for it; looks only if
  /// something may have happened or it is time to try again.
  func mend(isInPlace: () -> Bool, at now: Instant) -> UnixListener? {
    guard hasEvent || deadline.map({ $0 <= now }) ?? false else { return nil }
    hasEvent = false
    guard !isInPlace() else {
      (problem, deadline) = (nil, nil)
      return nil
    }
    guard !isInherited else {
      // Restarted while the service runs it is refused.
      report(
        "clients cannot connect: \(path) is gone; stop stepperd.service and stepperd.socket, then start both",
        at: now)
      return nil
    }
    do throws(ListenFailure) {
      let listener = try bind()
      journal.warning(.daemon, "somebody has removed \(path); it was made again")
      (problem, deadline, pause) = (nil, nil, Self.shortestPause)
      watch?.watch(FilePath(path))
      return listener
    } catch {
      watch?.watch(FilePath(path))
      report("clients cannot connect: \(error)", at: now)
      return nil
    }
  }

  private func report(_ problem: String, at now: Instant) {
    if self.problem == nil { journal.error(.daemon, problem) }
    self.problem = problem
    deadline = now + pause
    pause = min(pause * 2, Self.longestPause)
  }

  /// Lets the next daemon have the path. The listener must be gone before.
  func close() { lock = nil }

  private func bind() throws(ListenFailure) -> UnixListener {
    let isUsers = scope == .user
    // A path that is too long for the socket shall not leave its lock behind.
    guard path.utf8.count <= ListenFailure.longestPath else { throw .tooLong(path: path) }
    do throws(FileFailure) {
      let directory = FilePath(path).removingLastComponent()
      try createDirectory(directory, permissions: FilePermissions(rawValue: isUsers ? 0o700 : 0o755))
    } catch {
      throw .failed(error)
    }
    if !(lock?.isInPlace ?? false) {
      do throws(LockFailure) {
        lock = try LockFile(FilePath("\(path).lock"))
      } catch {
        throw ListenFailure(error, at: path)
      }
    }
    // The user's own directory keeps others out; a system's daemon lets its group in, or everybody.
    let mode: UInt32 = isUsers ? 0o600 : group == nil ? 0o666 : 0o660
    return try UnixListener(path: path, mode: mode, group: group)
  }
}

extension ListenFailure {
  /// What whoever starts the daemon is told, with what to do.
  fileprivate func startFailure(at path: String) -> StartFailure {
    switch self {
    case .inUse(_, 1):
      return .unavailable(
        "the service manager listens at \(path); use \"systemctl start stepperd\", or another --socket")
    case .inUse(_, let process):
      let name = process.map { " as process \($0)" } ?? ""
      return .unavailable(
        "another stepperd is running\(name) and listens at \(path); stop it, or give this one another --socket "
          + "and a state-directory of its own")
    case .occupied: return .unavailable("\(self); remove it, or use another --socket")
    case .tooLong: return .system("cannot listen: \(self); use --socket with a shorter one")
    case .failed(let failure):
      let reason = failure.path.string == path ? failure.errno.map { "\($0)" } : nil
      let message = "cannot listen at \(path): \(reason ?? "\(failure)")"
      let isPermission = failure.errno.map {
        [.permissionDenied, .notPermitted, .readOnlyFileSystem].contains($0)
      }
      guard isPermission == true else { return .system(message) }
      return .noPermission("\(message); use --user, or --socket PATH with a path you may write")
    }
  }
}
