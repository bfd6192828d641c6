internal import ArgumentParser
internal import StepperConfiguration
internal import StepperLinux
internal import StepperMQTT
internal import StepperProgram
internal import SystemPackage

struct SignConfig: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "sign-config",
    abstract: "Sign a configuration for a board or a group, and print the message that is sent to it.")

  @Option(help: ArgumentHelp("The private Ed25519 key, in PEM format.", valueName: "file"))
  var key: String
  @Option(help: ArgumentHelp("The id of the board.", valueName: "id"))
  var board: String?
  @Option(help: ArgumentHelp("The group of the boards.", valueName: "group"))
  var group: String?
  @Option(help: ArgumentHelp("A number that is higher than that of the one before.", valueName: "number"))
  var version: Int64
  @Argument(help: "The file with [device], [profile] and [control].")
  var file: String

  func validate() throws {
    guard (board == nil) != (group == nil) else { throw ValidationError("give one of --board and --group") }
    guard let name = board ?? group, !name.isEmpty, name.utf8.allSatisfy(isBareKeyByte) else {
      throw ValidationError("--board and --group are of letters, digits, - and _, as in the configuration")
    }
    guard SignedConfiguration.versions.contains(version) else {
      throw ValidationError("--version is from 1 to \(SignedConfiguration.versions.upperBound)")
    }
  }

  func run() throws {
    guard let signing = SigningKey(pem: try read(key)) else {
      throw ExitFailure(
        .unavailable,
        "\(key) has no private Ed25519 key in PEM format without a password; make one in a new file with: openssl genpkey -algorithm ed25519 -out NEW.pem"
      )
    }
    // The byte order mark is removed, because boards write a line before the text.
    let bytes = Array(try read(file).withoutMark)
    let problems = IncludedConfiguration.problems(bytes, file: file)
    guard problems.isEmpty else { throw ExitFailure(.configuration, problems: problems.map(\.description)) }
    if bytes.allSatisfy({ [0x20, 0x09, 0x0a, 0x0d].contains($0) }) {
      StandardStream.error.write(
        line: "warning: \(file) is empty: boards that take it have none of the controls that were sent before"
      )
    }
    // The text was parsed as TOML, so it is valid UTF-8.
    let text = String(decoding: bytes, as: UTF8.self)
    var message = SignedConfiguration(to: board ?? "$group/\(group ?? "")", version: version, text: text)
    guard let signature = signing.signature(of: message.signedBytes) else {
      throw ExitFailure(.system, "there is no memory for the signature")
    }
    message.signature = base64(signature)
    let json = message.json
    guard json.count <= SignedConfiguration.mostBytes else {
      throw ExitFailure(
        .configuration,
        "the message has \(json.count) bytes; boards take at most \(SignedConfiguration.mostBytes)")
    }
    do throws(Errno) {
      // Written unchanged, because it is for boards: characters that are hidden from terminals belong to the message.
      try StandardStream.answer(json + [UInt8(ascii: "\n")])
    } catch {
      throw ExitFailure(.system, StandardStream.lost(error))
    }
  }

  private func read(_ path: String) throws -> [UInt8] {
    do throws(FileFailure) {
      if let content = try SmallFile(FilePath(path)).read(limit: 1 << 20) { return content }
    } catch {
      throw ExitFailure(.unavailable, "\(error)")
    }
    throw ExitFailure(.unavailable, "there is no file \(path)")
  }
}
