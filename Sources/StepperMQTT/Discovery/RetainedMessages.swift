import StepperCore
import Varlink

/// An announcement that the broker has kept from a former life of the bridge.
struct RetainedDiscovery {
  let fingerprint: Fingerprint
  /// Its components by their keys, if it is one of ours.
  let components: [(key: String, identity: ComponentIdentity)]

  private struct Payload: JSONReadable {
    struct Component: JSONReadable {
      let platform: String?
      let uniqueID: String?

      init(json value: JSONValue) throws(JSONMisfit) {
        var members = try JSONMembers(value)
        platform = try members.optional("p")
        uniqueID = try members.optional("uniq_id")
      }
    }
    let components: [String: Component]?

    init(json value: JSONValue) throws(JSONMisfit) {
      var members = try JSONMembers(value)
      components = try members.optional("cmps")
    }
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
    components = (read.components ?? [:]).compactMap { key, component in
      guard let platform = component.platform, platforms.contains(platform), key.utf8.count <= 128 else {
        return nil
      }
      return (key, ComponentIdentity(platform: platform, uniqueID: component.uniqueID))
    }.sorted { $0.key < $1.key }.prefix(MQTTLimit.formerComponents).map { $0 }
  }
}

/// An `info` that the broker has retained.
struct RetainedInfo {
  /// The mark of the bridge that has published it.
  let bridge: String?
  /// The topic of the announcement to Home Assistant.
  let discovery: String?
  let controls: [String]

  private struct Payload: JSONReadable {
    let bridge: String?
    let discovery: String?
    let controls: [String]?

    init(json value: JSONValue) throws(JSONMisfit) {
      var members = try JSONMembers(value)
      bridge = try members.optional("bridge")
      discovery = try members.optional("discovery")
      controls = try members.optional("controls")
    }
  }

  init(_ payload: [UInt8]) {
    let read: Payload? = decoded(payload)
    (bridge, discovery) = (read?.bridge, read?.discovery)
    // No other topics are ever cleared.
    let names = (read?.controls ?? []).filter { Topics.isControl($0) && !Topics.reserved.contains($0) }
    controls = Array(names.prefix(MQTTLimit.formerControls))
  }
}

/// The content of a message of an earlier run; nil: it is not of a bridge.
private func decoded<Payload: JSONReadable>(_ payload: [UInt8]) -> Payload? {
  guard payload.count <= MQTTLimit.retainedBytes else { return nil }
  // What is not understood is replaced.
  return try? VarlinkParameters(json: payload).decode(Payload.self)
}
