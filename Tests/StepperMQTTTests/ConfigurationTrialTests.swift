import StepperCore
import Testing

@testable import StepperMQTT

/// Configurations that are sent, in virtual time.
struct ConfigurationTrialTests {
  private typealias Health = ConfigurationTrial.Health

  private static let before = Health(instance: "a", devices: 1, problems: ["old"])
  private static let after = Health(instance: "b", devices: 1, problems: ["old"])

  private func trial(_ kept: KeptConfiguration = KeptConfiguration()) -> ConfigurationTrial {
    var trial = ConfigurationTrial(kept, healthTime: .seconds(60))
    trial.isOnline = true
    return trial
  }

  private func message(_ version: Int64, _ text: String = "[control.a]") -> SignedConfiguration {
    SignedConfiguration(to: "kiosk-1", version: version, text: text)
  }

  private func at(_ seconds: Int64) -> Instant { Instant(nanoseconds: 0) + .seconds(seconds) }

  private func file(_ version: Int64, _ text: String = "[control.a]", attempt: Int = 1) -> String {
    "# Configuration \(version), attempt \(attempt): written by stepperd-mqtt.\n\(text)"
  }

  /// What is done, in words.
  private func words(_ effects: [ConfigurationTrial.Effect]) -> [String] {
    effects.map { effect in
      switch effect {
      case .keep(let kept): "keep \(kept.state) \(kept.version)"
      case .install(let text): "install \(text)"
      case .check(let text): "check \(text)"
      case .ask: "ask"
      case .report: "report"
      case .ignore(let version, _): "ignore \(version)"
      }
    }
  }

  /// Has started, and everything was written.
  private func started(_ kept: KeptConfiguration = KeptConfiguration()) -> ConfigurationTrial {
    var trial = trial(kept)
    _ = trial.start()
    _ = trial.handle(.written, at: at(0))
    return trial
  }

  /// To the point where it is in use.
  private func tried(_ version: Int64, _ kept: KeptConfiguration = KeptConfiguration()) -> ConfigurationTrial
  {
    var trial = started(kept)
    #expect(trial.handle(.received(message(version)), at: at(0)) == [.check(file(version))])
    #expect(trial.handle(.checked(nil), at: at(0)) == [.ask])
    #expect(
      words(trial.handle(.health(Self.before), at: at(0)))
        == ["keep trying \(version)", "install \(file(version))"])
    #expect(trial.kept == kept)
    #expect(trial.handle(.written, at: at(0)) == [.report])
    #expect(trial.kept.state == .trying)
    return trial
  }

  @Test func `a board that is well confirms it`() {
    var trial = tried(4)
    #expect(trial.handle(.time, at: at(1)) == [.ask])
    // The daemon has not read it, then the board is not online.
    #expect(trial.handle(.health(Self.before), at: at(1)).isEmpty)
    #expect(trial.handle(.health(Self.after), at: at(2)) == [.ask])
    trial.isOnline = false
    #expect(trial.handle(.health(Self.after), at: at(3)) == [.ask])
    trial.isOnline = true
    #expect(words(trial.handle(.health(Self.after), at: at(3))) == ["keep confirmed 4"])
    #expect(trial.handle(.written, at: at(3)) == [.report])
    #expect(trial.kept.confirmedText == file(4))
    #expect(trial.kept.state == .confirmed)
    #expect(trial.kept.confirmedVersion == 4)
    #expect(trial.deadline == nil)
  }

  @Test(arguments: [
    (Self.before, true, "stepperd has not read it: old"),
    (Health(instance: "b", devices: 1, problems: ["old", "new"]), true, "new"),
    (Health(instance: "b", devices: 0, problems: []), true, "no device"),
    (Health(instance: "b", devices: 1, problems: []), false, "not online"),
    (nil, true, "does not answer"),
  ])
  func `a board that is not well puts the former one back`(
    health: ConfigurationTrial.Health?, isOnline: Bool, why: String
  ) {
    var kept = KeptConfiguration()
    (kept.version, kept.confirmedVersion, kept.confirmedText, kept.state) = (3, 3, "[control.b]", .confirmed)
    var trial = tried(4, kept)
    trial.isOnline = isOnline
    for second in 1..<60 {
      #expect(trial.handle(.health(health), at: at(Int64(second))) == [.ask])
    }
    #expect(words(trial.handle(.time, at: at(60))) == ["install [control.b]", "keep rolledBack 4"])
    #expect(trial.handle(.written, at: at(60)) == [.report])
    #expect(trial.kept.state == .rolledBack)
    #expect(trial.kept.error.contains(why))
    #expect(trial.kept.confirmedVersion == 3)
  }

  @Test func `the same is done once, and an older one not at all`() {
    var trial = tried(4)
    #expect(trial.handle(.received(message(4)), at: at(0)).isEmpty)
    _ = trial.handle(.health(Self.after), at: at(3))
    _ = trial.handle(.written, at: at(3))
    #expect(trial.handle(.received(message(4)), at: at(0)).isEmpty)
    for other in [message(4, "[control.c]"), message(3)] {
      guard case .ignore(other.version, _)? = trial.handle(.received(other), at: at(0)).first else {
        Issue.record("it was taken")
        continue
      }
    }
  }

  @Test func `of those that come meanwhile the newest is next`() {
    var trial = tried(4)
    #expect(trial.handle(.received(message(5, "[control.c]")), at: at(0)).isEmpty)
    #expect(trial.handle(.received(message(6, "[control.d]")), at: at(0)).isEmpty)
    #expect(words(trial.handle(.health(Self.after), at: at(3))) == ["keep confirmed 4"])
    #expect(trial.handle(.written, at: at(3)) == [.report, .check(file(6, "[control.d]"))])
  }

  @Test func `a trial that was interrupted is made once more`() {
    var kept = tried(4).kept
    for attempt in 1...2 {
      var trial = trial(kept)
      #expect(words(trial.start()) == ["install ", "keep interrupted 4"])
      #expect(trial.handle(.written, at: at(0)) == [.report])
      #expect(trial.kept.state == .interrupted)
      let effects = trial.handle(.received(message(4)), at: at(0))
      #expect(effects == (attempt == 1 ? [.check(file(4, attempt: 2))] : []))
      guard attempt == 1 else { break }
      _ = trial.handle(.checked(nil), at: at(0))
      _ = trial.handle(.health(Self.before), at: at(0))
      _ = trial.handle(.written, at: at(0))
      kept = trial.kept
    }
  }

  @Test(arguments: [
    "", "[control.b]", "# Configuration of kiosk-1\n[control.b]", "# Configuration 0, attempt 1\n",
  ])
  func `a file that is there before one is sent stays, and is put back`(content: String) {
    let kept = KeptConfiguration(inUse: content)
    #expect(kept.version == 0)
    var trial = tried(4, kept)
    #expect(words(trial.handle(.time, at: at(60))) == ["install \(content)", "keep rolledBack 4"])
    var fresh = self.trial(kept)
    #expect(fresh.start().isEmpty)
    #expect(fresh.deadline == nil)
  }

  @Test func `what is kept is lost, and nothing at or below the version in use is taken`() {
    let kept = KeptConfiguration(inUse: file(6, "[control.b]\r\n", attempt: 2))
    #expect(kept.confirmedVersion == 6)
    #expect(kept.state == .none)
    var trial = self.trial(kept)
    #expect(trial.start().isEmpty)
    // The one that is in use, as a retained message comes with each connection.
    #expect(trial.handle(.received(message(6, "[control.b]\r\n")), at: at(0)).isEmpty)
    for other in [message(6), message(5)] {
      #expect(words(trial.handle(.received(other), at: at(0))) == ["ignore \(other.version)"])
    }
    #expect(trial.handle(.received(message(7)), at: at(0)) == [.check(file(7))])
  }

  @Test func `a daemon that is away says nothing of it, and it is begun again when that is there`() {
    for isAsked in [false, true] {
      var trial = started()
      _ = trial.handle(.received(message(4)), at: at(0))
      if isAsked {
        _ = trial.handle(.checked(nil), at: at(0))
        #expect(trial.handle(.health(nil), at: at(0)).isEmpty)
      } else {
        #expect(trial.handle(.unchecked, at: at(0)).isEmpty)
      }
      #expect(trial.kept == KeptConfiguration())
      #expect(trial.isWaiting)
      // As a retained message comes with each connection.
      #expect(trial.handle(.received(message(4)), at: at(1)).isEmpty)
      #expect(trial.handle(.daemonThere, at: at(2)) == [.check(file(4))])
      #expect(!trial.isWaiting)
      _ = trial.handle(.checked(nil), at: at(2))
      _ = trial.handle(.health(Self.before), at: at(2))
      _ = trial.handle(.written, at: at(2))
      _ = trial.handle(.health(Self.after), at: at(6))
      _ = trial.handle(.written, at: at(6))
      #expect(trial.kept.state == .confirmed)
      #expect(trial.handle(.daemonThere, at: at(7)).isEmpty)
    }
  }

  @Test func `of those that wait for the daemon the newest is begun, and no older one after it`() {
    var trial = started()
    _ = trial.handle(.received(message(4)), at: at(0))
    _ = trial.handle(.unchecked, at: at(0))
    #expect(trial.handle(.received(message(5, "[control.b]")), at: at(1)) == [.check(file(5, "[control.b]"))])
    #expect(words(trial.handle(.checked("no"), at: at(1))) == ["keep refused 5"])
    _ = trial.handle(.written, at: at(1))
    #expect(trial.kept.version == 5)
    #expect(trial.handle(.daemonThere, at: at(2)).isEmpty)
    _ = trial.handle(.received(message(6)), at: at(3))
    #expect(trial.handle(.received(message(7)), at: at(3)).isEmpty)
    #expect(trial.handle(.unchecked, at: at(3)) == [.check(file(7))])
  }

  @Test func `one that was interrupted is not tried again in the place of a newer one that waits`() {
    var trial = started(tried(4).kept)
    #expect(trial.kept.state == .interrupted)
    _ = trial.handle(.received(message(5)), at: at(0))
    _ = trial.handle(.unchecked, at: at(0))
    #expect(trial.isWaiting)
    #expect(trial.handle(.received(message(4)), at: at(1)).isEmpty)
    #expect(trial.handle(.daemonThere, at: at(2)) == [.check(file(5))])
  }

  @Test func `a daemon that comes back five times and does not answer for it ends it`() {
    var trial = started()
    _ = trial.handle(.received(message(4)), at: at(0))
    for _ in 1..<5 {
      _ = trial.handle(.unchecked, at: at(0))
      #expect(trial.handle(.daemonThere, at: at(0)) == [.check(file(4))])
    }
    #expect(words(trial.handle(.unchecked, at: at(0))) == ["keep refused 4"])
    #expect(trial.handle(.written, at: at(0)) == [.report])
    #expect(trial.kept.state == .refused)
  }

  @Test func `what cannot be written is refused, and the former file stays`() {
    var trial = started()
    _ = trial.handle(.received(message(4)), at: at(0))
    _ = trial.handle(.checked(nil), at: at(0))
    _ = trial.handle(.health(Self.before), at: at(0))
    #expect(words(trial.handle(.failed("disk full"), at: at(0))) == ["install ", "keep refused 4"])
    // Not even that, so that nothing is known of it.
    #expect(trial.handle(.failed("disk full"), at: at(0)).isEmpty)
    #expect(trial.kept == KeptConfiguration())
    #expect(trial.deadline == at(1))
    #expect(words(trial.handle(.time, at: at(1))) == ["install ", "keep refused 4"])
    #expect(trial.handle(.written, at: at(1)) == [.report])
    #expect(trial.kept.state == .refused)
    #expect(trial.kept.error == "disk full")
    #expect(trial.deadline == nil)
  }

  @Test func `a rollback that cannot be written is tried again, and is none before`() {
    var kept = KeptConfiguration()
    (kept.version, kept.confirmedVersion, kept.confirmedText, kept.state) = (3, 3, "[control.b]", .confirmed)
    var trial = tried(4, kept)
    _ = trial.handle(.health(nil), at: at(1))
    let all = ["install [control.b]", "keep rolledBack 4"]
    #expect(words(trial.handle(.time, at: at(60))) == all)
    var now: Int64 = 60
    for pause in [1, 2, 4, 8, 16, 30, 30] as [Int64] {
      #expect(trial.handle(.failed("disk full"), at: at(now)).isEmpty)
      #expect(trial.kept.state == .trying)
      // What comes meanwhile waits.
      #expect(trial.handle(.received(message(5)), at: at(now)).isEmpty)
      #expect(trial.handle(.time, at: at(now)).isEmpty)
      now += pause
      #expect(trial.deadline == at(now))
      #expect(words(trial.handle(.time, at: at(now))) == all)
    }
    #expect(words(trial.handle(.written, at: at(now))) == ["report", "check \(file(5))"])
    #expect(trial.kept.state == .rolledBack)
  }

  @Test func `a confirmation that cannot be written is tried again`() {
    var trial = tried(4)
    #expect(words(trial.handle(.health(Self.after), at: at(3))) == ["keep confirmed 4"])
    #expect(trial.handle(.failed("disk full"), at: at(3)).isEmpty)
    #expect(trial.kept.confirmedVersion == 0)
    #expect(words(trial.handle(.time, at: at(4))) == ["keep confirmed 4"])
    #expect(trial.handle(.written, at: at(4)) == [.report])
    #expect(trial.kept.confirmedVersion == 4)
  }

  @Test func `what is put back at the start is tried again, and what comes meanwhile waits`() {
    let kept = tried(4).kept
    var trial = trial(kept)
    #expect(words(trial.start()) == ["install ", "keep interrupted 4"])
    #expect(trial.handle(.failed("disk full"), at: at(0)).isEmpty)
    #expect(trial.handle(.received(message(4)), at: at(0)).isEmpty)
    #expect(words(trial.handle(.time, at: at(1))) == ["install ", "keep interrupted 4"])
    #expect(words(trial.handle(.written, at: at(1))) == ["report", "check \(file(4, attempt: 2))"])
  }

  @Test func `receivers, versions and texts that differ have other signed bytes`() throws {
    var receivers: Set<[UInt8]> = []
    for to in ["a", "a1", "$group/a"] {
      for version in [1, 11] as [Int64] {
        for text in ["", "1\n", "\n"] {
          receivers.insert(SignedConfiguration(to: to, version: version, text: text).signedBytes)
        }
      }
    }
    #expect(receivers.count == 18)
  }
}
