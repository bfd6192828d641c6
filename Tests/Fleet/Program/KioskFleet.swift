internal import StepperCore
internal import StepperLinux
internal import StepperMQTT
internal import SystemPackage

/// Thousands of boards on one loop, steered by lines on the standard input.
final class KioskFleet {
  struct Counters: Equatable {
    var online = 0
    var attempts = 0
    var losses = 0
    var published = 0
    var received = 0
    var turned = 0
  }

  let loop: EventLoop
  let brokers: [BrokerAddress]
  let certificates: Certificates
  let source: String
  let keepAlive: Int
  let qos: Int
  let realtimeOffset = realtimeOffsetMicroseconds()
  var deadlines: Deadlines
  var counters = Counters()
  /// From the first attempt to connect to online, since they were asked for last.
  var connectTimes: [Duration] = []
  private let names: Range<Int>
  private var kiosks: [Kiosk] = []
  private var turning: Turning?
  /// That have begun and are not over.
  var gestures = 0
  private var report = SampleReport<Counters>()
  private var lossReasons: [String: Int] = [:]
  private var input: CommandInput?

  private struct Turning {
    /// Gestures a second.
    let rate: Double
    let begin: Instant
    let end: Instant
    var begun = 0
    var isDone: Bool { Double(begun) >= rate * ((end - begin) / .seconds(1)) }
    var next: Instant { begin + .seconds(1) * (Double(begun + 1) / rate) }
  }

  init(
    names: Range<Int>, brokers: [BrokerAddress], certificates: Certificates, source: String, keepAlive: Int,
    qos: Int
  ) throws {
    (self.names, self.brokers, self.certificates) = (names, brokers, certificates)
    (self.source, self.keepAlive, self.qos) = (source, keepAlive, qos)
    loop = try EventLoop()
    deadlines = Deadlines(count: names.count)
  }

  func run() throws {
    input = try CommandInput(on: loop) { [weak self] in self?.perform($0) }
    try loop.run { [self] now in
      while let place = deadlines.earliestPlace, let due = deadlines.earliest, due <= now {
        deadlines[place] = nil
        kiosks[place].advance(to: now)
      }
      turnKnobs(at: now)
      report.sample(counters, at: now, Self.members)
      let gesture = turning.flatMap { $0.isDone ? nil : $0.next }
      return [deadlines.earliest, gesture, report.deadline].compactMap(\.self).min()
    }
  }

  private static func members(_ counters: Counters) -> [(String, Double)] {
    [
      ("online", Double(counters.online)), ("attempts", Double(counters.attempts)),
      ("losses", Double(counters.losses)), ("published", Double(counters.published)),
      ("received", Double(counters.received)), ("turned", Double(counters.turned)),
    ]
  }

  private func perform(_ words: [String]) {
    switch (words.first, words.count) {
    case ("start", 2): start(spread: .milliseconds(Int64(words[1]) ?? 0))
    case ("turn", 3):
      turning = Turning(
        rate: Double(words[1]) ?? 1, begin: loop.now, end: loop.now + .seconds(Int64(words[2]) ?? 1))
    case ("counters", 1): answer("counters")
    case ("values", 2): writeValues(to: words[1])
    case ("stop", 1): for kiosk in kiosks { kiosk.stop(at: loop.now) }
    case ("end", 1): loop.stop()
    default: Report.line("error", texts: [("message", "unknown command \(words.joined(separator: " "))")])
    }
  }

  private func start(spread: Duration) {
    var settings = MQTTBridgeSettings(id: "x", name: "x")
    (settings.groups, settings.version, settings.startSpread) = (["all"], "fleet", spread)
    kiosks = names.enumerated().map { place, name in
      settings.id = "k\(name)"
      settings.name = "Kiosk \(name)"
      settings.groups = name.isMultiple(of: 10) ? ["all", "tenth"] : ["all"]
      return Kiosk(settings.id, at: place, of: self, settings, seed: UInt64(name))
    }
    for kiosk in kiosks { kiosk.start(at: loop.now) }
    answer("started")
  }

  private func turnKnobs(at now: Instant) {
    guard var turning else { return }
    while !turning.isDone, turning.next <= now {
      turning.begun += 1
      kiosks.randomElement()?.turn(
        Int.random(in: 0..<SimulatedDaemon.controlCount), by: Bool.random() ? 1 : -1, at: now)
    }
    let isOver = turning.isDone && gestures == 0
    self.turning = isOver ? nil : turning
    if isOver { answer("turned") }
  }

  func noteLoss(_ reason: String) {
    counters.losses += 1
    lossReasons[reason, default: 0] += 1
  }

  private func answer(_ event: String) {
    let times = connectTimes
    connectTimes = []
    let reasons = lossReasons.sorted { $0.value > $1.value }.prefix(4).map { "\($0.value) \($0.key)" }
    lossReasons = [:]
    Report.line(
      event,
      Self.members(counters) + Report.percentiles(times),
      texts: [("reasons", reasons.joined(separator: "; "))])
  }

  /// What every board has, for the comparison with what the broker retains.
  private func writeValues(to path: String) {
    let lines = kiosks.flatMap { kiosk in
      ["\(kiosk.id) \(kiosk.daemon.instance) \(kiosk.isOnline ? "online" : "offline")"]
        + kiosk.daemon.lines.map { "\(kiosk.id) \($0)" }
    }
    do {
      try Report.write(lines, to: path)
      answer("values")
    } catch {
      Report.line("error", texts: [("message", "\(path): \(error)")])
    }
  }
}
