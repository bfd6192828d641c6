internal import StepperClient
internal import StepperCore
internal import StepperLinux

/// A hold that a command renews while it runs. The daemon releases it when the command is stopped, for example by
/// Ctrl-Z.
enum RenewedHold {
  /// The time after which the daemon releases the hold unless it is renewed.
  static let lease = Duration.seconds(2)
  private static let renewal = Duration.milliseconds(500)

  /// Renews a hold that has just begun, for `time`, or until the user ends the program if that is nil. `renew` is told
  /// whether the lease has expired, and returns whether the hold still exists. Throws if the hold ended with the lease.
  static func keep(
    _ name: String, for time: Duration?, _ client: StepperClient, renew: (_ isLate: Bool) throws -> Bool
  ) throws {
    let start = Instant.now
    // The time of the last renewal; nil after something else has ended the hold.
    var renewed = Instant?.some(start)
    func renewNow(_ last: Instant) throws {
      let isLate = .now - last >= lease
      // A slow daemon has renewed it all the same.
      if try renew(isLate) { return renewed = .now }
      guard !isLate else {
        throw CommandFailure("\(name) was released, because stepperctl did not renew it for two seconds")
      }
      renewed = nil
    }
    _ = try Interruption.poll(until: time.map { start + $0 }) { timeout -> Never? in
      try client.stayConnected(for: timeout)
      if let last = renewed, .now - last >= renewal { try renewNow(last) }
      return nil
    }
    if let last = renewed, .now - last >= lease { try renewNow(last) }
  }
}
