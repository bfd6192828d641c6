/// The declarations in the description of an interface.
public struct VarlinkInterface: Hashable, Sendable {
  /// `org.stepperd.control`.
  public let name: String
  /// The comment above the interface; its lines without the number signs.
  public let comment: String
  /// Its types, methods and errors, in the order of the description.
  public let members: [Member]

  /// A type, a method or an error.
  public struct Member: Hashable, Sendable {
    /// The name inside the interface: `Get`.
    public let name: String
    /// The comment directly above the member; its lines without the number signs.
    public let comment: String
    /// The declaration of the member.
    public let declaration: Declaration
  }

  /// The kinds of declarations.
  public enum Declaration: Hashable, Sendable {
    /// A type: an enumeration or a structure.
    case type(VarlinkType)
    /// A method, with the fields of its call and those of its reply.
    case method(parameters: [VarlinkField], reply: [VarlinkField])
    /// An error, with its fields.
    case error([VarlinkField])
  }

  /// Reads `text`, in Varlink's interface description language. Takes time proportional to its length.
  ///
  /// Throws for a text that is not in that language, for a name that is declared twice and for a type that is not
  /// declared. The text may be untrusted.
  public init(parsing text: String) throws(DescriptionError) {
    var parser = DescriptionParser(text)
    self = try parser.interface()
  }

  init(name: String, comment: String, members: [Member]) {
    self.name = name
    self.comment = comment
    self.members = members
  }
}

/// A type of Varlink's interface description language.
public indirect enum VarlinkType: Hashable, Sendable {
  /// `bool`.
  case boolean
  /// `int`: 64 bits.
  case integer
  /// `float`: a double.
  case float
  /// `string`.
  case string
  /// `object`: any JSON object.
  case object
  /// A type that the interface declares by this name.
  case named(String)
  /// `?type`: may be absent or null.
  case optional(VarlinkType)
  /// `[]type`.
  case array(VarlinkType)
  /// `[string]type`.
  case map(VarlinkType)
  /// `(name: type, …)`.
  case structure([VarlinkField])
  /// `(word, …)`.
  case enumeration([VarlinkWord])
}

/// A field of a structure, a method or an error.
public struct VarlinkField: Hashable, Sendable {
  /// Its name.
  public let name: String
  /// Its type.
  public let type: VarlinkType
  /// The comment directly above the field; its lines without the number signs.
  public let comment: String
}

/// A word of an enumeration.
public struct VarlinkWord: Hashable, Sendable {
  /// The word as it is on the wire.
  public let name: String
  /// The comment directly above the word; its lines without the number signs.
  public let comment: String
}

/// What is wrong with the description of an interface.
public struct DescriptionError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The line, from 1.
  public let line: Int
  /// What is wrong, a phrase without a full stop.
  public let reason: String

  /// `line 3: ')' was expected, but 'error' was found`.
  public var description: String { "line \(line): \(reason)" }
}
