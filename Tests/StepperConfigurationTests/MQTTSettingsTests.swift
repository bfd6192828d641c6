import StepperCore
import Testing
@testable import StepperConfiguration

@Suite struct `The settings of the bridge to MQTT` {
  private func load(_ text: String) -> (settings: MQTTSettings?, problems: [String]) {
    let (settings, problems) = MQTTSettings.load(Array(text.utf8), file: "s.toml")
    return (settings, problems.map(\.description))
  }

  private func broker(_ text: String) -> BrokerAddress? {
    load("[mqtt]\nbroker = \"\(text)\"").settings?.broker
  }

  @Test func `are none without their table`() {
    #expect(load("[control.volume]\nmaximum = 10").settings == nil)
    #expect(load("[control.volume]\nmaximum = 10").problems == [])
  }

  @Test func `are read from all keys`() {
    let (settings, problems) = load(
      """
      [mqtt]
      broker = "mqtts://broker.example:8884"
      id = "Kiosk-7_a"
      name = "Küche"
      web-page = "https://kiosk-7.example:8383/a?b=c#d"
      user = "kiosk"
      password-file = "/p"
      ca-file = "/ca"
      certificate-file = "/c"
      key-file = "/k"
      discovery = true
      discovery-prefix = "ha/x"
      prefix = "site/stepperd"
      groups = ["lobby", "all"]
      match = "vol*"
      rate = 5
      targets = true
      subscription-qos = 0
      keep-alive = "20s"
      """)
    #expect(problems == [])
    #expect(settings?.broker == BrokerAddress(host: "broker.example", port: 8884, usesTLS: true))
    #expect(settings?.id == "Kiosk-7_a")
    #expect(settings?.name == "Küche")
    #expect(settings?.webPage == "https://kiosk-7.example:8383/a?b=c#d")
    #expect(settings?.user == "kiosk")
    #expect(settings?.passwordFile == "/p")
    #expect(settings?.authorityFile == "/ca")
    #expect(settings?.certificateFile == "/c")
    #expect(settings?.keyFile == "/k")
    #expect(settings?.discoveryPrefix == "ha/x")
    #expect(settings?.prefix == "site/stepperd")
    #expect(settings?.groups == ["lobby", "all"])
    #expect(settings?.match == ["vol*"])
    #expect(settings?.rate == 5)
    #expect(settings?.hasTargets == true)
    #expect(settings?.subscriptionQoS == 0)
    #expect(settings?.keepAlive == .seconds(20))
  }

  @Test(arguments: [
    "", "kiosk", "ftp://kiosk/", "http://", "http:///x", "http://:80/", "http://a:b@kiosk/",
    "http://kiosk/a b", "http://küche/",
    "javascript:alert(1)", "http://kiosk/<x>", "http://[::1", "http://[a:b]/", "http://[kiosk]/",
    "http://kiosk:99999/", "http://kiosk:abc/", "http://kiosk:/",
  ])
  func `are refused with a web page such as`(_ address: String) {
    let (settings, problems) = load("[mqtt]\nbroker = \"mqtts://b\"\nweb-page = \"\(address)\"")
    #expect(settings == nil)
    #expect(problems.count == 1)
    #expect(problems.first?.hasPrefix("s.toml:3:12: error: mqtt.web-page: ") == true, "\(problems)")
  }

  @Test func `have the usual ports, and addresses in brackets`() {
    #expect(broker("mqtt://b") == BrokerAddress(host: "b", port: 1883, usesTLS: false))
    #expect(broker("mqtts://b.example") == BrokerAddress(host: "b.example", port: 8883, usesTLS: true))
    #expect(broker("mqtt://[::1]") == BrokerAddress(host: "::1", port: 1883, usesTLS: false))
    #expect(broker("mqtt://[fe80::1]:99") == BrokerAddress(host: "fe80::1", port: 99, usesTLS: false))
    #expect(broker("mqtt://127.0.0.1:1")?.isRemote == false)
    #expect(broker("mqtt://192.168.1.5")?.isRemote == true)
  }

  @Test(arguments: [
    "", "broker.example", "mqtt:", "mqtt://", "mqtt://b:0", "mqtt://b:65536", "mqtt://b:x", "mqtt://b:+1",
    "mqtt://b/path",
    "mqtt://user:secret@b", "mqtt://::1", "mqtt://[::1", "http://b", "mqtt://a b", "mqtt://-b", "tcp://b",
  ])
  func `are refused with a broker such as`(_ address: String) {
    let (settings, problems) = load("[mqtt]\nbroker = \"\(address)\"")
    #expect(settings == nil)
    #expect(problems.count == 1)
    #expect(problems.first?.hasPrefix("s.toml:2:10: error: mqtt.broker: ") == true, "\(problems)")
    // A password in the address is not repeated in logs.
    #expect(problems.first?.contains("secret") == false)
  }

  @Test(arguments: [
    ("id = \"a b\"", "mqtt.id: must be an id such as"), ("id = \"a/b\"", "mqtt.id: "),
    ("id = \"\"", "mqtt.id: must not be empty"), ("prefix = \"a//b\"", "mqtt.prefix: must be levels"),
    ("prefix = \"#\"", "mqtt.prefix: "), ("groups = [\"+\"]", "mqtt.groups[0]: "),
    ("rate = 0", "mqtt.rate: "), ("keep-alive = \"4s\"", "mqtt.keep-alive: "),
    ("keep-alive = 60", "mqtt.keep-alive: "),
    ("rate = \"20\"", "mqtt.rate: "), ("targets = 1", "mqtt.targets: "), ("user = 3", "mqtt.user: "),
    ("subscription-qos = 2", "mqtt.subscription-qos: "),
    ("password-file = \"/p\"", "mqtt.password-file: needs user"),
    ("certificate-file = \"/c\"", "mqtt.certificate-file: needs key-file"),
    ("key-file = \"/k\"", "mqtt.key-file: needs certificate-file"),
    ("ca-file = \"ca\"", "mqtt.ca-file: must be an absolute"),
    ("brokers = 1", "mqtt.brokers: unknown key"),
  ])
  func `are refused`(_ line: String, _ message: String) {
    let (settings, problems) = load("[mqtt]\nbroker = \"mqtts://b\"\n\(line)")
    #expect(settings == nil)
    #expect(
      problems.contains { $0.hasPrefix("s.toml:3:") && $0.contains("error: \(message)") }, "\(problems)")
  }

  @Test func `need a broker, and suggest what was meant`() {
    #expect(load("[mqtt]").problems.count == 1)
    #expect(load("[mqtt]").problems[0].contains("needs broker"))
    #expect(
      load("[mqtt]\nbrocker = \"mqtt://b\"").problems.contains { $0.contains("did you mean \"broker\"?") })
    #expect(
      load("[mqtt]\nbroker = \"mqt://b\"").problems == [
        "s.toml:2:10: error: mqtt.broker: must begin with mqtt:// or mqtts://, found \"mqt://b\" (did you mean \"mqtt://b\"?)"
      ])
  }

  @Test func `say what goes with TLS only, and what others can read`() {
    let plain = load("[mqtt]\nbroker = \"mqtt://b\"\nca-file = \"/ca\"\nuser = \"u\"\npassword-file = \"/p\"")
    #expect(plain.settings == nil)
    #expect(plain.problems.contains { $0.contains("error: mqtt.ca-file: requires TLS") })
    #expect(
      plain.problems.contains { $0.contains("warning: mqtt.password-file: the password is sent unencrypted") }
    )
    let local = load("[mqtt]\nbroker = \"mqtt://localhost\"\nuser = \"u\"\npassword-file = \"/p\"")
    #expect(local.problems == [])
    #expect(local.settings != nil)
  }

  @Test func `know the controls with advisory bounds`() {
    let (settings, _) = load(
      """
      [mqtt]
      broker = "mqtt://b"
      [profile.loose]
      bounds = "advisory"
      [control.a]
      bounds = "advisory"
      [control.b]
      profile = "loose"
      [control.c]
      profile = "loose"
      bounds = "enforced"
      [control.d]
      """)
    #expect(settings?.advisoryControls == ["a", "b"])
  }

  @Test func `know the presses that are told`() {
    let (settings, _) = load(
      """
      [mqtt]
      broker = "mqtt://b"
      [control.a]
      kind = "button"
      push = { input = "panel:push", delay = "1s" }
      [control.b]
      kind = "button"
      push = { input = "panel:push", multi-press = "1s" }
      [control.c]
      kind = "button"
      push = "panel:push"
      on-double-press = ["true"]
      [control.d]
      kind = "button"
      push = { input = "panel:push" }
      """)
    #expect(settings?.longPressControls == ["a"])
    #expect(settings?.doublePressControls == ["b", "c"])
  }

  @Test func `are checked by the daemon's reader`() {
    let text = "[control.volume]\nmaximum = 10\n[mqtt]\nbroker = \"b\"\n"
    let (configuration, problems) = Configuration.load(
      Array(text.utf8), file: "s.toml")
    #expect(configuration == nil)
    #expect(problems.count == 1)
    #expect(problems.first?.keyPath == "mqtt.broker")
  }
}
