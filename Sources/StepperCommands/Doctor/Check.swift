/// A check: a pure function from the facts to what it found. Everything in order gives one finding with the verdict `ok`; what
/// does not apply gives none.
package struct Check: Sendable {
  package let judge: @Sendable (Facts) -> [Finding]

  /// All checks, in the order from the daemon to the hardware.
  package static let all = [
    Check(judge: DaemonCheck.judge), Check(judge: AddressCheck.judge), Check(judge: VersionCheck.judge),
    Check(judge: UnitCheck.judge), Check(judge: AccountCheck.judge), Check(judge: SocketCheck.judge),
    Check(judge: PermissionCheck.judge), Check(judge: ConfigurationCheck.judge),
    Check(judge: RunningConfigurationCheck.judge), Check(judge: TableCheck.judge),
    Check(judge: BindingCheck.judge), Check(judge: NodeCheck.judge), Check(judge: RulesCheck.judge),
    Check(judge: GrabCheck.judge), Check(judge: DriverCheck.judge), Check(judge: BoardCheck.judge),
    Check(judge: EventsCheck.judge), Check(judge: StateCheck.judge), Check(judge: HookCheck.judge),
    Check(judge: SandboxCheck.judge), Check(judge: RivalCheck.judge),
  ]
}

extension Facts {
  /// What all checks find, and then the problems that the daemon reports beyond that.
  package var findings: [Finding] {
    let findings = Check.all.flatMap { $0.judge(self) }
    return findings + ProblemsCheck.judge(self, besides: findings)
  }
}
