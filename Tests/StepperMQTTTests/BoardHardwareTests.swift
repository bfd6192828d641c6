import TestSupport
import Testing
@testable import stepperd_mqtt

@Suite struct `The machine of a board` {
  /// A machine with these files, by their paths.
  private func hardware(_ files: [String: String]) throws -> BoardHardware {
    let root = try TemporaryFolder()
    for (path, content) in files { try root.writeBelow(content, to: path) }
    defer { withExtendedLifetime(root) {} }
    return BoardHardware(root: root.path)
  }

  @Test func `is that of the device tree`() throws {
    let found = try hardware([
      "sys/firmware/devicetree/base/model": "Raspberry Pi 4 Model B Rev 1.4\0",
      "sys/firmware/devicetree/base/serial-number": "10000000abcdef01\0",
      "sys/class/dmi/id/product_name": "Something else\n",
    ])
    #expect(found.model == "Raspberry Pi 4 Model B Rev 1.4")
    #expect(found.serial == "10000000abcdef01")
  }

  @Test func `is that of the DMI on a PC, without what is no name`() throws {
    let found = try hardware([
      "sys/class/dmi/id/sys_vendor": "QEMU\n", "sys/class/dmi/id/product_name": "Standard PC  (Q35)\n",
    ])
    #expect(found.model == "QEMU Standard PC (Q35)")
    #expect(found.serial == nil)
    #expect(
      try hardware([
        "sys/class/dmi/id/sys_vendor": "To Be Filled By O.E.M.\n", "sys/class/dmi/id/product_name": "NUC\n",
      ]).model == "NUC")
    #expect(try hardware(["sys/class/dmi/id/product_name": "Default string\n"]).model == nil)
  }

  @Test func `is not known without either`() throws {
    #expect(try hardware([:]) == hardware([:]))
    #expect(try hardware([:]).model == nil)
    #expect(try hardware(["sys/firmware/devicetree/base/model": "\0"]).model == nil)
  }
}
