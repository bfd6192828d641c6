import Varlink

/// An announcement that the broker has kept from a former life of the bridge.
struct RetainedDiscovery {
  let fingerprint: Fingerprint
  /// Its components, if it is one of ours.
  let components: DiscoveryPayload.Removed

  private struct Payload: Decodable {
    struct Component: Decodable { var p: String? }
    var cmps: [String: Component]?
  }

  init(_ payload: [UInt8]) {
    fingerprint = Fingerprint(payload)
    guard let read: Payload = decoded(payload) else {
      components = []
      return
    }
    let platforms: Set<String> = [
      "number", "sensor", "text", "select", "switch", "binary_sensor", "button", "event", "device_automation",
    ]
    components = (read.cmps ?? [:]).compactMap { key, component in
      guard let platform = component.p, platforms.contains(platform), key.utf8.count <= 128 else {
        return nil
      }
      return (key, platform)
    }.sorted { $0.key < $1.key }.prefix(MQTTLimit.formerControls).map { $0 }
  }
}

/// The controls that a retained `info` names.
enum RetainedInfo {
  private struct Payload: Decodable { var controls: [String]? }

  static func controls(_ payload: [UInt8]) -> [String] {
    guard let read: Payload = decoded(payload) else { return [] }
    return Array((read.controls ?? []).filter(isName).prefix(MQTTLimit.formerControls))
  }

  /// Whether it could be the name of a control: no other topics are ever cleared.
  private static func isName(_ text: String) -> Bool {
    let marks = "._-".utf8
    return (1...64).contains(text.utf8.count) && !Topics.reserved.contains(text)
      && text.utf8.allSatisfy { byte in
        ("a"..."z").contains(Unicode.Scalar(byte)) || ("0"..."9").contains(Unicode.Scalar(byte))
          || marks.contains(byte)
      }
  }
}

/// What a message of a former life says; nil: it is none of ours.
private func decoded<Payload: Decodable>(_ payload: [UInt8]) -> Payload? {
  guard payload.count <= MQTTLimit.retainedBytes else { return nil }
  // What is not understood is replaced.
  return try? VarlinkParameters(json: payload).decode(Payload.self)
}
