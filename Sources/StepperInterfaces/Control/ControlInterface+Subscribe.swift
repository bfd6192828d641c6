public import Varlink

extension ControlInterface {
  /// Follow controls. Must be called with `more`. `match` is a list of names or shell patterns (* and ?);
  /// absent means all. A pattern that fits nothing yet is no error: a reload may bring the control.
  public enum Subscribe: VarlinkMethod {
    /// The fully qualified name.
    public static let name = "org.stepperd.control.Subscribe"
    /// It is answered with a stream of replies.
    public static let expectsMore = true

    /// What it is called with.
    public struct Parameters: Codable, Hashable, Sendable {
      /// Names or shell patterns (`*` and `?`); nil: all.
      public var match: [String]?
      /// What sequence numbers can be compared within; opaque.
      public var instance: String?
      /// Leave out what did not change after this, if `instance` is still the same.
      public var sinceSequence: Int64?
      /// The least time between two replies.
      public var minimumIntervalMilliseconds: Int64?
      /// Whether to send descriptions too.
      public var descriptions: Bool?

      /// Its fields, in the order of the interface description.
      public init(
        match: [String]? = nil, instance: String? = nil, sinceSequence: Int64? = nil,
        minimumIntervalMilliseconds: Int64? = nil, descriptions: Bool? = nil
      ) {
        self.match = match
        self.instance = instance
        self.sinceSequence = sinceSequence
        self.minimumIntervalMilliseconds = minimumIntervalMilliseconds
        self.descriptions = descriptions
      }
    }

    /// What it answers.
    public struct Reply: Codable, Hashable, Sendable {
      /// Whether these are all of them.
      public var snapshot: Bool
      /// What sequence numbers can be compared within; opaque.
      public var instance: String
      /// The sequence number of the newest change.
      public var sequence: Int64
      /// How many changes were folded away since the last reply.
      public var coalesced: Int64
      /// The latest state of each control that changed.
      public var states: [State]
      /// The descriptions of the controls.
      public var descriptions: [Description]?

      /// Its fields, in the order of the interface description.
      public init(
        snapshot: Bool, instance: String, sequence: Int64, coalesced: Int64, states: [State],
        descriptions: [Description]? = nil
      ) {
        self.snapshot = snapshot
        self.instance = instance
        self.sequence = sequence
        self.coalesced = coalesced
        self.states = states
        self.descriptions = descriptions
      }
    }
  }
}
