import FoundationEssentials
import Glibc
import StepperInterfaces
import TestSupport
import Testing
import Varlink

/// Who may call what: every method, by real users over a real socket.
@Suite(
  .serialized, .timeLimit(.minutes(10)), .enabled(if: OtherUsers.areAvailable, "needs root, and python3"))
struct AccessTests {
  enum Right { case everyone, writers, providers, administrators }

  /// Every method with a call that goes through where it is allowed, or fails for another reason.
  static let methods: [(method: String, right: Right, parameters: String)] = [
    ("org.varlink.service.GetInfo", .everyone, "{}"),
    ("org.varlink.service.GetInterfaceDescription", .everyone, #"{"interface":"org.stepperd.control"}"#),
    ("org.stepperd.control.List", .everyone, "{}"),
    ("org.stepperd.control.Get", .everyone, #"{"control":"CONTROL"}"#),
    ("org.stepperd.control.Set", .writers, #"{"control":"CONTROL","value":1}"#),
    ("org.stepperd.control.Step", .writers, #"{"control":"CONTROL","steps":1}"#),
    ("org.stepperd.control.Reset", .writers, #"{"control":"CONTROL"}"#),
    ("org.stepperd.control.Adjust", .writers, #"{"control":"CONTROL","maximum":50}"#),
    (
      "org.stepperd.control.Press", .writers, #"{"control":"CONTROL","action":"increment","hold":"a"}"#
    ),
    ("org.stepperd.control.Renew", .writers, #"{"control":"CONTROL","hold":"a"}"#),
    ("org.stepperd.control.Release", .writers, #"{"control":"CONTROL","hold":"a"}"#),
    ("org.stepperd.control.Turn", .writers, #"{"control":"CONTROL","detents":1}"#),
    ("org.stepperd.control.Slide", .writers, #"{"control":"CONTROL","position":0.5,"hold":"b"}"#),
    ("org.stepperd.control.Describe", .everyone, #"{"control":"CONTROL"}"#),
    ("org.stepperd.control.Subscribe", .everyone, "{}"),
    ("org.stepperd.control.SubscribeMoments", .everyone, "{}"),
    ("org.stepperd.device.List", .everyone, "{}"),
    ("org.stepperd.device.Subscribe", .everyone, "{}"),
    ("org.stepperd.device.Monitor", .administrators, "{}"),
    ("org.stepperd.device.Turn", .administrators, #"{"device":"panel","input":"dial","detents":1}"#),
    ("org.stepperd.device.Press", .administrators, #"{"device":"panel","input":"plus"}"#),
    ("org.stepperd.device.Release", .administrators, #"{"device":"panel","input":"plus"}"#),
    ("org.stepperd.device.Click", .administrators, #"{"device":"panel","input":"plus"}"#),
    ("org.stepperd.device.Move", .administrators, #"{"device":"panel","input":"fader","position":0}"#),
    ("org.stepperd.device.PlayEffect", .administrators, #"{"device":"panel","effect":"light"}"#),
    ("org.stepperd.device.SetLight", .administrators, #"{"device":"panel","light":"x","brightness":1}"#),
    (
      "org.stepperd.provider.Attach", .providers,
      #"{"identity":{"provider":"x","name":"x"},"keys":["BTN_0"]}"#
    ),
    ("org.stepperd.provider.Report", .providers, #"{"handle":"x"}"#),
    ("org.stepperd.provider.Subscribe", .providers, #"{"handles":["x"]}"#),
    ("org.stepperd.provider.Detach", .providers, #"{"handle":"x"}"#),
    ("org.stepperd.manager.GetStatus", .everyone, "{}"),
    ("org.stepperd.manager.Reload", .administrators, "{}"),
    ("org.stepperd.manager.Check", .everyone, #"{"text":"[control.x]"}"#),
    ("org.stepperd.manager.Save", .administrators, "{}"), ("org.stepperd.manager.Restrict", .everyone, "{}"),
    ("io.systemd.Metrics.List", .everyone, "{}"),
    ("io.systemd.Metrics.Describe", .everyone, "{}"),
    ("io.systemd.service.Ping", .everyone, "{}"),
    ("io.systemd.service.SetLogLevel", .administrators, #"{"level":7}"#),
    ("io.systemd.service.GetLogLevel", .everyone, "{}"),
    ("io.systemd.service.GetEnvironment", .administrators, "{}"),
  ]

  static let identities: [(who: String, identity: OtherUsers.Identity, rights: [OtherUsers.Scope])] = [
    ("root", .init(user: 0), [.system, .user]),
    // What connects to the system's daemon as its own user is a command of a hook.
    ("the daemon's own user", .init(user: OtherUsers.Daemon.user, group: OtherUsers.Daemon.user), [.user]),
    ("another user", .init(user: 64_002), []),
    (
      "another user in the admin group", .init(user: 64_003, supplementary: [OtherUsers.adminGroup]),
      [.system, .user]
    ),
    (
      "another user whose own group is the admin group", .init(user: 64_004, group: OtherUsers.adminGroup),
      [.system, .user]
    ),
    ("another user in other groups", .init(user: 64_005, supplementary: [64_000, 64_100]), []),
  ]

  /// Those who may attach devices and are no administrators, and why.
  static let providers: [(who: String, identity: OtherUsers.Identity)] = [
    ("a user of providers", .init(user: OtherUsers.provider)),
    ("a member of a group of providers", .init(user: 64_006, supplementary: [OtherUsers.providerGroup])),
  ]

  @Test(arguments: providers.indices, [OtherUsers.Scope.system, .user])
  func `what providers names may attach devices, and is no administrator`(
    _ index: Int, _ scope: OtherUsers.Scope
  ) throws {
    let (who, identity) = Self.providers[index]
    let daemon = try OtherUsers.Daemon(scope)
    let calls = Self.methods.map { Self.call($0.method, $0.parameters, of: "open") }
    for (row, answer) in zip(Self.methods, try identity.answers(of: calls, at: daemon.socket)) {
      let isRefused = answer == "org.varlink.service.PermissionDenied"
      #expect(isRefused == (row.right == .administrators), "\(row.method) by \(who): \(answer)")
    }
  }

  @Test func `who was refused to attach a device is among the problems, with the remedy`() throws {
    let daemon = try OtherUsers.Daemon()
    let attach = Self.call(
      "org.stepperd.provider.Attach", #"{"identity":{"provider":"x","name":"x"},"keys":["BTN_0"]}"#, of: "")
    #expect(
      try OtherUsers.Identity(user: 64_002).answers(of: [attach], at: daemon.socket)
        == ["org.varlink.service.PermissionDenied"])
    let status = try WireClient(daemon.socket).call(ManagerInterface.GetStatus.self, NoParameters())
    #expect(
      status.problems == [
        "user 64002 may not attach devices; add \"user:64002\" to \"providers\" in [daemon]"
      ])
  }

  @Test func `the table has every method`() {
    let declared = ([.service] + InterfaceDescription.stepperd).flatMap(\.methods)
    #expect(Self.methods.map(\.method).sorted() == declared.sorted())
  }

  @Test(arguments: identities.indices, [OtherUsers.Scope.system, .user])
  func `every method is allowed to whom it is for, and to nobody else`(
    _ index: Int, _ scope: OtherUsers.Scope
  ) throws {
    let (who, identity, rights) = Self.identities[index]
    let isAdministrator = rights.contains(scope)
    let daemon = try OtherUsers.Daemon(scope)
    for (control, writers) in [("open", Right.everyone), ("kept", .administrators)] {
      let calls = Self.methods.map { Self.call($0.method, $0.parameters, of: control) }
      let answers = try identity.answers(of: calls, at: daemon.socket)
      for (row, answer) in zip(Self.methods, answers) {
        let right = row.right == .writers ? writers : row.right
        let isAllowed = right == .everyone || isAdministrator
        let isRefused = answer == "org.varlink.service.PermissionDenied"
        #expect(isRefused == !isAllowed, "\(row.method) of \(control) by \(who): \(answer)")
        #expect(
          !["closed", "org.varlink.service.InvalidParameter"].contains(answer), "\(row.method): \(answer)")
      }
    }
  }

  @Test func `a control that nobody may write is refused to root too, and not as a matter of permission`()
    throws
  {
    let daemon = try OtherUsers.Daemon()
    let rows = Self.methods.filter { $0.right == .writers }
    for identity in [OtherUsers.Identity(user: 0), .init(user: 64_002)] {
      let answers = try identity.answers(
        of: rows.map { Self.call($0.method, $0.parameters, of: "fixed") }, at: daemon.socket)
      #expect(answers == rows.map { _ in "org.stepperd.control.NotWritable" })
    }
  }

  @Test func `who is no administrator any more watches no device, and holds no input`() throws {
    let daemon = try OtherUsers.Daemon()
    let identity = OtherUsers.Identity(user: 64_003, supplementary: [OtherUsers.adminGroup])
    let caller = try OtherUsers.Caller(identity, at: daemon.socket)
    let calls = [
      #"{"method":"org.stepperd.device.Monitor","more":true}"#,
      #"{"method":"org.stepperd.device.Press","parameters":{"device":"panel","input":"push"}}"#,
    ]
    #expect(try caller.answers(of: calls) == ["ok", "ok"])
    let root = try WireClient(daemon.socket)
    #expect(try root.state(of: "open").pressed)
    try daemon.configure { $0.filter { !$0.hasPrefix("admin-group") } }
    #expect(try caller.answers(of: ["end 0"]) == ["org.varlink.service.PermissionDenied"])
    #expect(try !root.state(of: "open").pressed)
    try caller.end()
  }

  @Test func `a connection that is restricted may do what everyone may`() throws {
    let daemon = try OtherUsers.Daemon()
    let client = try WireClient(daemon.socket)
    let kept = ControlInterface.Set.Parameters(control: "kept", value: 1)
    try client.call(ControlInterface.Set.self, kept)
    try client.call(
      DeviceInterface.Press.self, .init(device: "panel", input: "push"))
    #expect(try client.state(of: "open").pressed)
    try client.call(ControlInterface.Press.self, .init(control: "kept", action: .increment, hold: "h"))
    #expect(try client.state(of: "kept").editing)
    try client.send(ManagerInterface.Restrict.self, NoParameters(), mode: .oneway)
    #expect(try client.failure(ControlInterface.Set.self, kept) == ServiceInterface.PermissionDenied.name)
    #expect(try client.failure(ManagerInterface.Save.self, .init()) == ServiceInterface.PermissionDenied.name)
    #expect(try !client.state(of: "open").pressed)
    #expect(try !client.state(of: "kept").editing)
    let controls = try client.call(ControlInterface.List.self, .init()).controls
    #expect(controls.filter(\.description.writable).map(\.description.control) == ["open"])
    try client.call(ControlInterface.Set.self, .init(control: "open", value: 1))
  }

  /// Each holds as many connections as a user may have, and a subscription with each.
  @Test(arguments: [
    "org.stepperd.control.Subscribe", "org.stepperd.control.SubscribeMoments",
    "org.stepperd.device.Subscribe",
  ])
  func `users who follow all they can leave the others their subscriptions`(_ method: String) throws {
    let daemon = try OtherUsers.Daemon()
    let call = Self.call(method, "{}", of: "open")
    let greedy = try [64_010, 64_011].map { user in
      try OtherUsers.Caller(.init(user: user), at: daemon.socket)
    }
    for caller in greedy {
      let answers = try caller.answers(of: Array(repeating: call, count: 32))
      #expect(answers == Array(repeating: "ok", count: 32))
    }
    for user in [0, 64_012] {
      #expect(try OtherUsers.Identity(user: user).answers(of: [call], at: daemon.socket) == ["ok"])
    }
    for caller in greedy { try caller.end() }
  }

  private static func isStream(_ method: String) -> Bool {
    method.contains("Subscribe") || method.hasSuffix(".Monitor") || method.hasPrefix("io.systemd.Metrics.")
  }

  private static func call(_ method: String, _ parameters: String, of control: String) -> String {
    let parameters = parameters.split(separator: "CONTROL", omittingEmptySubsequences: false).joined(
      separator: control)
    return
      "{\"method\":\"\(method)\",\"parameters\":\(parameters)\(isStream(method) ? ",\"more\":true" : "")}"
  }
}

/// Clients of other users, and a system's daemon that runs as one.
enum OtherUsers {
  static let adminGroup = 64_900
  static let (provider, providerGroup) = (64_020, 64_901)

  static var areAvailable: Bool { unsafe geteuid() == 0 && access("/usr/bin/setpriv", X_OK) == 0 }

  struct Identity {
    var user: Int
    var group = 64_000
    var supplementary: [Int] = []

    init(user: Int, group: Int = 64_000, supplementary: [Int] = []) {
      (self.user, self.group, self.supplementary) = (user, group, supplementary)
    }

    /// Each of `calls` on a connection of its own, with at most half of a user's connections at a time: the former half
    /// may not have been closed yet.
    func answers(of calls: [String], at socket: String) throws -> [String] {
      try stride(from: 0, to: calls.count, by: 16).flatMap { start in
        let caller = try Caller(self, at: socket)
        let answers = try caller.answers(of: Array(calls[start...].prefix(16)))
        try caller.end()
        return answers
      }
    }
  }

  /// A program of another user that holds its connections.
  final class Caller {
    private let process: ChildProcess
    private var seen = 0

    init(_ identity: Identity, at socket: String) throws {
      let supplementary = identity.supplementary.map(String.init).joined(separator: ",")
      process = try ChildProcess(
        "/usr/bin/env",
        [
          "python3", TemporaryFolder.path(ofSource: "Tests/Support/call_as.py"), socket, "\(identity.user)",
          "\(identity.group)", supplementary,
        ])
    }

    func answers(of calls: [String]) throws -> [String] {
      try process.write(calls.map { $0 + "\n" }.joined())
      seen += calls.count
      try process.expectLines(seen, within: 60)
      return process.output.split(separator: "\n").suffix(calls.count).map(String.init)
    }

    func end() throws {
      process.endInput()
      #expect(try process.waitForExit() == 0, "\(process.output)")
    }
  }

  enum Scope: String { case system, user }

  /// `stepperd` as a user who is not root, and whose socket everybody may open.
  final class Daemon {
    static let user = 64_001
    private let folder: TemporaryFolder
    private let process: ChildProcess
    let socket: String

    init(_ scope: Scope = .system) throws {
      folder = try TemporaryFolder()
      socket = "\(folder.path)/stepperd/org.stepperd"
      try folder.write(
        """
        [daemon]
        admin-group = "\(adminGroup)"
        providers = ["user:\(provider)", "group:\(providerGroup)"]
        [device.panel]
        virtual = true
        [control.open]
        rotate = "panel:dial"
        increment = "panel:plus"
        push = "panel:push"
        [control.kept]
        writable-by = "admin"
        [control.fixed]
        writable-by = "nobody"
        """, to: "stepperd.toml")
      unsafe chown(folder.path, UInt32(Self.user), UInt32(Self.user))
      unsafe chmod(folder.path, 0o755)
      process = try ChildProcess(
        "/usr/bin/setpriv",
        [
          "--reuid", "\(Self.user)", "--regid", "\(Self.user)", "--clear-groups", builtProgram("stepperd"),
          "--\(scope)", "--config", "\(folder.path)/stepperd.toml",
        ],
        environment: RunningDaemon.environment(in: folder).merging([
          "RUNTIME_DIRECTORY": "\(folder.path)/stepperd", "STATE_DIRECTORY": "\(folder.path)/state",
        ]) { $1 })
      try process.expectOutput("Ctrl-C ends it.")
      unsafe chmod("\(folder.path)/stepperd", 0o755)
      unsafe chmod(socket, 0o666)
    }

    /// Has it read its configuration with changed lines.
    func configure(_ change: ([Substring]) -> [Substring]) throws {
      let lines = try folder.read("stepperd.toml").split(separator: "\n")
      try folder.write(change(lines).joined(separator: "\n"), to: "stepperd.toml")
      _ = try WireClient(socket).call(ManagerInterface.Reload.self, NoParameters())
    }
  }
}
