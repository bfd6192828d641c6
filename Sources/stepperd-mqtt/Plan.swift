internal import Glibc
internal import StepperConfiguration
internal import StepperCore
internal import StepperLinux
internal import StepperMQTT
internal import StepperProgram
internal import SystemPackage
internal import Varlink

/// The complete input of the program: the configuration and the files that it refers to.
struct Plan {
  var bridge: MQTTBridgeSettings
  var broker: BrokerSettings
  var match: [String]
  /// Whether the ID is derived from the machine ID, which copies of an image share.
  let isIDDerived: Bool
  var warnings: [String] = []
  /// How long a configuration that was sent may take to prove itself, and the file that it is put into.
  let configHealthTime: Duration
  let includedFile: String?
  /// When this client's certificate ends, and the file that has it; nil: it has none.
  private(set) var certificateEnd: (time: CertificateEnd, file: String)?
  /// The files that the configuration names, with hashes of their content.
  private(set) var files: [String: Int] = [:]

  /// Whether a connection made with `other` can be kept for this plan.
  func hasSameConnection(as other: Plan) -> Bool {
    bridge.hasSameTopics(as: other.bridge) && broker == other.broker && match == other.match
      && files == other.files && configHealthTime == other.configHealthTime
      && includedFile == other.includedFile
  }

  /// Reads the files that `settings` names. `suffix` is appended to the bridge's ID to make the client ID.
  init(_ settings: MQTTSettings, suffix: String = "") throws {
    isIDDerived = settings.id == nil
    let id = try settings.id ?? BoardID.ofThisMachine()
    bridge = MQTTBridgeSettings(id: id, name: settings.name ?? "stepperd \(id)")
    let hardware = BoardHardware()
    (bridge.model, bridge.serial) = (hardware.model, hardware.serial)
    bridge.webPage = settings.webPage
    bridge.prefix = settings.prefix
    bridge.discoveryPrefix = settings.discoveryPrefix
    bridge.hasDiscovery = settings.hasDiscovery
    bridge.groups = settings.groups
    bridge.hasTargets = settings.hasTargets
    bridge.stateInterval = .seconds(1) / settings.rate
    bridge.commandMaxAge = settings.commandMaxAge
    bridge.advisoryControls = settings.advisoryControls
    bridge.longPressControls = settings.longPressControls
    bridge.doublePressControls = settings.doublePressControls
    bridge.remotes = settings.remotes.map(RemoteSettings.init)
    bridge.version = Product.version
    bridge.homepage = Product.homepage
    match = settings.match
    configHealthTime = settings.configHealthTime
    includedFile = settings.includedFile
    broker = BrokerSettings(
      host: settings.broker.host, port: settings.broker.port, usesTLS: settings.broker.usesTLS,
      clientID: "stepperd-\(id)\(suffix)")
    broker.subscriptionQoS = settings.subscriptionQoS
    broker.keepAlive = Int(settings.keepAlive.components.seconds)
    broker.user = settings.user
    if let file = settings.passwordFile ?? (settings.user == nil ? nil : credentialFile("mqtt-password")) {
      broker.password = try password(file)
    }
    if let file = settings.configKeyFile { bridge.configurationKey = try configurationKey(file) }
    guard settings.broker.usesTLS else { return }
    broker.authorityFile = settings.authorityFile ?? credentialFile("mqtt-ca")
    broker.certificateFile = settings.certificateFile ?? credentialFile("mqtt-certificate")
    broker.keyFile = settings.keyFile ?? credentialFile("mqtt-key")
    for (key, file) in [
      ("ca-file", broker.authorityFile), ("certificate-file", broker.certificateFile),
      ("key-file", broker.keyFile),
    ] {
      guard let file else { continue }
      let content = try check(file, key)
      if key == "certificate-file" { certificateEnd = CertificateEnd(pem: content).map { ($0, file) } }
    }
    if let file = broker.keyFile { warnIfOpen(file) }
    if let problem = certificateProblem(at: realtimeSeconds(at: .now)) { warnings.append(problem) }
  }

  /// The message that this client's certificate ends soon or has ended; nil: it does not.
  func certificateProblem(at secondsSince1970: Int64) -> String? {
    guard let (time, file) = certificateEnd, time.isNear(at: secondsSince1970) else { return nil }
    let verb = secondsSince1970 < time.seconds ? "ends" : "has ended"
    return "the certificate in \(file) \(verb) on \(time); put a new one there, see guides/fleet.md"
  }

  private mutating func configurationKey(_ file: String) throws -> VerifyingKey {
    let key = "config-key-file"
    guard let verifying = VerifyingKey(pem: try read(file, key)) else {
      throw ExitFailure(
        .configuration,
        "\(key): \(file) has no public Ed25519 key in PEM format; make one with: openssl pkey -in KEY -pubout"
      )
    }
    return verifying
  }

  private mutating func password(_ file: String) throws -> [UInt8] {
    let content = try read(file, "password-file")
    warnIfOpen(file)
    let password = Array(content.split(separator: UInt8(ascii: "\n"), maxSplits: 1).first ?? [])
    guard !password.isEmpty, !password.contains(0) else {
      throw ExitFailure(.configuration, "password-file: \(file) has no password in its first line")
    }
    return password.last == UInt8(ascii: "\r") ? password.dropLast() : password
  }

  private mutating func check(_ file: String, _ key: String) throws -> [UInt8] {
    let content = try read(file, key)
    guard OutsideText.shown(content).contains("-----BEGIN ") else {
      throw ExitFailure(.configuration, "\(key): \(file) is not a file in PEM format: it has no -----BEGIN")
    }
    return content
  }

  private mutating func read(_ file: String, _ key: String) throws -> [UInt8] {
    do throws(FileFailure) {
      if let content = try SmallFile(FilePath(file)).read(limit: 1 << 20) {
        files[file] = content.hashValue
        return content
      }
    } catch {
      let isForbidden = error.errno == .permissionDenied
      let hint = isForbidden ? "; give it to the service with LoadCredential=, see stepperd-mqtt(8)" : ""
      throw ExitFailure(.configuration, "\(key): \(error)\(hint)")
    }
    throw ExitFailure(.configuration, "\(key): there is no file \(file)")
  }

  private mutating func warnIfOpen(_ file: String) {
    guard let status = stat(at: file), status.st_mode & 0o004 != 0 else { return }
    warnings.append("\(file) can be read by every user of this machine; change its mode with chmod 600")
  }
}

extension RemoteSettings {
  fileprivate init(_ remote: MQTTRemote) {
    let actions: RemoteActions =
      switch remote.kind {
      case .ikea: .ikea
      case .tuya: .tuya
      case .hue: .hue
      }
    self.init(name: remote.name, topic: remote.topic, actions, holdLimit: remote.holdLimit)
  }
}
