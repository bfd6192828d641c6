internal import StepperConfiguration
internal import StepperInterfaces

/// The facts that the checks judge. Collecting them changes nothing on the machine.
struct Facts: Hashable, Sendable {
  var root = SystemRoot()
  var caller: CallerFacts
  var accounts = Accounts(users: [], groups: [])
  var daemons: [DaemonFacts] = []
  /// The units of stepperd and of its rivals by their names; those that are not installed may be missing.
  var units: [String: UnitFacts] = [:]
  /// Whether systemd is running.
  var hasServiceManager = false
  var processes = ProcessTable()
  var socket = SocketFacts(path: DaemonFacts.systemAddress)
  var configuration = ConfigurationFacts(path: nil)
  var inputs: [InputFacts] = []
  var udev = UdevFacts()
  var kernel = KernelFacts()
  var board = BoardFacts()
  var state: StateFacts?
  var hooks: [HookFacts] = []
  var rivals: [RivalFacts] = []
  /// The status files of the bridges.
  var bridges: [BridgeReading] = []
}

extension Facts {
  /// Reads the facts of a system. `daemons` are the answers at the addresses that the caller would use, in their order.
  init(
    _ root: SystemRoot, caller: CallerFacts, daemons: [DaemonFacts], units: [String: UnitFacts] = [:]
  ) {
    self.init(caller: caller)
    self.root = root
    self.daemons = daemons
    accounts = Accounts(root)
    hasServiceManager = root.exists("/run/systemd/system")
    self.units = units
    processes = ProcessTable(root)
    socket = SocketFacts(
      root, isSystem ? DaemonFacts.systemAddress : daemon?.address ?? DaemonFacts.systemAddress)
    configuration = ConfigurationFacts(root, path: configurationPath)
    inputs = InputFacts.all(root, openers: processes.openers)
    udev = UdevFacts(root)
    kernel = KernelFacts(root)
    board = BoardFacts(root)
    state = stateDirectory.map { StateFacts(root, $0) }
    hooks = HookFacts.all(
      root, configuration.configuration, searching: searchPath, user: daemonIdentity)
    rivals = RivalFacts.all(root, processes.processes, units)
    bridges = BridgeReading.all(root, runtime: caller.environment["XDG_RUNTIME_DIR"])
  }

  /// The daemon that the caller's commands reach: the first one that answers, else the first one with a socket.
  var daemon: DaemonFacts? {
    daemons.first { $0.status != nil } ?? daemons.first { $0.answer != .noSocket } ?? daemons.first
  }

  /// The unit of the service; it has no properties if systemd does not answer.
  var service: UnitFacts {
    get { units["stepperd.service"] ?? UnitFacts(name: "stepperd.service") }
    set { units["stepperd.service"] = newValue }
  }
  var socketUnit: UnitFacts {
    get { units["stepperd.socket"] ?? UnitFacts(name: "stepperd.socket") }
    set { units["stepperd.socket"] = newValue }
  }

  var answering: [DaemonFacts] { daemons.filter { $0.status != nil } }

  /// Whether the system service is examined, and not the daemon of a user.
  var isSystem: Bool {
    if let daemon, daemon.answer != .noSocket { return daemon.address == DaemonFacts.systemAddress }
    return service.isInstalled || service.isMasked || caller.isRoot
  }

  /// The file that the daemon reads.
  private var configurationPath: String {
    if let path = daemon?.status?.configuration { return path }
    let user = ConfigurationArgument.userFile { caller.environment[$0] }
    return isSystem
      ? configured ?? ConfigurationArgument.systemFile : user ?? ConfigurationArgument.systemFile
  }

  /// The file that the command line of the service names.
  private var configured: String? {
    let words = service.words("ExecStart")
    if let index = words.firstIndex(of: "--config"), index + 1 < words.count { return words[index + 1] }
    return words.first { $0.hasPrefix("--config=") }.map { String($0.dropFirst("--config=".count)) }
  }

  /// The directory of the saved values; nil if it is unknown where another user's daemon saves them.
  private var stateDirectory: String? {
    if let configured = configuration.configuration?.daemon.stateDirectory { return configured }
    if isSystem { return "/var/lib/stepperd" }
    guard daemonUser?.number == caller.identity.user else { return nil }
    return UserFolder.state.path { caller.environment[$0] } ?? "/.local/state/stepperd"
  }

  private var searchPath: [String] {
    guard !isSystem, let path = caller.environment["PATH"], !path.isEmpty else {
      return HookFacts.servicePath
    }
    return path.split(separator: ":").map(String.init)
  }

  /// The user of the daemon; nil if the account does not exist.
  var daemonUser: Accounts.User? {
    guard isSystem else {
      let number = (socket.path == daemon?.address ? socket.status?.owner : nil) ?? caller.identity.user
      return accounts.user(number) ?? Accounts.User(name: "\(number)", number: number, group: number)
    }
    return accounts.user(
      named: service["User"] ?? (service.isInstalled ? "root" : "stepperd"))
  }

  /// The user and the groups of the daemon.
  var daemonIdentity: Identity? {
    if !isSystem, daemonUser?.number == caller.identity.user { return caller.identity }
    return daemonUser.map {
      accounts.identity(of: $0, supplementary: isSystem ? service.words("SupplementaryGroups") : [])
    }
  }

  var assignment: Assignment { Assignment(self) }
  var configurationName: String { configuration.path ?? "the configuration" }

  var callerName: String { accounts.userName(caller.identity.user) }
}

/// The file of a daemon's socket.
struct SocketFacts: Hashable, Sendable {
  var path: String
  /// Nil if there is no socket, or the caller may not look into its directory.
  var status: FileStatus?
  var directory: FileStatus?
}

extension SocketFacts {
  init(_ root: SystemRoot, _ path: String) {
    self.init(path: path)
    status = root.status(path)
    directory = root.status(SystemRoot.parent(of: path))
  }
}
