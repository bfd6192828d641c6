internal import HTTPTypes
internal import HummingbirdCore

/// The entity tags of states: the IDs of events, in quotes. A state that is shown differently has a different tag.
enum EntityTag {
  static func of(_ instance: String, _ sequence: Int64, view: String? = nil) -> String {
    "\"\(EventID(instance: instance, sequence: sequence, view: view).text)\""
  }

  /// nil: `tag` is not such a tag.
  static func id(_ tag: [UInt8]) -> EventID? {
    let quote = UInt8(ascii: "\"")
    guard tag.count >= 2, tag.first == quote, tag.last == quote else { return nil }
    return EventID(tag.dropFirst().dropLast())
  }

  /// Whether `list`, the value of a header, contains `tag` or is `*`. Weak tags count as well.
  static func isListed(_ tag: String, in list: [UInt8]?) -> Bool {
    list?.split(separator: UInt8(ascii: ",")).contains { entry in
      let entry = entry.trimmed
      let strong = entry.starts(with: "W/".utf8) ? entry.dropFirst(2) : entry
      return strong.elementsEqual(tag.utf8) || strong.elementsEqual("*".utf8)
    } ?? false
  }
}

extension Response {
  static func notModified(_ tag: String) -> Response {
    var headers = HTTPFields()
    headers[.eTag] = tag
    headers[.cacheControl] = "no-store"
    return Response(status: .notModified, headers: headers)
  }
}
