package import StepperClient
package import StepperCore
package import StepperLinux
internal import Varlink

/// The connection to the daemon through which a program's devices are attached. The devices are detached when it ends.
package final class ProviderConnection {
  package enum Event {
    /// The answer to a call for the device with this index.
    case answered(Int, DeviceAttachment.Answer)
    /// The daemon is not there for a call, or has not answered it; with the reason.
    case absent(StepperClientError)
    /// The connection has ended, and so have the devices that were attached.
    case ended
  }

  private enum Wait: Sendable {
    case call(DeviceAttachment.Call, device: Int)
    /// Waits for the end of the connection.
    case stay
  }

  private let loop: EventLoop
  private let deliver: (Event) -> Void
  private var channel: DaemonChannel<CallMachine<Wait>>?
  /// Whether a wait for the end of the connection exists.
  private var isStaying = false

  private static let callTimeout = Duration.seconds(5)

  /// `deliver` is called with events; it must not make calls itself.
  package init(on loop: EventLoop, to choice: AddressChoice, deliver: @escaping (Event) -> Void) {
    (self.loop, self.deliver) = (loop, deliver)
    channel = DaemonChannel(on: loop, to: choice, CallMachine(timeout: Self.callTimeout)) {
      [weak self] _, wait, outcome in
      switch (wait, outcome) {
      case (.call(let call, let device), .success(let reply?)): self?.answered(device, call, .success(reply))
      case (.call(let call, let device), .failure(let error)): self?.answered(device, call, .failure(error))
      // A successful call always has a reply, and the wait for the end of the connection has no deadline.
      case (_, .success): break
      case (.stay, .failure): self?.ended()
      }
    }
  }

  package var deadline: Instant? { channel?.deadline }

  /// Does what is due.
  package func advance(to now: Instant) { channel?.advance(to: now) }

  /// Makes a call for the device with this index.
  package func make(_ call: DeviceAttachment.Call, for device: Int) {
    let now = loop.now
    do throws(VarlinkMessageError) {
      let varlink = try call.varlink
      channel?.perform(at: now) {
        $0.make(varlink, .call(call, device: device), at: now, endsConnection: true)
      }
    } catch {
      deliver(.answered(device, .refused(code: "invalidParameter", message: error.reason)))
    }
  }

  private func answered(
    _ device: Int, _ call: DeviceAttachment.Call, _ outcome: Result<VarlinkReply, StepperClientError>
  ) {
    let answer: DeviceAttachment.Answer
    do throws(StepperClientError) {
      answer = try DeviceAttachment.Answer(of: call, outcome)
    } catch {
      answer = DeviceAttachment.Answer(error)
      if answer == .absent { deliver(.absent(error)) }
    }
    deliver(.answered(device, answer))
    guard case .attached = answer, !isStaying else { return }
    isStaying = true
    channel?.perform(at: loop.now) { $0.stay(.stay, until: nil) }
  }

  private func ended() {
    isStaying = false
    deliver(.ended)
  }
}
