import StepperCore
import StepperInterfaces

/// A call whose replies follow what happens later. It knows its session by its number.
protocol Follower: ReplyStream {
  var session: Int64 { get }
}

/// All subscriptions of all clients, and the other calls that wait for their reply.
///
/// The subscribers of states are found by the control: a change costs nothing for those of other controls. Nothing is called
/// when something happens: ``takeDue(_:)`` is asked in each wakeup.
final class Followers {
  /// Of every control.
  private var ofAllStates: [StateFollower] = []
  /// Of some controls, by the place of the control in the configuration.
  private var ofStates: [[StateFollower]] = []
  private var ofSomeStates: [StateFollower] = []
  private var ofDevices: [DeviceFollower] = []
  private var ofMoments: [MomentFollower] = []
  private var ofFrames: [MonitorFollower] = [] { didSet { followFrames = !ofFrames.isEmpty } }
  /// Calls of `Save`, `Reload` and `Check` that are not answered yet.
  private var ofWork: [any LateReply] = []
  /// Sessions that something is due for since the last ``takeDue(_:)``.
  private var due: [Int64] = []
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
  /// One that waits for work of the daemon.
  func add(_ follower: any LateReply) { ofWork.append(follower) }

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
    ofWork.removeAll { $0 === stream }
    if stream is MonitorFollower { ofFrames.removeAll { $0 === stream } }
  }

  // MARK: Changes

  /// Passes on the sessions that may have something to send since the last call.
  func takeDue(_ pass: (_ session: Int64) -> Void) {
    for follower in ofWork where follower.due != nil { pass(follower.session) }
    for session in due { pass(session) }
    due.removeAll(keepingCapacity: true)
  }

  /// Lets each of the followers record something, and notes those that have got something to send by it.
  private func tell<One: Follower>(_ followers: [One], _ record: (One) -> Void) {
    for follower in followers {
      let hadSome = follower.due != nil
      record(follower)
      if !hadSome, follower.due != nil { due.append(follower.session) }
    }
  }

  /// The state of a control has changed.
  func noteState(of control: ControlID) {
    tell(ofAllStates) { $0.note(control) }
    if ofStates.indices.contains(control.index) { tell(ofStates[control.index]) { $0.note(control) } }
  }

  /// The description of a control has changed.
  func noteDescriptions() {
    tell(ofAllStates) { $0.restart() }
    tell(ofSomeStates) { $0.restart() }
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
    tell(ofDevices) { $0.note(name) }
    tell(ofFrames) { $0.noteDevice(name) }
  }

  /// A moment of a control.
  func note(_ moment: ControlInterface.MomentEvent) { tell(ofMoments) { $0.note(moment) } }

  // MARK: Frames

  /// Whether a client watches the device of this name.
  func watch(_ device: String) -> Bool { ofFrames.contains { $0.watches(device) } }

  /// A frame of a watched device.
  func note(_ frame: DeviceInterface.Frame) { tell(ofFrames) { $0.note(frame) } }

  func countCoalesced(_ count: Int64) { coalesced += count }
}
