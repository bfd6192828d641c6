internal import Glibc
internal import StepperConfiguration
internal import StepperMosquitto
internal import StepperMQTT
internal import StepperSystem
internal import SystemPackage

/// The daemon's configuration file, of which `[mqtt]` is read.
struct ConfigurationSource {
  let path: String

  /// What was asked for, or the daemon's: that of the service manager, the user's, the system's.
  init(explicit: String?) {
    let name = "stepperd.toml"
    path =
      explicit ?? Self.folders.map { "\($0)/\(name)" }.first { unsafe access($0, F_OK) == 0 }
      ?? "/etc/stepperd/\(name)"
  }

  private static var folders: [String] {
    if let folder = environmentVariable("CONFIGURATION_DIRECTORY") {
      return folder.split(separator: ":").map(String.init)
    }
    guard geteuid() != 0 else { return ["/etc/stepperd"] }
    let home = environmentVariable("HOME").map { "\($0)/.config" }
    let user = environmentVariable("XDG_CONFIG_HOME").flatMap { $0.isEmpty ? nil : $0 } ?? home
    return [user.map { "\($0)/stepperd" }, "/etc/stepperd"].compactMap(\.self)
  }

  /// The settings, and warnings of them.
  func load() throws -> (settings: MQTTSettings, warnings: [ConfigurationProblem]) {
    let bytes: [UInt8]?
    do throws(FileFailure) {
      bytes = try SmallFile(FilePath(path)).read(limit: ConfigurationLimit.fileBytes)
    } catch {
      throw ProgramFailure(.configuration, "\(error)")
    }
    guard let bytes else {
      throw ProgramFailure(.configuration, "\(path): error: there is no such file; write [mqtt] into it")
    }
    let (settings, problems) = MQTTSettings.load(bytes, file: path)
    guard let settings else {
      guard !problems.contains(where: { $0.severity == .error }) else {
        throw ProgramFailure(.configuration, problems.map(\.description).joined(separator: "\n"))
      }
      throw ProgramFailure(
        .configuration, "\(path): error: there is no [mqtt]; write it with broker = \"mqtts://HOST\"")
    }
    return (settings, problems)
  }
}

/// What the program works with: the configuration with what it refers to.
struct Plan {
  var bridge: MQTTBridgeSettings
  var broker: BrokerSettings
  var match: [String]
  var warnings: [String] = []

  /// Reads the files that `settings` names. `suffix` is what the client's ID has behind that of the bridge.
  init(_ settings: MQTTSettings, suffix: String = "") throws {
    let id = try settings.id ?? BoardID.ofThisMachine()
    bridge = MQTTBridgeSettings(id: id, name: settings.name ?? "stepperd \(id)")
    bridge.prefix = settings.prefix
    bridge.discoveryPrefix = settings.discoveryPrefix
    bridge.hasDiscovery = settings.hasDiscovery
    bridge.groups = settings.groups
    bridge.hasTargets = settings.hasTargets
    bridge.stateInterval = .seconds(1) / settings.rate
    bridge.advisoryControls = settings.advisoryControls
    bridge.longPressControls = settings.longPressControls
    bridge.doublePressControls = settings.doublePressControls
    bridge.version = ProgramVersion.number
    match = settings.match
    broker = BrokerSettings(
      host: settings.broker.host, port: settings.broker.port, usesTLS: settings.broker.usesTLS,
      clientID: "stepperd-\(id)\(suffix)")
    broker.keepAlive = Int(settings.keepAlive.components.seconds)
    broker.user = settings.user
    let credentials = Credentials()
    if let file = settings.passwordFile ?? (settings.user == nil ? nil : credentials.path("mqtt-password")) {
      broker.password = try password(file)
    }
    guard settings.broker.usesTLS else { return }
    broker.authorityFile = settings.authorityFile ?? credentials.path("mqtt-ca")
    broker.certificateFile = settings.certificateFile ?? credentials.path("mqtt-certificate")
    broker.keyFile = settings.keyFile ?? credentials.path("mqtt-key")
    for (key, file) in [
      ("ca-file", broker.authorityFile), ("certificate-file", broker.certificateFile),
      ("key-file", broker.keyFile),
    ] { if let file { try check(file, key) } }
    if let file = broker.keyFile { warnIfOpen(file) }
  }

  private mutating func password(_ file: String) throws -> [UInt8] {
    guard let content = try read(file, "password-file") else {
      throw ProgramFailure(.configuration, "password-file: there is no file \(file)")
    }
    warnIfOpen(file)
    let password = Array(content.split(separator: UInt8(ascii: "\n"), maxSplits: 1).first ?? [])
    guard !password.isEmpty, !password.contains(0) else {
      throw ProgramFailure(.configuration, "password-file: \(file) has no password in its first line")
    }
    return password.last == UInt8(ascii: "\r") ? password.dropLast() : password
  }

  private func check(_ file: String, _ key: String) throws {
    guard let content = try read(file, key) else {
      throw ProgramFailure(.configuration, "\(key): there is no file \(file)")
    }
    guard String(decoding: content, as: UTF8.self).contains("-----BEGIN ") else {
      throw ProgramFailure(.configuration, "\(key): \(file) is no file in PEM format: it has no -----BEGIN")
    }
  }

  private func read(_ file: String, _ key: String) throws -> [UInt8]? {
    do throws(FileFailure) {
      return try SmallFile(FilePath(file)).read(limit: 1 << 20)
    } catch {
      let isForbidden = error.errno == .permissionDenied
      let hint = isForbidden ? "; give it to the service with LoadCredential=, see stepperd-mqtt(8)" : ""
      throw ProgramFailure(.configuration, "\(key): \(error)\(hint)")
    }
  }

  private mutating func warnIfOpen(_ file: String) {
    var status = stat()
    guard unsafe stat(file, &status) == 0, status.st_mode & 0o004 != 0 else { return }
    warnings.append("\(file) can be read by everybody on this machine; chmod 600 it")
  }
}

/// What the service manager passes by `LoadCredential=`.
private struct Credentials {
  func path(_ name: String) -> String? {
    guard let folder = environmentVariable("CREDENTIALS_DIRECTORY") else { return nil }
    let path = "\(folder)/\(name)"
    return unsafe access(path, F_OK) == 0 ? path : nil
  }
}

enum ProgramVersion {
  /// That of the package.
  static let number = "0.1.0"
}
