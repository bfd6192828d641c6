internal import Glibc
internal import StepperClient
internal import StepperLinux

/// `watch --bars`: waits for keys, signals and changes, and draws at most 30 times a second.
final class BarsProgram {
  private static let drawingInterval = Duration.milliseconds(33)
  /// The maximum time between two bytes of one key.
  private static let sequenceTime = Duration.milliseconds(100)
  private static let endSignals = [SIGHUP, SIGINT, SIGQUIT, SIGTERM]

  private let terminal: Terminal
  private let style = TerminalStyle()
  private let feed: BarsFeed
  private let caller: ControlCaller
  private let signals: SignalSource
  private var bars: Bars
  private var screen = Screen()
  private var keys = KeyDecoder()
  private var isChanged = true
  /// The earliest time to draw again.
  private var nextDrawing = ContinuousClock.now
  /// The deadline of an incomplete sequence of keys.
  private var sequenceEnd: ContinuousClock.Instant?

  private enum End: Error {
    case key
    case signal(CInt)
  }

  /// Throws if the process has no descriptors left.
  init(_ client: StepperClient, on terminal: Terminal, values: ValueText) throws {
    self.terminal = terminal
    bars = Bars(values: values)
    let feed = try BarsFeed()
    self.feed = feed
    caller = ControlCaller(client) { error in
      feed.add { $0.message = CommandFailure(error, client: client).lines.joined(separator: " ") }
    }
    signals = try SignalSource(numbers: Self.endSignals + [SIGWINCH, SIGTSTP, SIGCONT])
  }

  /// Runs until a key or a signal ends it. Throws if no daemon replies at the start, or if it refuses.
  func run(_ client: StepperClient, _ names: [String], interval: Duration?) throws {
    guard feed.start(client, names, interval: interval ?? Self.drawingInterval) else {
      throw CommandFailure("cannot start a thread")
    }
    defer { terminal.leave() }
    // The terminal enters its mode only now, so that an earlier error is printed in the former mode.
    try wait(for: [feed.wakeup.descriptor, signals.rawDescriptor], timeout: nil)
    do {
      try takeUpdates()
      try takeSignals()
      terminal.enter()
      while true { try turn() }
    } catch End.key {
      return
    } catch End.signal(let number) {
      terminal.leave()
      Self.deliver(number)
    }
  }

  private func turn() throws {
    let now = ContinuousClock.now
    if let end = sequenceEnd, end <= now { try take(keys.endSequence()) }
    draw(at: now)
    try wait(
      for: [feed.wakeup.descriptor, signals.rawDescriptor], timeout: timeout(at: now),
      terminal: Int16(POLLIN) | (terminal.isBusy ? Int16(POLLOUT) : 0))
    terminal.flush()
    try takeSignals()
    try takeKeys()
    try takeUpdates()
  }

  // MARK: Waiting

  /// The time until the next deadline; nil without one.
  private func timeout(at now: ContinuousClock.Instant) -> Duration? {
    let drawing = isChanged && !terminal.isBusy ? nextDrawing : nil
    return [drawing, sequenceEnd].compactMap(\.self).min().map { max(.zero, $0 - now) }
  }

  private func wait(for descriptors: [CInt], timeout: Duration?, terminal events: Int16 = 0) throws {
    var polled = descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    if events != 0 { polled.append(pollfd(fd: terminal.rawDescriptor, events: events, revents: 0)) }
    let milliseconds = timeout.map { CInt($0 / .milliseconds(1)) + 1 } ?? -1
    _ = unsafe poll(&polled, nfds_t(polled.count), milliseconds)
  }

  // MARK: Input

  private func takeUpdates() throws {
    let updates = feed.take()
    if let failure = updates.failure { throw failure }
    for state in updates.order.compactMap({ updates.states[$0] }) { bars.update(state) }
    if let descriptions = updates.descriptions { bars.describe(descriptions) }
    for (control, device) in updates.devices { bars.note(device, movingControl: control) }
    if let message = updates.message { bars.show(message: message) }
    if let isConnected = updates.isConnected { bars.connectionChanged(isConnected: isConnected) }
    isChanged = true
  }

  private func takeKeys() throws {
    guard let bytes = terminal.read() else { throw End.signal(SIGHUP) }
    guard !bytes.isEmpty else { return }
    try take(keys.keys(from: bytes))
  }

  private func take(_ pressed: [TerminalKey]) throws {
    sequenceEnd = keys.isWaiting ? .now + Self.sequenceTime : nil
    isChanged = true
    for key in pressed {
      switch bars.press(key) {
      case .end: throw End.key
      case .redraw: screen.forget()
      case .call(let call):
        if !caller.make(call) { bars.show(message: "the daemon does not answer") }
      case nil: break
      }
    }
  }

  private func takeSignals() throws {
    while let number = signals.nextNumber() {
      switch number {
      case SIGTSTP: stop()
      case SIGCONT: terminal.enter()
      case SIGWINCH: break
      default: throw End.signal(number)
      }
      screen.forget()
      isChanged = true
    }
  }

  // MARK: Drawing

  private func draw(at now: ContinuousClock.Instant) {
    // A slow terminal is drawn less often.
    guard isChanged, nextDrawing <= now, !terminal.isBusy else { return }
    isChanged = false
    nextDrawing = now + Self.drawingInterval
    let size = terminal.size
    terminal.write(screen.update(to: BarsScreen(bars: bars, size: size, style: style).lines, size, style))
  }

  // MARK: Signals

  /// Restores the terminal and stops the program (Ctrl-Z) until the shell continues it.
  private func stop() {
    terminal.leave()
    Self.deliver(SIGTSTP)
    terminal.enter()
  }

  /// Performs the default action of the signal.
  private static func deliver(_ number: CInt) {
    var mask = sigset_t()
    unsafe sigemptyset(&mask)
    unsafe sigaddset(&mask, number)
    signal(number, SIG_DFL)
    kill(getpid(), number)
    unsafe pthread_sigmask(SIG_UNBLOCK, &mask, nil)
    unsafe pthread_sigmask(SIG_BLOCK, &mask, nil)
  }
}
