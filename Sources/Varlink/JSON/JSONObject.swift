/// An object whose members are written in the order given, for objects that no interface describes.
public struct JSONObject: JSONWritable, ExpressibleByDictionaryLiteral {
  private let members: [(name: String, value: any JSONWritable)]

  /// An object with the members that have a value; those that are nil are left out.
  public init(dictionaryLiteral members: (String, (any JSONWritable)?)...) { self.init(members) }

  /// The same, for members in an array.
  package init(_ members: [(String, (any JSONWritable)?)]) {
    self.members = members.compactMap { name, value in value.map { (name, $0) } }
  }

  /// Appends the object. Throws if a number in it is not finite.
  public func appendJSON(to buffer: inout [UInt8]) throws(VarlinkMessageError) {
    let start = buffer.count
    for (name, value) in members {
      buffer.append(UInt8(ascii: ","))
      JSONText.append(name, to: &buffer)
      buffer.append(UInt8(ascii: ":"))
      try value.appendJSON(to: &buffer)
    }
    JSONText.endObject(from: start, in: &buffer)
  }
}
