internal import StepperCore
internal import StepperLinux
internal import StepperMQTT
internal import StepperProgram
internal import SystemPackage
internal import Varlink

/// The default ID of a board, for which no ID is configured.
///
/// It is derived as by sd_id128_get_machine_app_specific(3): the HMAC-SHA-256 of an ID of this application, keyed by the machine ID.
/// Neither the machine ID nor IDs that other applications derive from it can be computed from the result.
enum BoardID {
  /// The ID of this application. It never changes, because boards are known by IDs derived from it.
  static let application: [UInt8] = [
    0x4c, 0x8f, 0x1d, 0x57, 0x9a, 0x32, 0x4e, 0x61, 0xb0, 0x9e, 0x73, 0x2a, 0x5d, 0x14, 0xc6, 0x08,
  ]

  /// The file of machine-id(5).
  static let machineFile = "/etc/machine-id"

  /// The first 64 bits as hexadecimal digits; nil: `machine` is not a machine ID.
  static func derived(from machine: [UInt8]) -> String? {
    applicationID(of: machine).map { id in id.prefix(8).map { $0.digits(2, radix: 16) }.joined() }
  }

  /// The complete ID of 16 bytes.
  static func applicationID(of machine: [UInt8]) -> [UInt8]? {
    let digits = Array(machine.split(separator: UInt8(ascii: "\n")).first ?? [])
    guard digits.count == 32 else { return nil }
    var key: [UInt8] = []
    for index in stride(from: 0, to: 32, by: 2) {
      guard let byte = UInt8(OutsideText.shown(digits[index...(index + 1)]), radix: 16) else {
        return nil
      }
      key.append(byte)
    }
    guard key.contains(where: { $0 != 0 }), let code = authenticationCode(of: application, key: key) else {
      return nil
    }
    var id = Array(code.prefix(16))
    // Marks the ID as a UUID of version 4 and the variant of RFC 4122.
    id[6] = id[6] & 0x0f | 0x40
    id[8] = id[8] & 0x3f | 0x80
    return id
  }

  /// The ID of this machine. Throws if it has none.
  static func ofThisMachine() throws -> String {
    let content: [UInt8]?
    do throws(FileFailure) {
      content = try SmallFile(FilePath(machineFile)).read(limit: 1_024)
    } catch {
      throw ExitFailure(.unavailable, "\(error); set id in [mqtt]")
    }
    guard let content, let id = derived(from: content) else {
      throw ExitFailure(
        .unavailable, "\(machineFile) has no machine ID; run systemd-machine-id-setup, or set id in [mqtt]")
    }
    return id
  }
}
