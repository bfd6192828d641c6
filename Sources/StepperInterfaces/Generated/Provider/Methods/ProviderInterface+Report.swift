// Made by varlink-generate from org.stepperd.provider.varlink; do not edit.

public import Varlink

extension ProviderInterface {
  /// Report what a device did, on the connection that has attached it; all of the report, or nothing of it
  /// with the error InvalidReport. A provider that needs no errors calls it with `oneway`. One that closes
  /// its connection reads the reply before, or has called it with `oneway`: else it is taken to have given
  /// up, and to report the same again. Codes that do not change are ignored, as by the kernel. A device that
  /// sends more than a hand can loses the rest.
  ///
  /// Positions that an order has brought about are not reported: what is reported is taken for a hand.
  public enum Report: VarlinkMethod {
    /// `org.stepperd.provider.Report`.
    public static let name = "org.stepperd.provider.Report"

    /// The parameters of ``Report``.
    public struct Parameters: Hashable, Sendable, JSONReadable, JSONWritable {
      /// As Attach has returned it.
      public var handle: String
      /// In their order; most often one. Absent: none, which renews the lease.
      public var frames: ShortList<Frame>?
      /// What the device is like now because something before `frames` was lost: keys that are not in it are
      /// released, others go down. In the first report it is what the device was like when it was attached,
      /// and nothing of it is a press or a movement. Absent: nothing was lost.
      public var lost: Lost?

      /// Takes every field; one that may be absent is absent unless it is given.
      public init(handle: String, frames: ShortList<Frame>? = nil, lost: Lost? = nil) {
        self.handle = handle
        self.frames = frames
        self.lost = lost
      }

      /// Reads the members of a JSON object.
      public init(json value: JSONValue) throws(JSONMisfit) {
        var members = try JSONMembers(value)
        self.handle = try members.value("handle")
        self.frames = try members.optional("frames")
        self.lost = try members.optional("lost")
        try members.end()
      }

      /// Appends a JSON object, its members in the order of the interface description.
      public func appendJSON(to buffer: inout [UInt8]) throws(VarlinkMessageError) {
        let start = buffer.count
        JSONText.append(",\"handle\":", handle, to: &buffer)
        try JSONText.append(",\"frames\":", frames, to: &buffer)
        try JSONText.append(",\"lost\":", lost, to: &buffer)
        JSONText.endObject(from: start, in: &buffer)
      }
    }

    /// ``Report`` has no results.
    public typealias Reply = NoParameters
  }
}
