package import StepperClient
package import StepperCore
package import StepperLinux
internal import Varlink

/// The connection to the daemon that the devices of a program are attached by. They end with it.
package final class ProviderConnection {
  package enum Event {
    /// What came of a call for the device at this place.
    case answered(Int, DeviceAttachment.Answer)
    /// The daemon has not answered a call in time.
    case late(StepperClientError)
    /// The connection has ended, and with it what was attached.
    case ended
  }

  private enum Wait: Sendable {
    case call(device: Int, DeviceAttachment.Call.Kind)
    /// For the end of the connection.
    case stay
  }

  private let loop: EventLoop
  private let deliver: (Event) -> Void
  private var channel: DaemonChannel<CallMachine<Wait>>?
  /// Whether the end of the connection is waited for.
  private var isStaying = false

  private static let callTimeout = Duration.seconds(5)

  /// `deliver` is given what happens, and may not make calls itself.
  package init(on loop: EventLoop, to addresses: [StepperAddress], deliver: @escaping (Event) -> Void) {
    (self.loop, self.deliver) = (loop, deliver)
    channel = DaemonChannel(on: loop, to: addresses, CallMachine(timeout: Self.callTimeout)) {
      [weak self] _, wait, outcome in
      switch (wait, outcome) {
      case (.call(let device, let kind), .success(let reply?)): self?.answered(device, kind, .success(reply))
      case (.call(let device, let kind), .failure(let error)): self?.answered(device, kind, .failure(error))
      // A call has an answer, and the connection is waited for without a deadline.
      case (_, .success): break
      case (.stay, .failure): self?.ended()
      }
    }
  }

  package var deadline: Instant? { channel?.deadline }

  /// Does what is due.
  package func advance(to now: Instant) { channel?.advance(to: now) }

  /// Makes a call for the device at this place.
  package func make(_ call: DeviceAttachment.Call, for device: Int) {
    let (kind, now) = (call.kind, loop.now)
    do throws(VarlinkMessageError) {
      let varlink = try call.varlink
      channel?.perform(at: now) {
        $0.make(varlink, .call(device: device, kind), at: now, endsConnection: true)
      }
    } catch {
      deliver(.answered(device, .refused(code: "invalidParameter", message: error.reason)))
    }
  }

  private func answered(
    _ device: Int, _ kind: DeviceAttachment.Call.Kind, _ outcome: Result<VarlinkReply, StepperClientError>
  ) {
    let answer = DeviceAttachment.Answer(of: kind, outcome)
    deliver(.answered(device, answer))
    if case .failure(let error) = outcome, error.code == .timedOut { deliver(.late(error)) }
    guard case .attached = answer, !isStaying else { return }
    isStaying = true
    channel?.perform(at: loop.now) { $0.stay(.stay, until: nil) }
  }

  private func ended() {
    isStaying = false
    deliver(.ended)
  }
}
