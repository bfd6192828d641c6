internal import StepperInterfaces

/// The orders that the program of a device has not taken yet: the latest order for each output, which applies until
/// the next one, and the newest effects.
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
  /// The output or state that the order sets, so that it replaces an earlier order with the same target; nil: an
  /// effect, or an order that is not known here.
  fileprivate var target: [String]? {
    if matched != nil { return ["matched"] }
    if let light { return ["light", light.output] }
    if let detents { return ["detents", detents.output] }
    if let text { return ["text", text.output] }
    return position.map { ["position", $0.output] }
  }
}
