internal import HTTPTypes
internal import Hummingbird
internal import HummingbirdCore

/// The tags of states: `"INSTANCE:SEQUENCE"`.
enum EntityTag {
  static func of(_ instance: String, _ sequence: Int64) -> String {
    "\"\(EventID(instance: instance, sequence: sequence).text)\""
  }

  /// nil: it is no such tag.
  static func id(_ tag: some StringProtocol) -> EventID? {
    guard tag.count >= 2, tag.hasPrefix("\""), tag.hasSuffix("\"") else { return nil }
    return EventID(tag.dropFirst().dropLast())
  }
}

extension HTTPFields {
  /// Whether the list of tags in `name` has `tag`, or is `*`. Weak tags count as well.
  func holds(_ tag: String, _ name: HTTPField.Name) -> Bool {
    self[values: name].joined(separator: ",").split(separator: ",").contains { entry in
      var entry = entry.drop { $0 == " " || $0 == "\t" }
      while let last = entry.last, last == " " || last == "\t" { entry.removeLast() }
      if entry.hasPrefix("W/") { entry = entry.dropFirst(2) }
      return entry == tag || entry == "*"
    }
  }
}

extension Response {
  static func notModified(_ tag: String, cacheControl: String = "no-store") -> Response {
    var headers = HTTPFields()
    headers[.eTag] = tag
    headers[.cacheControl] = cacheControl
    return Response(status: .notModified, headers: headers)
  }
}
