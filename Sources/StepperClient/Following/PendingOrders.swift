internal import StepperInterfaces

/// The orders for a device that its program has not taken yet: what is to be shown and felt until the next one, of each output the
/// latest, and the newest of the others.
struct PendingOrders: PendingReplies {
  typealias Method = ProviderInterface.Subscribe

  /// As many as the daemon keeps for a slow reader.
  static let mostEffects = 8

  let parameters: Method.Parameters
  private var orders: [ProviderInterface.Order] = []

  init(_ handle: String) { parameters = .init(handles: [handle]) }

  mutating func add(_ reply: Method.Reply) {
    for order in reply.orders {
      if let target = order.target { orders.removeAll { $0.target == target } }
      orders.append(order)
    }
    let effects = orders.count { $0.target == nil }
    for _ in 0..<max(0, effects - Self.mostEffects) {
      if let oldest = orders.firstIndex(where: { $0.target == nil }) { orders.remove(at: oldest) }
    }
  }

  mutating func take() -> [ProviderInterface.Order]? {
    guard !orders.isEmpty else { return nil }
    defer { orders = [] }
    return orders
  }
}

extension ProviderInterface.Order {
  /// What a later order of the same target replaces; nil: an effect, or something that is not known here.
  fileprivate var target: [String]? {
    if matched != nil { return ["matched"] }
    if let light { return ["light", light.output] }
    if let detents { return ["detents", detents.output] }
    if let text { return ["text", text.output] }
    return position.map { ["position", $0.output] }
  }
}
