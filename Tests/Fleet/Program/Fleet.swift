internal import ArgumentParser
internal import StepperLinux
internal import StepperMQTT

/// Boards and a dashboard for the simulation of a fleet; Tests/Fleet/run.py starts it.
@main
struct Fleet: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "fleet", abstract: "Simulate boards at a broker, steered by lines on the standard input.",
    subcommands: [Kiosks.self, Watch.self])
}

/// `HOST:PORT`, the host in numbers.
struct BrokerAddress: ExpressibleByArgument {
  let host: String
  let port: Int

  init?(argument: String) {
    let parts = argument.split(separator: ":")
    guard parts.count == 2, let port = Int(parts[1]) else { return nil }
    (host, self.port) = (String(parts[0]), port)
  }
}

/// Of a broker with TLS.
struct Certificates: ParsableArguments {
  @Option(help: "The authority of the broker's certificate; with it connections are encrypted.")
  var authority: String?
  @Option(help: "The certificate of every client.") var certificate: String?
  @Option(help: "Its key.") var key: String?

  func settings(of broker: BrokerAddress, clientID: String) -> BrokerSettings {
    var settings = BrokerSettings(
      host: broker.host, port: broker.port, usesTLS: authority != nil, clientID: clientID)
    (settings.authorityFile, settings.certificateFile, settings.keyFile) = (authority, certificate, key)
    return settings
  }
}

struct Kiosks: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract:
      "Commands: start MILLISECONDS, turn GESTURES-A-SECOND SECONDS, counters, values FILE, stop, end.")

  @Option(help: "The number of the first board.") var first = 0
  @Option(help: "How many there are.") var count: Int
  @Option(help: "A broker's address; with several a board tries the next one when it lost one.")
  var broker: [BrokerAddress]
  @Option(help: "The local address.") var source = "127.0.0.1"
  @Option(help: "Seconds.") var keepAlive = 60
  @Option(help: "The quality of service of subscriptions, 0 or 1.") var qos = 1
  @OptionGroup var certificates: Certificates

  func run() throws {
    StandardStream.prepare()
    try KioskFleet(
      names: first..<first + count, brokers: broker, certificates: certificates, source: source,
      keepAlive: keepAlive, qos: qos
    ).run()
  }
}

struct Watch: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract:
      "Commands: subscribe, publish TOPIC PAYLOAD, group GROUP CONTROL VALUE BOARDS SECONDS, counters, dump FILE, end."
  )

  @Option(help: "The broker's address.") var broker: BrokerAddress
  @Option(help: "The local address.") var source = "127.0.0.1"
  @OptionGroup var certificates: Certificates

  func run() throws {
    StandardStream.prepare()
    try Dashboard(broker: broker, certificates: certificates, source: source).run()
  }
}
