internal import StepperLinux
internal import SystemPackage

/// The process of a program that serves an outside, watched by this program's loop.
final class OutsideProcess {
  private let loop: EventLoop
  private let deliver: (LinkMachine.Input) -> Void
  private var process: Coprocess
  private var buffer = [UInt8](repeating: 0, count: 4_096)
  /// Whether the process may still load another program.
  private var isLoading = true
  /// The bytes for which the pipe had no room yet.
  private var unwritten: ArraySlice<UInt8> = []

  /// Starts this program with `arguments`, so that only code that is already in memory gets loaded.
  init(
    _ arguments: [String], on loop: EventLoop, deliver: @escaping (LinkMachine.Input) -> Void
  ) throws {
    (self.loop, self.deliver) = (loop, deliver)
    process = try Coprocess.start(["/proc/self/exe"] + arguments)
    try loop.watch(process.outputDescriptor, priority: .client) { [weak self] _, _ in _ = self?.read()
    }
    // A hang-up of the input is reported even if no events are requested.
    try loop.watch(process.inputDescriptor, for: [], priority: .client) { [weak self] readiness, _ in
      self?.inputReady(readiness)
    }
    try loop.watch(process.loadingDescriptor, priority: .client) { [weak self] _, _ in self?.loaded()
    }
    try loop.watch(process.endDescriptor, priority: .client) { [weak self] _, _ in self?.ended() }
  }

  deinit { unwatch() }

  private func unwatch() {
    for descriptor in [
      process.outputDescriptor, process.inputDescriptor, process.loadingDescriptor,
      process.endDescriptor,
    ] { loop.unwatch(descriptor) }
  }

  func kill() { process.kill() }

  /// Closes the input, so that the process ends by itself when it has handled everything that it has read.
  func closeInput() {
    guard process.inputDescriptor >= 0 else { return }
    loop.unwatch(process.inputDescriptor)
    process.closeInput()
  }

  /// Writes `bytes` after everything sent before, as soon as there is room. ``LinkMachine/Input/accepted`` follows.
  func send(_ bytes: [UInt8]) {
    unwritten += bytes
    write()
    loop.change(process.inputDescriptor, to: .writable)
  }

  private func write() {
    if case .bytes(let count) = process.write(unwritten) { unwritten = unwritten.dropFirst(count) }
  }

  private func loaded() {
    guard isLoading, case let state = process.loadingState, state != .later else { return }
    isLoading = false
    loop.unwatch(process.loadingDescriptor)
    if state == .end, process.end == nil { deliver(.loaded) }
  }

  private func inputReady(_ readiness: EventLoop.Readiness) {
    guard !readiness.isBroken else {
      loop.unwatch(process.inputDescriptor)
      return deliver(.inputClosed)
    }
    guard unwritten.isEmpty else { return write() }
    loop.change(process.inputDescriptor, to: [])
    deliver(.accepted)
  }

  /// Reads from the process. Returns whether there may be more.
  private func read() -> Bool {
    // The program was loaded before it wrote anything.
    loaded()
    switch process.read(into: &buffer) {
    case .bytes(let count):
      deliver(.read(Array(buffer[..<count])))
      return true
    case .later: return false
    case .end:
      // A program that only listens may close its output.
      loop.unwatch(process.outputDescriptor)
      return false
    }
  }

  /// The number of reads that empty a full pipe.
  private static let mostReads = 16

  private func ended() {
    guard let end = process.end else { return }
    for _ in 0..<Self.mostReads where !read() { break }
    unwatch()
    deliver(.ended("has ended \(end)"))
  }
}
