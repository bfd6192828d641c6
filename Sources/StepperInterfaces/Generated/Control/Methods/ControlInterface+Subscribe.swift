// Made by varlink-generate from org.stepperd.control.varlink; do not edit.

public import Varlink

extension ControlInterface {
  /// Follow controls. Must be called with `more`. `match` is a list of at most 64 names or shell patterns (*
  /// and ?) of at most 255 bytes each; absent means all. A pattern that fits nothing yet is no error: a
  /// reload may bring the control. `minimumIntervalMilliseconds` is at most 86400000, a day; less than 0 is
  /// 0.
  ///
  /// The first reply is a snapshot: every matching control (`snapshot`: true). If `instance` and
  /// `sinceSequence` name a point this daemon knows, it holds only what changed after that and `snapshot` is
  /// false. Each later reply holds the latest state of every control that changed since the reply before it.
  /// A reader that is too slow, or that asked for a minimum interval, gets fewer replies with the latest
  /// states, never an ever longer queue; `coalesced` is the number of changes folded away like that since the
  /// last reply. After a reload that adds, removes or redefines controls a new snapshot follows, with a new
  /// `instance`. The call ends with error Stopping when the daemon stops.
  ///
  /// `instance` is opaque. It changes whenever sequence numbers or the set of controls can no longer be
  /// compared with those seen before.
  public enum Subscribe: VarlinkMethod {
    /// `org.stepperd.control.Subscribe`.
    public static let name = "org.stepperd.control.Subscribe"
    /// It is answered with a stream of replies, and only when called with `more`.
    public static let expectsMore = true

    /// The parameters of ``Subscribe``.
    public struct Parameters: Hashable, Sendable, JSONReadable, JSONWritable {
      /// Names or shell patterns. Absent: all.
      public var match: [String]?
      /// The instance that `sinceSequence` is of.
      public var instance: String?
      /// Leave out what did not change after this.
      public var sinceSequence: Int64?
      /// The least time between two replies. Absent: none.
      public var minimumIntervalMilliseconds: Int64?
      /// Whether snapshots hold descriptions, too. Absent: they do not.
      public var descriptions: Bool?
      /// Language tag as in Describe: replies hold what a screen reader says, too. Absent: they do not.
      public var language: String?

      /// Takes every field; one that may be absent is absent unless it is given.
      public init(
        match: [String]? = nil, instance: String? = nil, sinceSequence: Int64? = nil,
        minimumIntervalMilliseconds: Int64? = nil, descriptions: Bool? = nil, language: String? = nil
      ) {
        self.match = match
        self.instance = instance
        self.sinceSequence = sinceSequence
        self.minimumIntervalMilliseconds = minimumIntervalMilliseconds
        self.descriptions = descriptions
        self.language = language
      }

      /// Reads the members of a JSON object.
      public init(json value: JSONValue) throws(JSONMisfit) {
        var members = try JSONMembers(value)
        self.match = try members.optional("match")
        self.instance = try members.optional("instance")
        self.sinceSequence = try members.optional("sinceSequence")
        self.minimumIntervalMilliseconds = try members.optional("minimumIntervalMilliseconds")
        self.descriptions = try members.optional("descriptions")
        self.language = try members.optional("language")
        try members.end()
      }

      /// Appends a JSON object, its members in the order of the interface description.
      public func appendJSON(to buffer: inout [UInt8]) throws(VarlinkMessageError) {
        let start = buffer.count
        try JSONText.append(",\"match\":", match, to: &buffer)
        JSONText.append(",\"instance\":", instance, to: &buffer)
        JSONText.append(",\"sinceSequence\":", sinceSequence, to: &buffer)
        JSONText.append(",\"minimumIntervalMilliseconds\":", minimumIntervalMilliseconds, to: &buffer)
        JSONText.append(",\"descriptions\":", descriptions, to: &buffer)
        JSONText.append(",\"language\":", language, to: &buffer)
        JSONText.endObject(from: start, in: &buffer)
      }
    }

    /// The results of ``Subscribe``.
    public struct Reply: Hashable, Sendable, JSONReadable, JSONWritable {
      /// Whether these are all matching controls.
      public var snapshot: Bool
      /// What sequence numbers can be compared within; opaque.
      public var instance: String
      /// Sequence number of the newest change of all controls.
      public var sequence: Int64
      /// How many changes were folded away since the reply before.
      public var coalesced: Int64
      /// The latest states.
      public var states: [State]
      /// The descriptions of the controls of `states`, in a snapshot.
      public var descriptions: [Description]?
      /// What a screen reader says of each control of `states`, in their order. Absent: no language was
      /// given, or an older daemon does not say it.
      public var accessibility: [Accessibility]?

      /// Takes every field; one that may be absent is absent unless it is given.
      public init(
        snapshot: Bool, instance: String, sequence: Int64, coalesced: Int64, states: [State],
        descriptions: [Description]? = nil, accessibility: [Accessibility]? = nil
      ) {
        self.snapshot = snapshot
        self.instance = instance
        self.sequence = sequence
        self.coalesced = coalesced
        self.states = states
        self.descriptions = descriptions
        self.accessibility = accessibility
      }

      /// Reads the members of a JSON object.
      public init(json value: JSONValue) throws(JSONMisfit) {
        var members = try JSONMembers(value)
        self.snapshot = try members.value("snapshot")
        self.instance = try members.value("instance")
        self.sequence = try members.value("sequence")
        self.coalesced = try members.value("coalesced")
        self.states = try members.value("states")
        self.descriptions = try members.optional("descriptions")
        self.accessibility = try members.optional("accessibility")
        try members.end()
      }

      /// Appends a JSON object, its members in the order of the interface description.
      public func appendJSON(to buffer: inout [UInt8]) throws(VarlinkMessageError) {
        let start = buffer.count
        JSONText.append(",\"snapshot\":", snapshot, to: &buffer)
        JSONText.append(",\"instance\":", instance, to: &buffer)
        JSONText.append(",\"sequence\":", sequence, to: &buffer)
        JSONText.append(",\"coalesced\":", coalesced, to: &buffer)
        try JSONText.append(",\"states\":", states, to: &buffer)
        try JSONText.append(",\"descriptions\":", descriptions, to: &buffer)
        try JSONText.append(",\"accessibility\":", accessibility, to: &buffer)
        JSONText.endObject(from: start, in: &buffer)
      }
    }
  }
}
