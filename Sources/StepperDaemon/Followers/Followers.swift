import StepperCore
import StepperInterfaces

/// All subscriptions of all clients.
///
/// The subscribers of states are found by the control: a change costs nothing for those of other controls.
final class Followers {
  /// Of every control.
  private var ofAllStates: [StateFollower] = []
  /// Of some controls, by the place of the control in the configuration.
  private var ofStates: [[StateFollower]] = []
  private var ofSomeStates: [StateFollower] = []
  private var ofDevices: [DeviceFollower] = []
  private var ofMoments: [MomentFollower] = []
  private var ofFrames: [MonitorFollower] = [] { didSet { followFrames = !ofFrames.isEmpty } }
  /// Whether any client watches devices.
  private(set) var followFrames = false
  /// Changes that were coalesced because subscribers read slowly.
  private(set) var coalesced: Int64 = 0
  /// The last reply to subscribers of states.
  var changeReply = ChangeReply()

  var count: Int {
    ofAllStates.count + ofSomeStates.count + ofDevices.count + ofMoments.count + ofFrames.count
  }
  var followMoments: Bool { !ofMoments.isEmpty }

  // MARK: Subscriptions

  func add(_ follower: StateFollower) {
    if follower.followsAll {
      ofAllStates.append(follower)
    } else {
      ofSomeStates.append(follower)
      register(follower)
    }
  }

  func add(_ follower: DeviceFollower) { ofDevices.append(follower) }
  func add(_ follower: MomentFollower) { ofMoments.append(follower) }
  func add(_ follower: MonitorFollower) { ofFrames.append(follower) }

  private func register(_ follower: StateFollower) {
    for control in follower.followed {
      while ofStates.count <= control.index { ofStates.append([]) }
      ofStates[control.index].append(follower)
    }
  }

  /// Streams other than subscriptions are ignored.
  func remove(_ stream: any ReplyStream) {
    if let follower = stream as? StateFollower, !follower.followsAll {
      for control in follower.followed { ofStates[control.index].removeAll { $0 === stream } }
    }
    ofAllStates.removeAll { $0 === stream }
    ofSomeStates.removeAll { $0 === stream }
    ofDevices.removeAll { $0 === stream }
    ofMoments.removeAll { $0 === stream }
    if stream is MonitorFollower { ofFrames.removeAll { $0 === stream } }
  }

  // MARK: Changes

  /// The state of a control has changed.
  func noteState(of control: ControlID) {
    for follower in ofAllStates { follower.note(control) }
    guard ofStates.indices.contains(control.index) else { return }
    for follower in ofStates[control.index] { follower.note(control) }
  }

  /// The description of a control has changed.
  func noteDescriptions() {
    for follower in ofAllStates { follower.restart() }
    for follower in ofSomeStates { follower.restart() }
  }

  /// The set of controls was replaced.
  func noteControls() {
    ofStates = []
    for follower in ofAllStates { follower.lookUp() }
    for follower in ofSomeStates {
      follower.lookUp()
      register(follower)
    }
    noteDescriptions()
  }

  /// A device of this name was added, removed, or has a different state.
  func noteDevice(_ name: String) {
    for follower in ofDevices { follower.note(name) }
    for follower in ofFrames { follower.noteDevice(name) }
  }

  /// A moment of a control.
  func note(_ moment: ControlInterface.MomentEvent) { for follower in ofMoments { follower.note(moment) } }

  // MARK: Frames

  /// Whether a client watches the device of this name.
  func watch(_ device: String) -> Bool { ofFrames.contains { $0.watches(device) } }

  /// A frame of a watched device.
  func note(_ frame: DeviceInterface.Frame) { for follower in ofFrames { follower.note(frame) } }

  func countCoalesced(_ count: Int64) { coalesced += count }
}
