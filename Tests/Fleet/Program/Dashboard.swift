internal import StepperCore
internal import StepperLinux
internal import StepperMQTT
internal import SystemPackage
internal import Varlink

/// A client that subscribes to everything of all boards and keeps the latest, steered by lines on the standard input.
final class Dashboard {
  private struct Counters: Equatable {
    var messages = 0
    var retained = 0
    var topics = 0
    var online = 0
    var offline = 0
    /// Announcements that were not retained: sent while this client was subscribed.
    var announced = 0
    var acknowledged = 0
  }
  private struct GroupSet {
    let marker: String
    let expected: Int
    let begin: Instant
    let end: Instant
    var times: [Duration] = []
  }

  private let loop: EventLoop
  private let broker: BrokerAddress
  private let certificates: Certificates
  private let source: String
  private var client: BrokerClient?
  private var topics: [String: [UInt8]] = [:]
  private var counters = Counters()
  private var report = SampleReport<Counters>()
  private var keepAlive = Instant.distantFuture
  /// When it connects again after a loss.
  private var retry: Instant?
  private var groupSet: GroupSet?
  private var number = 0
  private var input: CommandInput?

  init(broker: BrokerAddress, certificates: Certificates, source: String) throws {
    (self.broker, self.certificates, self.source) = (broker, certificates, source)
    loop = try EventLoop()
  }

  func run() throws {
    input = try CommandInput(on: loop) { [weak self] in self?.perform($0) }
    try loop.run { [self] now in
      if keepAlive <= now {
        client?.keepAlive()
        keepAlive = now + .seconds(5)
      }
      collect(at: now)
      if let retry, retry <= now { connect() }
      if let groupSet, groupSet.end <= now || groupSet.times.count >= groupSet.expected { conclude(groupSet) }
      report.sample(counters, at: now, Self.members)
      return [client == nil ? nil : keepAlive, retry, groupSet?.end, report.deadline].compactMap(\.self).min()
    }
  }

  private static func members(_ counters: Counters) -> [(String, Double)] {
    [
      ("messages", Double(counters.messages)), ("retained", Double(counters.retained)),
      ("topics", Double(counters.topics)), ("online", Double(counters.online)),
      ("offline", Double(counters.offline)), ("announced", Double(counters.announced)),
      ("acknowledged", Double(counters.acknowledged)),
    ]
  }

  private func perform(_ words: [String]) {
    switch (words.first, words.count) {
    case ("subscribe", 1): connect()
    case ("publish", 3):
      client?.publish(words[1], Array(words[2].utf8), isRetained: false, isAcknowledged: true)
    case ("group", 6): setGroup(words)
    case ("counters", 1): Report.line("counters", Self.members(counters))
    case ("dump", 2): dump(to: words[1])
    case ("end", 1): loop.stop()
    default: Report.line("error", texts: [("message", "unknown command \(words.joined(separator: " "))")])
    }
  }

  /// Forgets everything and connects again.
  private func connect() {
    client?.close()
    retry = nil
    (topics, counters, report) = ([:], Counters(), SampleReport())
    number += 1
    let settings = certificates.settings(of: broker, clientID: "dashboard-\(number)")
    keepAlive = loop.now + .seconds(5)
    do {
      client = try BrokerClient(on: loop, settings, will: nil, from: source, ready: { _ in })
    } catch {
      Report.line("error", texts: [("message", "\(error)")])
    }
  }

  private func collect(at now: Instant) {
    for event in client?.collect() ?? [] {
      switch event {
      case .accepted: client?.subscribe(to: ["stepperd/#", "homeassistant/device/+/config"])
      case .subscribed(let granted):
        Report.line("subscribed", texts: [("granted", granted.contains(false) ? "no" : "yes")])
      case .acknowledged: counters.acknowledged += 1
      case .received(let topic, let payload, let isRetained): note(topic.shown, payload, isRetained, at: now)
      case .lost(let failure):
        client = nil
        retry = now + .seconds(1)
        Report.line("lost", texts: [("message", failure.description)])
      }
    }
  }

  private func note(_ topic: String, _ payload: [UInt8], _ isRetained: Bool, at now: Instant) {
    counters.messages += 1
    if isRetained { counters.retained += 1 }
    if topic.hasSuffix("/result") { return noteResult(payload, at: now) }
    if topic.hasSuffix("/set") || topic.hasSuffix("/moment") { return }
    if !isRetained, topic.hasSuffix("/config") { counters.announced += 1 }
    let former =
      payload.isEmpty ? topics.removeValue(forKey: topic) : topics.updateValue(payload, forKey: topic)
    counters.topics = topics.count
    guard topic.hasSuffix("/status") else { return }
    count(former, -1)
    count(payload, 1)
  }

  private func count(_ status: [UInt8]?, _ change: Int) {
    switch status.map({ String(decoding: $0, as: UTF8.self) }) {
    case "online": counters.online += change
    case "offline": counters.offline += change
    default: break
    }
  }

  // MARK: Sets of a group

  /// `group GROUP CONTROL VALUE BOARDS SECONDS`
  private func setGroup(_ words: [String]) {
    number += 1
    let marker = "set-\(number)"
    groupSet = GroupSet(
      marker: "\"id\":\"\(marker)\"", expected: Int(words[4]) ?? 0, begin: .now,
      end: .now + .seconds(Int64(words[5]) ?? 10))
    let payload = "{\"text\":\"\(words[3])\",\"id\":\"\(marker)\"}"
    client?.publish(
      "stepperd/$group/\(words[1])/\(words[2])/set", Array(payload.utf8), isRetained: false,
      isAcknowledged: true)
  }

  private func noteResult(_ payload: [UInt8], at now: Instant) {
    guard let running = groupSet, String(decoding: payload, as: UTF8.self).contains(running.marker) else {
      return
    }
    groupSet?.times.append(now - running.begin)
  }

  private func conclude(_ done: GroupSet) {
    groupSet = nil
    Report.line("group", Report.percentiles(done.times))
  }

  /// `TOPIC PAYLOAD` of everything.
  private func dump(to path: String) {
    do {
      try Report.write(topics.map { "\($0.key) \(String(decoding: $0.value, as: UTF8.self))" }, to: path)
      Report.line("dumped", Self.members(counters))
    } catch {
      Report.line("error", texts: [("message", "\(path): \(error)")])
    }
  }
}
