import StepperCore
import Varlink

/// An announcement that the broker has retained from an earlier run of the bridge.
struct RetainedDiscovery {
  let fingerprint: Fingerprint
  /// The announced components by their keys, if a bridge of this program wrote the announcement.
  let components: [(key: String, identity: ComponentIdentity)]

  private struct Component: JSONReadable {
    let platform: String?
    let uniqueID: String?

    init(json value: JSONValue) throws(JSONMisfit) {
      var members = try JSONMembers(value)
      platform = try members.optional("p")
      uniqueID = try members.optional("uniq_id")
    }
  }

  init(_ payload: [UInt8]) {
    fingerprint = Fingerprint(payload)
    let read: [String: Component]? = former(payload) { members throws(JSONMisfit) in
      try members.value("cmps")
    }
    let platforms: Set<String> = [
      "number", "sensor", "text", "select", "switch", "binary_sensor", "button", "event", "device_automation",
    ]
    components = (read ?? [:]).compactMap { key, component in
      guard let platform = component.platform, platforms.contains(platform), key.utf8.count <= 128 else {
        return nil
      }
      return (key, ComponentIdentity(platform: platform, uniqueID: component.uniqueID))
    }.sorted { $0.key < $1.key }.prefix(MQTTLimit.formerComponents).map { $0 }
  }
}

/// An `info` that the broker has retained.
struct RetainedInfo {
  /// The mark of the bridge that published the message.
  let bridge: String?
  /// The topic of the announcement to Home Assistant.
  let discovery: String?
  let controls: [String]

  init(_ payload: [UInt8]) {
    typealias Members = (bridge: String?, discovery: String?, controls: [String]?)
    let read: Members? = former(payload) { members throws(JSONMisfit) in
      (try members.optional("bridge"), try members.optional("discovery"), try members.optional("controls"))
    }
    (bridge, discovery) = (read?.bridge, read?.discovery)
    // Topics of other names are never cleared.
    let names = (read?.controls ?? []).filter { Topics.isControl($0) && !Topics.reserved.contains($0) }
    controls = Array(names.prefix(MQTTLimit.formerControls))
  }
}

/// What `read` takes from a message of an earlier run; nil: no bridge has written it, and it is replaced.
private func former<Value>(
  _ payload: [UInt8], _ read: (inout JSONMembers) throws(JSONMisfit) -> Value
) -> Value? {
  payload.count <= MQTTLimit.retainedBytes ? readMembers(of: payload, read) : nil
}
