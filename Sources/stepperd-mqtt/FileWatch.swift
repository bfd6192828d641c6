internal import StepperCore
internal import StepperLinux
internal import SystemPackage

/// Tells when a file may have changed, on the program's loop.
final class FileWatch {
  private let loop: EventLoop
  private let path: FilePath
  private var watch: PathWatch

  /// Where the system watches no more files nothing is told.
  init(on loop: EventLoop, _ path: String, changed: @escaping (Instant) -> Void) throws(Errno) {
    (self.loop, self.path) = (loop, FilePath(path))
    watch = PathWatch()
    watch.watch(self.path, for: .content)
    guard let descriptor = watch.rawDescriptor else { return }
    try loop.watch(descriptor, priority: .system) { [weak self] _, now in
      guard let self, watch.takeAll() else { return }
      // Before it is read, so that no change is missed.
      watch.watch(self.path, for: .content)
      changed(now)
    }
  }

  deinit { if let descriptor = watch.rawDescriptor { loop.unwatch(descriptor) } }
}
