package import StepperCore
package import SystemPackage

/// Watches files on the loop until one of them may have changed. After that it notices nothing more until ``begin()``.
package final class FileWatch {
  /// The watched files. Another list applies from the next ``begin()``.
  package var paths: [String]
  private let loop: EventLoop
  private var watch = PathWatch()
  private let changed: (_ now: Instant) -> Void
  /// How often other files of the directories have changed. After some such events the watched files count as changed,
  /// which bounds the cost of a program that writes to a directory all the time.
  private var strayEvents = 0
  private static let mostStrayEvents = 32

  /// How often to check a file for which the system reports no changes.
  package static let pauseAfterRefusal = Duration.seconds(60)

  /// Begins to watch the files.
  package init(
    _ paths: [String], on loop: EventLoop, changed: @escaping (_ now: Instant) -> Void
  ) throws(Errno) {
    self.paths = paths
    self.loop = loop
    self.changed = changed
    if let descriptor = watch.rawDescriptor {
      try loop.watch(descriptor, priority: .system) { [weak self] _, now in self?.takeEvents(at: now) }
    }
    begin()
  }

  deinit { if let descriptor = watch.rawDescriptor { loop.unwatch(descriptor) } }

  private func takeEvents(at now: Instant) {
    let isAboutFiles = watch.takeAll()
    if !isAboutFiles { strayEvents += 1 }
    guard isAboutFiles || strayEvents >= Self.mostStrayEvents else { return }
    if let descriptor = watch.rawDescriptor { loop.change(descriptor, to: []) }
    changed(now)
  }

  /// Watches the files again from now on. Call this before reading them, so that no change is missed.
  package func begin() {
    strayEvents = 0
    watch.watch(paths.map { FilePath($0) }, for: .content)
    if let descriptor = watch.rawDescriptor { loop.change(descriptor, to: .readable) }
  }

  /// The files whose changes may be missed, with the reason: they must be checked again after ``pauseAfterRefusal``.
  package var refusals: [(path: String, error: Errno)] {
    paths.compactMap { path in watch.refusals[FilePath(path)].map { (path, $0) } }
  }
}
