internal import ArgumentParser
internal import StepperCore
internal import StepperLinux
internal import StepperMQTT
internal import StepperProgram
internal import SystemPackage

/// `stepperd-mqtt enrol`: makes a key and a certificate request, which an authority signs.
struct Enrol: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Make a key, and a request for a certificate with the board's id as name.",
    discussion: """
      It writes ID.key, which nobody else may read, and ID.csr, and replaces neither. The key stays on the board. Give the \
      request to the authority, which compares the fingerprint with that of "openssl req -in ID.csr -outform DER | sha256sum".
      """)

  @OptionGroup var common: CommonOptions
  @Option(help: ArgumentHelp("Write the files into this folder, which exists.", valueName: "folder"))
  var folder = "."

  func run() throws {
    let id = try common.id()
    let place = FilePath(folder)
    let (key, request) = (place.appending("\(id).key"), place.appending("\(id).csr"))
    guard let made = CertificateRequest(commonName: id) else {
      throw ExitFailure(
        .unavailable, "cannot make a key: libcrypto has no random numbers or no memory for it")
    }
    try create(key, made.key, .ownerReadWrite)
    do {
      try create(request, made.request, [.ownerReadWrite, .groupRead, .otherRead])
    } catch {
      // Nobody has the request for this key.
      removeFile(key)
      throw error
    }
    let digits = made.fingerprint.map { $0.digits(2, radix: 16) }.joined()
    try printAnswer([
      "id           \(id)", "key          \(key)", "request      \(request)", "fingerprint  SHA256:\(digits)",
    ])
  }

  private func create(_ path: FilePath, _ content: [UInt8], _ permissions: FilePermissions) throws {
    do throws(FileFailure) {
      try createFile(path, content, permissions: permissions)
    } catch {
      let remedy =
        switch error.errno {
        case .fileExists: "; it is never replaced: keep it, or move it away first"
        case .permissionDenied, .readOnlyFileSystem:
          "; run it as a user who may write there, or give another --folder"
        case .noSuchFileOrDirectory: "; make the folder first"
        case .noSpace: "; make room, and run it again: nothing was left of it"
        default: ""
        }
      throw ExitFailure(.unavailable, "\(error)\(remedy)")
    }
  }
}
