internal import StepperLinux
internal import SystemPackage

/// The process of a program that serves an outside, on the loop of this program.
final class OutsideProcess {
  private let loop: EventLoop
  private let deliver: (LinkMachine.Input) -> Void
  private let process: Box
  private var buffer = [UInt8](repeating: 0, count: 4_096)
  /// Whether it may still load another program.
  private var isLoading = true
  /// What its pipe had no room for yet.
  private var unwritten: ArraySlice<UInt8> = []

  private final class Box {
    var content: Coprocess
    init(_ content: consuming Coprocess) { self.content = content }
  }

  /// Starts this program with `arguments`, so that nothing is loaded that is not in memory already.
  init(
    _ arguments: [String], on loop: EventLoop, deliver: @escaping (LinkMachine.Input) -> Void
  ) throws {
    process = Box(try Coprocess.start(["/proc/self/exe"] + arguments))
    (self.loop, self.deliver) = (loop, deliver)
    try loop.watch(process.content.outputDescriptor, priority: .client) { [weak self] _, _ in _ = self?.read()
    }
    // A hang-up of its input is reported, also without an interest.
    try loop.watch(process.content.inputDescriptor, for: [], priority: .client) { [weak self] readiness, _ in
      self?.inputReady(readiness)
    }
    try loop.watch(process.content.loadingDescriptor, priority: .client) { [weak self] _, _ in self?.loaded()
    }
    try loop.watch(process.content.endDescriptor, priority: .client) { [weak self] _, _ in self?.ended() }
  }

  deinit { unwatch() }

  private func unwatch() {
    for descriptor in [
      process.content.outputDescriptor, process.content.inputDescriptor, process.content.loadingDescriptor,
      process.content.endDescriptor,
    ] { loop.unwatch(descriptor) }
  }

  func kill() { process.content.kill() }

  /// It is to end by itself, when it has done what it has read.
  func closeInput() {
    guard process.content.inputDescriptor >= 0 else { return }
    loop.unwatch(process.content.inputDescriptor)
    process.content.closeInput()
  }

  /// Writes `bytes` after what was sent before, when there is room for them; ``LinkMachine/Input/accepted`` follows.
  func send(_ bytes: [UInt8]) {
    unwritten += bytes
    write()
    loop.change(process.content.inputDescriptor, to: .writable)
  }

  private func write() {
    if case .bytes(let count) = process.content.write(unwritten) { unwritten = unwritten.dropFirst(count) }
  }

  private func loaded() {
    guard isLoading, case let state = process.content.loadingState, state != .later else { return }
    isLoading = false
    loop.unwatch(process.content.loadingDescriptor)
    if state == .end, process.content.end == nil { deliver(.loaded) }
  }

  private func inputReady(_ readiness: EventLoop.Readiness) {
    guard !readiness.isBroken else {
      loop.unwatch(process.content.inputDescriptor)
      return deliver(.inputClosed)
    }
    guard unwritten.isEmpty else { return write() }
    loop.change(process.content.inputDescriptor, to: [])
    deliver(.accepted)
  }

  /// Whether there may be more.
  private func read() -> Bool {
    // That was before it wrote anything.
    loaded()
    switch process.content.read(into: &buffer) {
    case .bytes(let count):
      deliver(.read(Array(buffer[..<count])))
      return true
    case .later: return false
    case .end:
      // One that only listens may close its output.
      loop.unwatch(process.content.outputDescriptor)
      return false
    }
  }

  /// As much as a pipe holds.
  private static let mostReads = 16

  private func ended() {
    guard let end = process.content.end else { return }
    for _ in 0..<Self.mostReads where !read() { break }
    unwatch()
    deliver(.ended("has ended \(end)"))
  }
}
