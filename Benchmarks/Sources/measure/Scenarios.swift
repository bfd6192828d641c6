import CLinux
import Glibc

/// What is done with a program in one round of so many events.
enum Scenario: String {
  case turn, get, set, pipelinedGet = "pipelined-get", pipelinedSet = "pipelined-set", rate, hold

  func measure(_ target: Target, events: Int, perSecond: Double) -> Round {
    switch self {
    case .turn: turn(target, events)
    case .get: call(target, events, [Call.get])
    case .set: call(target, events, Call.sets)
    case .pipelinedGet: pipeline(target, events, [Call.get])
    case .pipelinedSet: pipeline(target, events, Call.sets)
    case .rate: rate(target, events, perSecond)
    case .hold: hold(target, events)
    }
  }

  /// One detent at a time: from its sending until the last follower has read the change.
  private func turn(_ target: Target, _ events: Int) -> Round {
    for _ in 0..<20 {
      // Also lets the gesture begin, whose end would be another change.
      target.sender.send(Call.turns[1])
      target.settle()
      let round = Round(of: target, events) { record in
        for event in 0..<events {
          let start = nanoseconds()
          target.sender.send(Call.turns[event & 1])
          target.awaitAll()
          record(nanoseconds() - start)
        }
      }
      // A change of something else would have been taken for that of a detent.
      if target.settle() == 0 { return round }
    }
    fail("\(target.name) publishes by itself")
  }

  /// One call at a time, from its sending to its reply.
  private func call(_ target: Target, _ events: Int, _ calls: [[UInt8]]) -> Round {
    Round(of: target, events) { record in
      for event in 0..<events {
        let start = nanoseconds()
        target.sender.send(calls[event % calls.count])
        target.sender.receive()
        record(nanoseconds() - start)
      }
    }
  }

  /// Calls in blocks of 64, two of which are unanswered at any time; the time is that of a block.
  private func pipeline(_ target: Target, _ events: Int, _ calls: [[UInt8]]) -> Round {
    let size = 64
    let block = (0..<size).flatMap { calls[$0 % calls.count] }
    return Round(of: target, events / size * size) { record in
      var answered = 0
      target.sender.send(block)
      for number in 1...(events / size) {
        let start = nanoseconds()
        if number < events / size { target.sender.send(block) }
        while answered < number * size { answered += target.sender.receive() }
        record(nanoseconds() - start)
      }
    }
  }

  /// So many detents a second, whether or not they are answered; those that are late are sent together.
  private func rate(_ target: Target, _ events: Int, _ perSecond: Double) -> Round {
    let (turn, follower) = (Call.turn(1), target.followers[0])
    target.settle()
    return Round(of: target, events) { _ in
      let begin = nanoseconds()
      var sent = 0
      var unsent: ArraySlice<UInt8> = []
      while sent < events || !unsent.isEmpty {
        let now = nanoseconds()
        let due = min(events, Int(Double(now - begin) * perSecond / 1e9) + 1)
        if unsent.isEmpty, due > sent {
          let count = min(64, due - sent)
          unsent = Array(repeatElement(turn, count: count).joined())[...]
          sent += count
        }
        target.sender.sendSome(&unsent)
        let next = begin + Int64(Double(sent) * 1e9 / perSecond)
        if !unsent.isEmpty || next > now {
          wait(for: follower, and: target.sender, toSend: !unsent.isEmpty, atMost: next - now)
        }
        _ = follower.drain()
      }
      target.sender.send(Call.get)
      repeat {
        wait(for: follower, and: target.sender, toSend: false, atMost: 1_000_000_000)
        _ = follower.drain()
      } while target.sender.drain() == 0
    }
  }

  /// A held button: how much later than its time the follower reads each repeat.
  private func hold(_ target: Target, _ events: Int) -> Round {
    let follower = target.followers[0]
    target.settle()
    target.sender.send(Call.press)
    for _ in 0..<2 { follower.receive() }
    let round = Round(of: target, events) { record in
      for _ in 0..<events {
        let message = follower.message()
        record(nanoseconds() - stamp(of: message) * 1_000)
      }
    }
    target.sender.send(Call.release)
    target.settle()
    return round
  }

  /// The number in the message's field "monotonicMicroseconds".
  private func stamp(of message: UnsafeRawBufferPointer) -> Int64 {
    let key = "\"monotonicMicroseconds\":"
    guard let text = message.assumingMemoryBound(to: CChar.self).baseAddress, let field = strstr(text, key)
    else { fail("a message has no time") }
    return strtoll(field + key.utf8.count, nil, 10)
  }

  /// Waits until `follower` can read, or `sender` can read or send.
  private func wait(for follower: Connection, and sender: Connection, toSend: Bool, atMost time: Int64) {
    var descriptors = [
      pollfd(fd: follower.descriptor, events: Int16(POLLIN), revents: 0),
      pollfd(fd: sender.descriptor, events: Int16(toSend ? POLLIN | POLLOUT : POLLIN), revents: 0),
    ]
    let limit = toSend ? 1_000_000_000 : max(0, time)
    var timeout = timespec(tv_sec: Int(limit / 1_000_000_000), tv_nsec: Int(limit % 1_000_000_000))
    ppoll(&descriptors, nfds_t(descriptors.count), &timeout, nil)
  }
}
