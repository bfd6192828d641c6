internal import ArgumentParser
internal import Glibc
internal import StepperClient
internal import StepperLinux

struct DoctorCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "doctor", abstract: "Find out why a control does not respond, and how to fix it.",
    discussion: """
      Examines the daemon, its service, socket and permissions, the configuration, the devices and their udev rules, \
      drivers, saved values and hooks, and prints each finding with the commands that fix it. It changes nothing. Root \
      also sees the programs that have devices open.

      Exit status: 0 nothing is wrong, 1 something is wrong.
      """)

  @OptionGroup var global: GlobalOptions

  @Option(
    help: ArgumentHelp("Examine the files of another system.", valueName: "directory", visibility: .hidden))
  var root = "/"

  func run() throws {
    let system = SystemRoot(root)
    let units = [String: UnitFacts](asking: system)
    let isStopped = units.wouldStartService
    let daemons = addresses.map { address in
      isStopped && address == .system
        ? DaemonFacts(address: address.path, answer: .stopped)
        : DaemonFacts(asking: address, of: system, global)
    }
    let facts = Facts(system, caller: caller, daemons: daemons, units: units)
    let findings = facts.findings
    if global.json {
      for finding in findings { try Output.json(finding.json) }
    } else {
      FindingText.write(findings)
    }
    if findings.contains(where: { $0.verdict == .wrong }) { throw ExitCode.failure }
  }

  /// The named address, followed by those that are tried if none is named.
  private var addresses: [StepperAddress] {
    let usual = StepperAddress.candidates(explicit: nil) { name in
      name == StepperAddress.environmentVariable ? nil : StepperAddress.environmentValue(name)
    }
    var addresses: [StepperAddress] = []
    for address in StepperAddress.candidates(explicit: global.address) + usual
    where !addresses.contains(address) {
      addresses.append(address)
    }
    return addresses
  }

  private var caller: CallerFacts {
    var groups = [gid_t](repeating: 0, count: 65_536)
    let count = unsafe getgroups(CInt(groups.count), &groups)
    var environment: [String: String] = [:]
    let names = ["HOME", "PATH", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_RUNTIME_DIR"]
    for name in names + [StepperAddress.environmentVariable] {
      environment[name] = StepperAddress.environmentValue(name)
    }
    let identity = Identity(user: geteuid(), groups: Set([getegid()] + groups.prefix(max(0, Int(count)))))
    var facts = CallerFacts(
      identity: identity, environment: environment, version: Product.version)
    let named = global.address ?? environment[StepperAddress.environmentVariable]
    facts.namedAddress = named.flatMap { $0.isEmpty ? nil : StepperAddress($0).path }
    return facts
  }
}

extension DaemonFacts {
  /// The answer of the daemon at `address`. The daemon is called only if `root` is the running system.
  fileprivate init(asking address: StepperAddress, of root: SystemRoot, _ options: GlobalOptions) {
    self.init(address: address.path, answer: .noSocket)
    if root.isRunning { answer = SocketProbe.answer(at: address.path) ?? Self.ask(address, options) }
  }

  private static func ask(_ address: StepperAddress, _ options: GlobalOptions) -> Contact {
    let client = StepperClient(address: address.path, timeout: options.timeout.duration)
    do {
      let status = try client.status()
      return .status(
        status, devices: try client.devices(), controls: try client.list().map(\.description.control))
    } catch {
      return error.code == .timedOut ? .silent : .failed(error.message)
    }
  }
}
