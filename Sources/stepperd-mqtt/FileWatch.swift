internal import StepperCore
internal import StepperLinux
internal import SystemPackage

/// Tells when a file may have changed, on the program's loop.
final class FileWatch {
  private let loop: EventLoop
  private let path: FilePath
  private var watch: PathWatch

  /// Throws if the system watches no more files.
  init(on loop: EventLoop, _ path: String, changed: @escaping (Instant) -> Void) throws(Errno) {
    (self.loop, self.path) = (loop, FilePath(path))
    watch = try PathWatch()
    watch.watch(self.path, for: .content)
    try loop.watch(watch.rawDescriptor, priority: .system) { [weak self] _, now in
      guard let self, watch.takeAll() else { return }
      // Before it is read, so that no change is missed.
      watch.watch(self.path, for: .content)
      changed(now)
    }
  }

  deinit { loop.unwatch(watch.rawDescriptor) }
}
