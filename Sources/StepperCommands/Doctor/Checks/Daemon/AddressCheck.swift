/// Whether the address that the caller names leads to a daemon.
enum AddressCheck {
  static func judge(_ facts: Facts) -> [Finding] {
    guard let named = facts.caller.namedAddress,
      let daemon = facts.daemons.first(where: { $0.address == named }), daemon.status == nil,
      let other = facts.daemons.first(where: { $0.status != nil })
    else { return [] }
    let isEnvironment = facts.caller.environment["STEPPERD_ADDRESS"].map { $0.contains(named) } ?? false
    return [
      Finding(
        "daemon.address", "address", .wrong,
        "\(isEnvironment ? "STEPPERD_ADDRESS" : "--address") names \(named), where no daemon answers; one answers at \(other.address)",
        because: "Every command of stepperctl uses the named address alone.",
        remedies: isEnvironment ? [.command("unset STEPPERD_ADDRESS")] : [])
    ]
  }
}
