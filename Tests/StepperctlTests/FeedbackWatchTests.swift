import StepperInterfaces
import TestSupport
import Testing
import Varlink

@Suite(.timeLimit(.minutes(10))) struct `How stepperctl follows moments` {
  typealias Subscribe = ControlInterface.SubscribeMoments

  static let moments: [ControlInterface.MomentEvent] = [
    .example(), .example("bass", .disconnect, effect: .none, value: nil, device: nil),
    .example("volume", .init(rawValue: "shake"), effect: .success, device: "knob:2"),
  ]

  /// A daemon that tells `moments`, lost some, and then refuses for good.
  static func daemon() throws -> AnsweringPeer {
    try AnsweringPeer { call in
      guard call.method == Subscribe.name else { return try SmallDaemon.answer(call) }
      return try [
        .of(Subscribe.self, .first, continues: true),
        .of(Subscribe.self, .init(moments: [moments[0]], dropped: 0), continues: true),
        .of(Subscribe.self, .init(moments: [moments[1], moments[2]], dropped: 7), continues: true),
        VarlinkReply(VarlinkFailure(ServiceInterface.PermissionDenied())),
      ]
    }
  }

  private static let endInJSON = #"""
    {"message":"7 moments were lost: they came faster than they were read"}
    {"error":"org.varlink.service.PermissionDenied","exitStatus":1,"message":"permission denied: this needs root, \#
    the daemon's admin-group, or to be the user whose daemon it is"}

    """#

  static let end = """
    stepperctl: 7 moments were lost: they came faster than they were read
    stepperctl: permission denied: this needs root, the daemon's admin-group, or to be the user whose daemon it is

    """

  @Test func `a line each, until an error that does not pass`() async throws {
    let daemon = try Self.daemon()
    let run = try await Program.run(["feedback", "watch", "volume", "bass", "--address", daemon.path])
    let expected = """
      volume  increment   light      43  knob
      bass    disconnect  none       unset
      volume  shake       success    43     knob:2

      """
    #expect(run == Run(output: expected, errors: Self.end, status: 1))
    #expect(daemon.heard.last == #"SubscribeMoments {"match":["volume","bass"]}"#)
  }

  @Test func `an object each with --json`() async throws {
    let daemon = try Self.daemon()
    let run = try await Program.run(["feedback", "watch", "--json", "--address", daemon.path])
    let expected = """
      {"control":"volume","moment":"increment","effect":"light","value":43,"text":"43","speech":"volume, 43",\
      "device":"knob","monotonicMicroseconds":1000}
      {"control":"bass","moment":"disconnect","effect":"none","speech":"bass, unset","monotonicMicroseconds":1000}
      {"control":"volume","moment":"shake","effect":"success","value":43,"text":"43","speech":"volume, 43",\
      "device":"knob:2","monotonicMicroseconds":1000}

      """
    #expect(run == Run(output: expected, errors: Self.endInJSON, status: 1))
    #expect(daemon.heard == ["SubscribeMoments {}"])
  }

  @Test func `connects again, and says so`() async throws {
    let listener = try PeerListener()
    let peer = PeerThread<Void> {
      for value in 1...2 {
        let connection = try listener.accept()
        _ = try connection.expect(Subscribe.self)
        let reply = Subscribe.Reply(moments: [.example(value: Double(value))], dropped: 0)
        try connection.reply(Subscribe.self, reply, continues: true)
        if value == 2 { try connection.fail(ControlInterface.TooManySubscriptions(limit: 3)) }
      }
    }
    let run = try await Program.run(["feedback", "watch", "--address", listener.path])
    try await peer.value
    let errors = """
      stepperctl: connection lost, trying again
      stepperctl: connected again; moments in between are lost
      stepperctl: the daemon has no room for more than 3 subscriptions

      """
    let output = "volume  increment   light      1  knob\nvolume  increment   light      2  knob\n"
    #expect(run == Run(output: output, errors: errors, status: 1))
  }

  @Test func `without a daemon at the start it is 3`() async throws {
    let run = try await Program.run(["feedback", "watch", "--address", "/nonexistent"])
    #expect(run.status == 3)
  }
}
