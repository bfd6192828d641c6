import StepperConfiguration
import StepperCore
import StepperLinux
import SystemPackage

/// The socket of the daemon: its lock, which excludes a second daemon at the same path, and a watch on its file,
/// which is created again when it is removed.
final class ListeningSocket {
  /// Where it is: where the service manager has created it, if it has.
  private(set) var path: String
  private let group: UInt32?
  private let scope: Paths.Scope
  private let journal: Journal
  /// Whether the service manager created the socket; then only the service manager can create it again.
  private var isInherited = false
  private var lock: LockFile?
  private var watch = PathWatch()
  /// Whether it is looked at now and then, because it could not be watched.
  private var isLookedAt = false
  /// Whether the file of the socket may have changed.
  private var hasEvent = false
  /// The reason why clients cannot connect; nil if they can.
  private(set) var problem: String? { didSet { revision += 1 } }
  /// The number of changes of ``problem``.
  private(set) var revision = 0
  private var retry = Retry(longestPause: .seconds(60))

  init(path: String, group: UInt32?, scope: Paths.Scope, journal: Journal) {
    self.path = path
    self.group = group
    self.scope = scope
    self.journal = journal
  }

  /// The socket passed by the service manager, or a new one bound to the path.
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
            "the inherited descriptor \(descriptor.rawValue) is a second socket and is closed; one is served")
        }
      } else {
        listener = try bind()
      }
    } catch {
      throw error.startFailure(at: path)
    }
    if let place = listener.path, place != path {
      journal.notice(
        .daemon, "listening at \(place), which the service manager has created, and not at \(path)")
      path = place
    }
    watchAgain(at: .now)
    return listener
  }

  /// Looks at the path again in a while where its removal may not be told.
  private func watchAgain(at now: Instant) {
    watch.watch(FilePath(path))
    guard let error = watch.refusal else { return }
    if !isLookedAt { journal.info(.daemon, "the removal of \(path) is noticed a minute later: \(error)") }
    isLookedAt = true
    retry.failed(at: now, pause: .seconds(60))
  }

  /// The next attempt to create the socket.
  var deadline: Instant? { retry.at }

  /// Readable after a change of the socket's file; nil if changes cannot be watched.
  var rawDescriptor: CInt? { watch.rawDescriptor }

  /// ``rawDescriptor`` was readable.
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
      problem = nil
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
      problem = nil
      retry.clear()
      watchAgain(at: now)
      return listener
    } catch {
      watch.watch(FilePath(path))
      report("clients cannot connect: \(error)", at: now)
      return nil
    }
  }

  private func report(_ problem: String, at now: Instant) {
    if self.problem == nil { journal.error(.daemon, problem) }
    self.problem = problem
    retry.failed(at: now)
  }

  /// Releases the path for the next daemon. The listener must be closed before.
  func close() { lock = nil }

  private func bind() throws(ListenFailure) -> UnixListener {
    let isUsers = scope == .user
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
    // The directory of a user's daemon excludes other users; the system service admits its group, or all users.
    let mode: UInt32 = isUsers ? 0o600 : group == nil ? 0o666 : 0o660
    return try UnixListener(path: path, mode: mode, group: group)
  }
}

extension ListenFailure {
  /// The error message for the person who starts the daemon, with the remedy.
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
