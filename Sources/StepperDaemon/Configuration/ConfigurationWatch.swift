import StepperCore
import StepperLinux
import SystemPackage

/// A file of the configuration that the loop watches until it has changed: then nothing more is noticed until ``begin()``.
final class ConfigurationWatch {
  private let path: FilePath
  private let loop: EventLoop
  private var watch: PathWatch
  private let changed: (_ now: Instant) -> Void
  /// The number of times that other files of the directory have changed. It counts as a change of this file after some of
  /// them, which bounds what a program can cost that writes to the directory all the time.
  private var strayEvents = 0
  private static let mostStrayEvents = 32

  /// Begins to watch the file.
  init(_ path: String, loop: EventLoop, changed: @escaping (_ now: Instant) -> Void) throws(Errno) {
    self.path = FilePath(path)
    self.loop = loop
    self.changed = changed
    watch = PathWatch()
    if let descriptor = watch.rawDescriptor {
      try loop.watch(descriptor, priority: .system) { [weak self] _, now in self?.takeEvents(at: now) }
    }
    begin()
  }

  private func takeEvents(at now: Instant) {
    let isAboutFile = watch.takeAll()
    if !isAboutFile { strayEvents += 1 }
    guard isAboutFile || strayEvents >= Self.mostStrayEvents else { return }
    if let descriptor = watch.rawDescriptor { loop.change(descriptor, to: []) }
    changed(now)
  }

  /// Watches it again from now on.
  func begin() {
    strayEvents = 0
    watch.watch(path, for: .content)
    if let descriptor = watch.rawDescriptor { loop.change(descriptor, to: .readable) }
  }

  /// Why changes may be missed; nil: they are not.
  var refusal: Errno? { watch.refusal }

  func end() { if let descriptor = watch.rawDescriptor { loop.unwatch(descriptor) } }
}
