internal import Glibc
internal import StepperClient
internal import Synchronization

/// Passes changes from the threads that wait for the daemon to the thread that waits for keys. It holds the latest
/// state of each control and does not queue changes.
final class BarsFeed: Sendable {
  /// Changes since the last call of ``take()``.
  struct Updates {
    /// The states of changed controls by name; `order` has the names in order.
    var states: [String: ControlInterface.State] = [:]
    var order: [String] = []
    var descriptions: [String: ControlInterface.Description]?
    var devices: [String: String] = [:]
    var isConnected: Bool?
    /// The error of the last call that failed.
    var message: String?
    /// The error that ended the subscription.
    var failure: StepperClientError?
  }

  private let updates = Mutex(Updates())
  /// Signalled when there are updates.
  let wakeup: Wakeup

  init() throws(StepperClientError) { wakeup = try Wakeup() }

  func take() -> Updates {
    wakeup.clear()
    return updates.withLock { updates in
      defer { updates = Updates() }
      return updates
    }
  }

  func add(_ change: (inout Updates) -> Void) {
    updates.withLock { change(&$0) }
    wakeup.signal()
  }

  /// Follows the controls `names` and the devices that move them. False if no thread can be started.
  func start(_ client: StepperClient, _ names: [String], interval: Duration) -> Bool {
    let follows = Thread.start { [self] in
      do throws(StepperClientError) {
        try follow(client, names, interval)
      } catch {
        add { $0.failure = error }
      }
    }
    // If the moments cannot be followed, only the names of the devices are missing.
    return follows && Thread.start { [self] in try? followMoments(client, names) }
  }

  private func follow(
    _ client: StepperClient, _ names: [String], _ interval: Duration
  ) throws(StepperClientError) {
    let subscription = try client.subscription(to: names, minimumInterval: interval)
    subscription.connectionChanged = { error in self.add { $0.isConnected = error == nil } }
    var known: [String: ControlInterface.Description] = [:]
    while true {
      // A reload may change descriptions alone, without a new state.
      let state = try subscription.next(timeout: .seconds(1))
      let descriptions = subscription.descriptions
      guard state != nil || descriptions != known else { continue }
      add { updates in
        if let state, updates.states.updateValue(state, forKey: state.control) == nil {
          updates.order.append(state.control)
        }
        if descriptions != known { updates.descriptions = descriptions }
      }
      known = descriptions
    }
  }

  /// Reads moments ten times a second; in a storm the daemon drops older ones.
  private func followMoments(_ client: StepperClient, _ names: [String]) throws(StepperClientError) {
    let moments = try client.momentSubscription(to: names, waitsForDaemon: true)
    while let first = try moments.next() {
      var devices: [String: String] = [:]
      var next: ControlInterface.MomentEvent? = first
      for _ in 0..<Self.momentsAtOnce {
        guard let moment = next else { break }
        if let device = moment.device { devices[moment.control] = device }
        next = try moments.next(timeout: .zero)
      }
      add { $0.devices.merge(devices) { $1 } }
      _ = poll(nil, 0, 100)
    }
  }

  private static let momentsAtOnce = 512
}
