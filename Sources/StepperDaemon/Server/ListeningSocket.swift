import StepperConfiguration
import StepperCore
import StepperLinux
import SystemPackage

/// The socket of the daemon, with a lock that excludes a second daemon at the same path. Watches the file of the
/// socket, and creates it again when it is removed.
final class ListeningSocket {
  /// The path of the socket. If the service manager has created the socket, this is the path where it did so.
  private(set) var path: String
  private let group: UInt32?
  private let scope: Paths.Scope
  private let journal: Journal
  /// Whether the service manager created the socket; then only the service manager can create it again.
  private var isInherited = false
  private var lock: LockFile?
  private var watch = PathWatch()
  /// Whether the path is checked once a minute, because it cannot be watched.
  private var isLookedAt = false
  /// Whether the file of the socket may have changed.
  private var hasEvent = false
  /// The reason why clients cannot connect.
  private(set) var problem = StandingProblem()
  private var retry = Retry(longestPause: .seconds(60))

  init(path: String, group: UInt32?, scope: Paths.Scope, journal: Journal) {
    self.path = path
    self.group = group
    self.scope = scope
    self.journal = journal
  }

  /// Returns the socket passed by the service manager, or a new one bound to the path.
  func open() throws(StartFailure) -> UnixListener {
    let listener: UnixListener
    do throws(ListenFailure) {
      let given = ListenDescriptors.take(warn: { journal.warning(.daemon, $0) })
      if let first = given.first {
        isInherited = true
        listener = UnixListener(inheriting: OwnedFileDescriptor(owning: first.rawValue))
        for other in given.dropFirst() {
          let descriptor = OwnedFileDescriptor(owning: other.rawValue)
          journal.warning(
            .daemon,
            "the inherited descriptor \(descriptor.rawValue) is a second socket and is closed; only one is served"
          )
        }
      } else {
        listener = try bind()
      }
    } catch {
      throw error.startFailure(at: path, scope)
    }
    if let place = listener.path, place != path {
      journal.notice(
        .daemon, "listening at \(place), where the service manager has created the socket, instead of \(path)"
      )
      path = place
    }
    watchAgain(at: .now)
    return listener
  }

  /// Watches the path. If its removal might not be reported, the path is checked again in a minute.
  private func watchAgain(at now: Instant) {
    watch.watch([FilePath(path)])
    guard let error = watch.refusals.first?.value else { return }
    if !isLookedAt {
      journal.info(.daemon, "\(path) cannot be watched and is checked once a minute: \(error)")
    }
    isLookedAt = true
    retry.failed(at: now, pause: .seconds(60))
  }

  /// The next attempt to create the socket.
  var deadline: Instant? { retry.at }

  /// Readable after a change of the socket's file; nil if changes cannot be watched.
  var rawDescriptor: CInt? { watch.rawDescriptor }

  /// Call it when ``rawDescriptor`` is readable.
  func noteEvent() {
    watch.takeAll()
    hasEvent = true
  }

  /// Checks the file of the socket after a change of it or at ``deadline``. Returns a new listener if the path did
  /// not lead to the present one.
  func recreateIfMissing(isInPlace: () -> Bool, at now: Instant) -> UnixListener? {
    guard hasEvent || retry.isDue(at: now) else { return nil }
    hasEvent = false
    guard !isInPlace() else {
      problem.change(to: nil)
      retry.clear()
      if isLookedAt { watchAgain(at: now) }
      return nil
    }
    guard !isInherited else {
      // A socket unit cannot be restarted while its service is active.
      report(
        "clients cannot connect: \(path) was removed; stop stepperd.service and stepperd.socket, then start both",
        at: now)
      return nil
    }
    do throws(ListenFailure) {
      let listener = try bind()
      journal.warning(.daemon, "\(path) was removed and has been created again")
      problem.change(to: nil)
      retry.clear()
      watchAgain(at: now)
      return listener
    } catch {
      watch.watch([FilePath(path)])
      report("clients cannot connect: \(error)", at: now)
      return nil
    }
  }

  private func report(_ text: String, at now: Instant) {
    if problem.change(to: text) == .begun { journal.error(.daemon, text) }
    retry.failed(at: now)
  }

  /// Releases the path for the next daemon. The listener must be closed before.
  func close() { lock = nil }

  private func bind() throws(ListenFailure) -> UnixListener {
    let isUsers = scope == .user
    guard !path.isEmpty else { throw .noPath }
    // A lock file is created only for a path that is short enough for a socket.
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
    // The directory of a user's daemon excludes other users. The system service admits its group, or all users.
    let mode: UInt32 = isUsers ? 0o600 : group == nil ? 0o666 : 0o660
    return try UnixListener(path: path, mode: mode, group: group)
  }
}

extension ListenFailure {
  /// The error message for the person who starts the daemon, with the remedy.
  fileprivate func startFailure(at path: String, _ scope: Paths.Scope) -> StartFailure {
    switch self {
    case .inUse(_, 1):
      return .unavailable(
        "the service manager listens at \(path); use \"systemctl start stepperd\", or another --socket")
    case .inUse(_, let process):
      let name = process.map { " as process \($0)" } ?? ""
      return .unavailable(
        "another stepperd is running\(name) and listens at \(path); stop it, or give this one another --socket "
          + "and a state-directory of its own")
    case .noPath:
      return .system(
        "cannot listen: \(self); set it, as with 'export XDG_RUNTIME_DIR=/run/user/$(id -u)', or use --socket PATH"
      )
    case .occupied: return .unavailable("\(self); remove it, or use another --socket")
    case .tooLong: return .system("cannot listen: \(self); use --socket with a shorter one")
    case .failed(let failure):
      let reason = failure.path.string == path ? failure.errno.map { "\($0)" } : nil
      let message = "cannot listen at \(path): \(reason ?? "\(failure)")"
      let isPermission = failure.errno.map {
        [.permissionDenied, .notPermitted, .readOnlyFileSystem].contains($0)
      }
      guard isPermission == true else { return .system(message) }
      let remedy =
        scope == .user
        ? "set XDG_RUNTIME_DIR to a directory you may write to, or use --socket PATH with such a path"
        : "use --user, or --socket PATH with a path you may write"
      return .noPermission("\(message); \(remedy)")
    }
  }
}
