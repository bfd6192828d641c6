import Glibc
import StepperCore
import StepperLinux
import SystemPackage

/// Plays effects and sets lights as it is told, on one device that it also reads.
///
/// The commands come on the command line, separated by `,` and each finished before the next, in the effects' own
/// time; without any, one a line on standard input, while effects go on by the clock.
final class OutputProbe {
  private let device: EvdevDevice?
  private let outputs: DeviceOutputs
  private let haptic: HapticHID?
  private var wakeups = 0
  /// What time it is for effects; nil: the clock says.
  private var time: Instant?

  /// `outputs NODE|- [--grab] [--haptic] [--sysfs PATH] [--vibrator PATH] [--light PATH]… [COMMAND , COMMAND…]`
  init(_ options: inout ArraySlice<String>) throws(Errno) {
    let node = options.popFirst() ?? "-"
    device = node == "-" ? nil : try EvdevDevice(node: node)
    var haptic: HapticHID?
    var vibrator: Vibrator?
    var lights: [LightOutput] = []
    var sysfs: FilePath = "/sys"
    while let option = options.first, option.hasPrefix("--") {
      options.removeFirst()
      switch option {
      case "--grab": _ = try device?.grab(now: .now)
      case "--sysfs": sysfs = FilePath(options.popFirst() ?? "")
      case "--haptic":
        haptic = try HapticDevice(besides: node, sysfs: sysfs).map { device throws(Errno) in
          try HapticHID(device)
        }
      case "--vibrator": vibrator = try Vibrator(directory: FilePath(options.popFirst() ?? ""))
      case "--light": lights.append(try LightOutput(directory: FilePath(options.popFirst() ?? "")))
      default: throw .invalidArgument
      }
    }
    self.haptic = haptic
    outputs = DeviceOutputs(of: device, vibrator: vibrator, lights: lights)
    guard let haptic else { return }
    var polled = pollfd(fd: haptic.rawDescriptor, events: Int16(POLLIN), revents: 0)
    while unsafe poll(&polled, 1, -1) < 0 {}
    if case .notOpened(let error) = haptic.takeResult() {
      report("haptic \(error.rawValue)")
    } else {
      outputs.add(haptic)
    }
  }

  func run(_ commands: ArraySlice<String>) {
    report("ready grabbed=\(device?.isGrabbed ?? false) \(described)")
    guard commands.isEmpty else {
      time = .now
      for command in commands.split(separator: ",") {
        obey(command.map { Substring($0) })
        while let due = outputs.deadline {
          time = due
          outputs.advance(to: due)
          reportProblems()
        }
      }
      return
    }
    while wait(for: 0) {
      guard let line = readLine() else { return }
      obey(line.split(separator: " "))
    }
  }

  /// Whether there is something to read on `input`; what is due is done meanwhile.
  @discardableResult
  private func wait(for input: CInt?, noLongerThan limit: Instant? = nil) -> Bool {
    while true {
      let due = [outputs.deadline, limit].compactMap { $0 }.min()
      // Rounded up, or it would spin for the last millisecond.
      let timeout = due.map { CInt(clamping: max(0, ($0 - .now).nanoseconds + 999_999) / 1_000_000) } ?? -1
      var polled = [
        pollfd(fd: input ?? -1, events: Int16(POLLIN), revents: 0),
        pollfd(fd: device?.rawDescriptor ?? -1, events: Int16(POLLIN), revents: 0),
        pollfd(fd: haptic?.rawDescriptor ?? -1, events: Int16(POLLIN), revents: 0),
      ]
      guard unsafe poll(&polled, 3, timeout) >= 0 else { continue }
      let now = Instant.now
      if case .pulseFailed(let error) = haptic?.takeResult() { outputs.failHaptics(error) }
      outputs.advance(to: now)
      if polled[1].revents != 0 { read(now) }
      reportProblems()
      if polled[0].revents != 0 { return true }
      if limit.map({ $0 <= now }) ?? (input == nil && outputs.deadline == nil) { return false }
    }
  }

  private func obey(_ words: [Substring]) {
    let arguments = words.dropFirst().map(String.init)
    switch (words.first.map(String.init) ?? "", arguments.count) {
    case ("play", 1...2):
      let kind = arguments.count > 1 ? OutputKind(rawValue: arguments[1]) : nil
      report("played \(play(arguments[0], kind)?.rawValue ?? "nothing")")
    case ("light", 2):
      report("light \(outputs.setLight(arguments[0], brightness: Double(arguments[1]) ?? .nan))")
    case ("storm", 3):
      storm(arguments[0], count: Int(arguments[1]) ?? 0, milliseconds: Int(arguments[2]) ?? 0)
    case ("gain", 1):
      outputs.gain = Double(arguments[0]) ?? .nan
      report("gain \(outputs.gain)")
    case ("outputs", _): report(described)
    case ("overruns", _): report("overruns \(device?.overrunCount ?? 0) wakeups \(wakeups)")
    case ("close", _):
      outputs.close()
      report("closed")
    default: report("what? \(words.joined(separator: " "))")
    }
    reportProblems()
  }

  private func reportProblems() {
    for problem in outputs.takeProblems() {
      report("problem \(problem.kind.rawValue) \(problem.error.rawValue)")
    }
  }

  private func play(_ effect: String, _ kind: OutputKind?) -> OutputKind? {
    guard let effect = FeedbackEffect(rawValue: effect) else { return nil }
    return outputs.play(effect, preferring: kind, at: time ?? .now)
  }

  /// So many plays, evenly over so much time.
  private func storm(_ effect: String, count: Int, milliseconds: Int) {
    let start = Instant.now
    var played = 0
    for index in 0..<count {
      let due = start + .milliseconds(milliseconds * index / count)
      while Instant.now < due { wait(for: nil, noLongerThan: due) }
      outputs.advance(to: .now)
      if play(effect, nil) != nil { played += 1 }
    }
    report("storm \(played) of \(count) in \((Instant.now - start) / .milliseconds(1)) ms")
  }

  private func read(_ now: Instant) {
    wakeups += 1
    do throws(Errno) {
      while let reading = try device?.nextFrame(now: now) {
        guard case .frame(let frame) = reading else { continue }
        report("frame" + frame.events.map { " \($0.usage.typeName) \($0.usage.name)=\($0.value)" }.joined())
      }
    } catch {
      report("ended \(error.rawValue)")
      exit(0)
    }
  }

  private var described: String {
    "kinds=\(outputs.kinds.map(\.rawValue).joined(separator: ",")) lights=\(outputs.lights.joined(separator: ","))"
  }

}

private func report(_ line: String) {
  print(line)
  fflush(nil)
}
