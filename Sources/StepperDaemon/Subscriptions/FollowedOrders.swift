import StepperCore
import StepperInterfaces
import Varlink

/// The attached devices whose orders a client follows, and their pending orders: the latest order of each output, and a
/// few effects.
struct FollowedOrders {
  private(set) var handles: Set<String>
  private var levels = DeviceOrders.Levels()
  private var effects: [ProviderInterface.Order] = []
  /// The handle of a device that is no longer followed.
  private var ended: String?

  /// Maximum number of pending effects. Older ones are dropped, because late effects are misleading.
  static var mostEffects: Int { 8 }

  init(_ handles: some Sequence<String>) { self.handles = Set(handles) }

  var isDue: Bool { !levels.isEmpty || !effects.isEmpty || endedHandle != nil }

  /// The handle for the error that ends the call when no device is left; nil: a device is left.
  var endedHandle: String? { handles.isEmpty ? ended : nil }

  mutating func note(_ level: DeviceOrders.Level, of handle: String) {
    if handles.contains(handle) { levels.insert(level, of: handle) }
  }

  mutating func note(_ effect: ProviderInterface.Order) {
    guard handles.contains(effect.handle) else { return }
    if effects.count == Self.mostEffects { effects.removeFirst() }
    effects.append(effect)
  }

  mutating func noteEnd(of handle: String) {
    guard handles.remove(handle) != nil else { return }
    ended = handle
    levels.removeAll(of: handle)
    effects.removeAll { $0.handle == handle }
  }

  /// The orders that are due, with their present content. Levels for which the reply has no room remain.
  mutating func take(of devices: Devices) -> [ProviderInterface.Order] {
    defer { effects = [] }
    var (orders, room) = ([ProviderInterface.Order](), ReplyRoom())
    for element in levels.take() {
      guard let order = devices.order(element.level, of: element.handle) else { continue }
      if levels.isEmpty, room.take(order.replySize) || orders.isEmpty {
        orders.append(order)
      } else {
        levels.insert(element.level, of: element.handle)
      }
    }
    return orders + effects
  }
}

/// The replies to `org.stepperd.provider.Subscribe`.
extension Subscriptions {
  /// Passes new orders to the rows that follow them.
  func note(_ orders: DeviceOrders) {
    for row in ofOrders {
      for element in orders.levels.elements {
        change(row) { $0.orders.note(element.level, of: element.handle) }
      }
      for effect in orders.effects { change(row) { $0.orders.note(effect) } }
      for handle in orders.ended { change(row) { $0.orders.noteEnd(of: handle) } }
    }
  }

  func sendOrders(_ row: Int, on connection: inout VarlinkServerConnection, at now: Instant) {
    guard take(row, at: now) != nil else { return }
    let orders = change(row) { row in
      // A device may have been detached before this first reply.
      for handle in row.orders.handles where devices.attached(handle) == nil {
        row.orders.noteEnd(of: handle)
      }
      return row.orders.take(of: devices)
    }
    if let handle = rows[row].orders.endedHandle {
      connection.fail(ProviderInterface.NoSuchHandle(handle: handle))
    } else {
      connection.reply(ProviderInterface.Subscribe.Reply(orders: orders), continues: true)
    }
  }
}
