internal import StepperCore
internal import StepperInterfaces

/// Devices that another program has grabbed or reads as well.
///
/// No grab is attempted: one that succeeds takes the device from its readers for a moment. A grab of another program is known
/// from the daemon's state `busy`, and the programs that may hold it from the descriptors of processes.
enum GrabCheck {
  static func judge(_ facts: Facts) -> [Finding] {
    Assignment(facts).used.flatMap { judge($0.table, $0.input, facts) }
  }

  private static func judge(_ table: String, _ input: InputFacts, _ facts: Facts) -> [Finding] {
    let others = input.openers.filter { !harmless.contains($0.name) }
    let state = facts.daemon?.devices.first { $0.node == input.identity.node }?.state
    if state == .busy { return [busy(table, input, others, facts)] }
    guard !others.isEmpty else { return [] }
    return [
      Finding(
        "device.shared", "device \(table)", .warning, "\(input.title) is also read by \(list(others))",
        because: "Each movement has two effects, unless [device.\(table)] has grab = true.",
        remedies: others.flatMap { stop($0, facts) })
    ]
  }

  /// The daemon, and the login manager, which opens devices to watch for the power key.
  private static let harmless: Set<String> = ["stepperd", "systemd-logind", "stepperctl"]

  private static func busy(
    _ table: String, _ input: InputFacts, _ others: [ProcessFacts], _ facts: Facts
  ) -> Finding {
    let holder =
      others.isEmpty
      ? facts.processes.seesAll ? "a program that has ended since" : "a program that only root can see"
      : list(others)
    var remedies = others.flatMap { stop($0, facts) }
    if others.isEmpty, !facts.processes.seesAll { remedies = [.command("sudo stepperctl doctor")] }
    return Finding(
      "device.busy", "device \(table)", .wrong, "\(input.title) is grabbed by \(holder)",
      because: "The daemon receives no events of it.", remedies: remedies)
  }

  private static func list(_ processes: [ProcessFacts]) -> String {
    processes.prefix(5).map { "\($0.name) (process \($0.number))" }.joined(separator: ", ")
  }

  private static func stop(_ process: ProcessFacts, _ facts: Facts) -> [Remedy] {
    if let rival = Rival.all.first(where: { $0.processes.contains(process.name) }) {
      return [facts.shell.asRoot("systemctl disable --now \(RivalCheck.units(rival, facts))")]
    }
    // The desktop leaves the device alone after it is marked; it must not be ended.
    if ["Xorg", "gnome-shell", "kwin_wayland", "sway", "labwc", "wayfire", "weston", "cage"].contains(
      process.name)
    {
      return [.advice("log out of the desktop and in again after the udev rules mark the device")]
    }
    let kill = "kill \(process.number)"
    return [process.user == facts.caller.identity.user ? .command(kill) : facts.shell.asRoot(kill)]
  }
}
