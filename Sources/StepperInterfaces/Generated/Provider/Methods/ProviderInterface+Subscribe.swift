// Made by varlink-generate from org.stepperd.provider.varlink; do not edit.

public import Varlink

extension ProviderInterface {
  /// Follow the orders for devices, on a connection of its own. Must be called with `more`. The first reply
  /// is how the outputs stand, later ones have what changed since; of an output only the latest is kept for a
  /// slow reader, and of effects a few.
  ///
  /// An order of kind position is sent when a control that the axis drives at present has changed by anything
  /// else, after the device was matched, and after `lost`; never while a hand is on the axis, and not before
  /// it has rested for 300 ms. One of kind detents is sent by the same rules, where the control stands at
  /// another detent than those that were reported lead to, or has another range. One of kind text is sent
  /// with every change of what it shows. After `lost` all that the outputs are to show is sent again.
  ///
  /// It ends with NoSuchHandle when the last one of the devices was detached.
  public enum Subscribe: VarlinkMethod {
    /// `org.stepperd.provider.Subscribe`.
    public static let name = "org.stepperd.provider.Subscribe"
    /// It is answered with a stream of replies, and only when called with `more`.
    public static let expectsMore = true

    /// The parameters of ``Subscribe``.
    public struct Parameters: Hashable, Sendable, JSONReadable, JSONWritable {
      /// Devices that the same user has attached.
      public var handles: [String]

      /// Takes every field.
      public init(handles: [String]) {
        self.handles = handles
      }

      /// Reads the members of a JSON object.
      public init(json value: JSONValue) throws(JSONMisfit) {
        var members = try JSONMembers(value)
        self.handles = try members.value("handles")
        try members.end()
      }

      /// Appends a JSON object, its members in the order of the interface description.
      public func appendJSON(to buffer: inout [UInt8]) throws(VarlinkMessageError) {
        let start = buffer.count
        try JSONText.append(",\"handles\":", handles, to: &buffer)
        JSONText.endObject(from: start, in: &buffer)
      }
    }

    /// The results of ``Subscribe``.
    public struct Reply: Hashable, Sendable, JSONReadable, JSONWritable {
      /// How the outputs stand, or what has changed; may be empty in the first reply.
      public var orders: [Order]

      /// Takes every field.
      public init(orders: [Order]) {
        self.orders = orders
      }

      /// Reads the members of a JSON object.
      public init(json value: JSONValue) throws(JSONMisfit) {
        var members = try JSONMembers(value)
        self.orders = try members.value("orders")
        try members.end()
      }

      /// Appends a JSON object, its members in the order of the interface description.
      public func appendJSON(to buffer: inout [UInt8]) throws(VarlinkMessageError) {
        let start = buffer.count
        try JSONText.append(",\"orders\":", orders, to: &buffer)
        JSONText.endObject(from: start, in: &buffer)
      }
    }
  }
}
