import StepperCore
import Testing

@testable import StepperDaemon

@MainActor @Suite struct WorkBudgetTests {
  @Test func `the first piece of a wakeup is always allowed, and the next wakeup begins anew`() {
    var budget = WorkBudget(.milliseconds(4))
    #expect(!budget.isSpent)
    budget.spend(.milliseconds(3))
    #expect(!budget.isSpent)
    budget.spend(.seconds(1))
    #expect(budget.isSpent)
    budget.renew()
    #expect(!budget.isSpent)
  }

  @Test func `the order of pieces matters where they may not fit, or did not`() {
    var budget = WorkBudget(.milliseconds(4))
    func holds(_ pieces: Duration...) -> Bool { budget.holds(pieces) }
    #expect(holds(.milliseconds(1), .milliseconds(2)))
    #expect(!holds(.milliseconds(1), .milliseconds(3)), "it would be spent")
    #expect(!holds(.milliseconds(1), .zero), "what has not been measured may be long")
    budget.noteOverrun()
    #expect(!holds(.milliseconds(1)), "an estimate was wrong")
    #expect(holds(.milliseconds(1)), "once")
    budget.spend(.milliseconds(3))
    #expect(!holds(.milliseconds(1)))
  }
}

@MainActor @Suite struct RepeatBudgetTests {
  /// Portions of a wakeup whose pieces take `time` each, until the time for repeats is spent.
  private func pieces(of budget: inout RepeatBudget, each time: Duration, most: Int64) -> Int64 {
    var now = Instant.milliseconds(0)
    var done: Int64 = 0
    budget.renew()
    while !budget.isSpent, done < most {
      let portion = budget.portion
      now = now + time * Int(portion)
      done += portion
      budget.spend(portion) { now }
    }
    return done
  }

  @Test func `a few are never too many, and many end with the time for them`() {
    var budget = RepeatBudget()
    let few = pieces(of: &budget, each: .seconds(1), most: 64)
    #expect(few == 64 && !budget.isSpent, "they are not measured")
    let cheap = pieces(of: &budget, each: .microseconds(1), most: 10_000)
    #expect(cheap >= 10_000)
    let dear = pieces(of: &budget, each: .microseconds(100), most: 10_000)
    #expect(dear <= 64 + 100 + 64, "\(WakeupTime.repeating) and two portions")
    let least = pieces(of: &budget, each: .seconds(1), most: 10_000)
    #expect(least == 128, "each wakeup is progress")
  }

  @Test func `portions that are smaller than offered count together`() {
    var budget = RepeatBudget()
    var readings = 0
    for _ in 0..<640 {
      budget.spend(1) {
        readings += 1
        return .milliseconds(Int64(readings))
      }
    }
    #expect(readings == 10)
  }

  @Test func `what goes on is reported once`() {
    var budget = RepeatBudget()
    let reports = stride(from: Int64(0), to: 100_000, by: 20).count { budget.noteSlow(at: .milliseconds($0)) }
    #expect(reports == 1)
    let again = [159_970, 219_981].map { budget.noteSlow(at: .milliseconds($0)) }
    #expect(again == [false, true])
  }
}

@MainActor @Suite struct ReadAccountTests {
  @Test func `cheap frames are read as many as wait, and dear ones as many as fit`() {
    var account = ReadAccount(time: .milliseconds(4))
    #expect(account.frames(ofDevices: 1) == ReadAccount.most)
    account.note(frames: 10, took: .microseconds(100))
    #expect(account.frames(ofDevices: 1) == ReadAccount.most && account.frames(ofDevices: 10) == 40)
    account.note(frames: 10, took: .milliseconds(10))
    #expect(account.frames(ofDevices: 1) == 4 && account.frames(ofDevices: 2) == 2)
    #expect(account.frames(ofDevices: 100) == 1, "every device goes on")
  }

  @Test func `what was dear once is forgotten`() {
    var account = ReadAccount(time: .milliseconds(4))
    account.note(frames: 1, took: .milliseconds(50))
    #expect(account.frames(ofDevices: 1) == 1)
    for _ in 0..<60 { account.note(frames: 1, took: .microseconds(10)) }
    #expect(account.frames(ofDevices: 1) == ReadAccount.most)
    account.note(frames: 0, took: .seconds(1))
    #expect(account.frames(ofDevices: 1) == ReadAccount.most)
  }
}

@MainActor @Suite struct ConnectionSlotsTests {
  /// Takes what the users get, one each in turn, until nobody gets any more.
  private func fill(_ slots: inout ConnectionSlots, users: ClosedRange<UInt32>) {
    var before = -1
    while slots.total != before {
      before = slots.total
      for user in users where slots.admits(user, .user) { slots.add(user) }
    }
  }

  @Test func `a user has so many at most`() {
    var slots = ConnectionSlots()
    fill(&slots, users: 1...1)
    #expect(slots.count(of: 1) == 32 && slots.total == 32)
    slots.remove(1)
    #expect(slots.admits(1, .user))
  }

  @Test(arguments: [2, 4, 10, 50])
  func `users who take all they can lock nobody else out`(_ count: UInt32) {
    var slots = ConnectionSlots()
    fill(&slots, users: 1...count)
    for newcomer in count + 1...count + 2 {
      #expect(slots.admits(newcomer, .user), "of \(slots.total)")
      slots.add(newcomer)
    }
  }

  @Test func `the last places are for administrators and root`() {
    var slots = ConnectionSlots()
    fill(&slots, users: 1...200)
    #expect(slots.total == 120)
    #expect(!slots.admits(999, .user) && slots.admits(999, .administrator) && slots.admits(0, .root))
    // Administrators take all they can, and root still has places.
    for administrator: UInt32 in 1_000...1_100 where slots.admits(administrator, .administrator) {
      slots.add(administrator)
    }
    #expect(slots.total == 124)
    var roots = 0
    while slots.admits(0, .root) {
      slots.add(0)
      roots += 1
    }
    #expect(roots >= 2 && slots.total <= 128)
  }
}

@MainActor @Suite struct RefusalLogTests {
  @Test func `the first is said at once, and then how many`() {
    var log = RefusalLog()
    #expect(log.deadline == nil && log.take(at: .milliseconds(0)) == nil)
    log.note(1000)
    #expect(log.take(at: .milliseconds(0)) == "refused a connection of user 1000: too many are open")
    for _ in 0..<5_000 { log.note(1000) }
    log.note(7)
    #expect(log.take(at: .milliseconds(9_999)) == nil)
    #expect(log.deadline == .milliseconds(10_000))
    #expect(
      log.take(at: .milliseconds(10_000))
        == "refused a connection of user 7, 5000 connections of user 1000: too many are open")
    #expect(log.deadline == nil)
  }

  @Test func `very many users make no long message`() {
    var log = RefusalLog()
    for user: UInt32 in 1...10_000 { log.note(user) }
    let message = log.take(at: .milliseconds(0)) ?? ""
    #expect(message.hasSuffix(", 9992 of other users: too many are open") && message.count < 400)
  }
}
