import StepperCore
import StepperInterfaces

/// A change that subscribers are notified of.
enum Change {
  /// The state of a control.
  case state(ControlID)
  /// The set of controls, or the description of one.
  case definition
  /// A device of this name was added, removed, or has a different state.
  case device(String)
  /// A moment of a control.
  case moment(ControlInterface.MomentEvent)

  enum Topic: Hashable {
    case controls, devices, moments
  }

  var topic: Topic {
    switch self {
    case .state, .definition: .controls
    case .device: .devices
    case .moment: .moments
    }
  }
}

/// The replies of one subscription.
protocol Follower: ReplyStream {
  var topic: Change.Topic { get }
  /// Records a change for the next reply.
  func note(_ change: Change)
}

/// All subscriptions of all clients.
final class Followers {
  private var all: [Change.Topic: [ObjectIdentifier: any Follower]] = [:]
  /// Changes that were coalesced because subscribers read slowly.
  private(set) var coalesced: Int64 = 0

  var count: Int { all.values.reduce(0) { $0 + $1.count } }

  /// Whether `topic` has subscribers.
  func follow(_ topic: Change.Topic) -> Bool { all[topic] != nil }

  func add(_ follower: any Follower) {
    all[follower.topic, default: [:]][ObjectIdentifier(follower)] = follower
  }

  /// Streams other than subscriptions are ignored.
  func remove(_ stream: any ReplyStream) {
    for topic in all.keys where all[topic]?.removeValue(forKey: ObjectIdentifier(stream)) != nil {
      if all[topic]?.isEmpty == true { all[topic] = nil }
    }
  }

  func note(_ change: Change) {
    guard let following = all[change.topic] else { return }
    for follower in following.values { follower.note(change) }
  }

  func countCoalesced(_ count: Int64) { coalesced += count }
}
