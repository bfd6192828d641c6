package import StepperInterfaces
package import Varlink

/// A method that is answered with a stream of replies, which a program follows unchanged.
package protocol FollowedMethod: VarlinkMethod {
  /// Makes the next call continue after `reply`.
  static func resume(_ parameters: inout Parameters, after reply: Reply)
  /// Changes `parameters`, which were originally `wanted`, to ones that a daemon which answered `error` accepts;
  /// false: there are none.
  static func adapt(_ parameters: inout Parameters, _ wanted: Parameters, to error: StepperClientError)
    -> Bool
}

extension FollowedMethod {
  package static func resume(_ parameters: inout Parameters, after reply: Reply) {}
  package static func adapt(
    _ parameters: inout Parameters, _ wanted: Parameters, to error: StepperClientError
  ) -> Bool { false }
}

extension ControlInterface.Subscribe: FollowedMethod {
  package static func resume(_ parameters: inout Parameters, after reply: Reply) {
    (parameters.instance, parameters.sinceSequence) = (reply.instance, reply.sequence)
  }

  /// An older daemon does not know languages, and a newer one may take its place later. After a refusal the next call
  /// asks for a snapshot.
  package static func adapt(
    _ parameters: inout Parameters, _ wanted: Parameters, to error: StepperClientError
  ) -> Bool {
    let refused = error.failure?.decode(ServiceInterface.InvalidParameter.self)?.parameter
    let isOlder = refused == "language" && parameters.language != nil
    parameters.language = isOlder ? nil : wanted.language
    if error.failure != nil { (parameters.instance, parameters.sinceSequence) = (nil, nil) }
    return isOlder
  }
}

extension ControlInterface.SubscribeMoments: FollowedMethod {}
extension ProviderInterface.Subscribe: FollowedMethod {}

/// The replies that a reader has not taken yet, as the daemon sent them. There are one or two, because the follower
/// reads on demand.
package struct WholeReplies<Method: FollowedMethod>: PendingReplies {
  package private(set) var parameters: Method.Parameters
  private let wanted: Method.Parameters
  private var waiting: [Method.Reply] = []

  package init(_ method: Method.Type, _ parameters: Method.Parameters) {
    (self.parameters, wanted) = (parameters, parameters)
  }

  package mutating func add(_ reply: Method.Reply) {
    Method.resume(&parameters, after: reply)
    waiting.append(reply)
  }

  package mutating func take() -> Method.Reply? { waiting.isEmpty ? nil : waiting.removeFirst() }

  package mutating func adapt(to error: StepperClientError) -> Bool {
    Method.adapt(&parameters, wanted, to: error)
  }
}
