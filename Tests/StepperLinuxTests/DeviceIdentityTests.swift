import StepperCore
import Testing

@testable import StepperLinux

@Suite struct DeviceIdentityTests {
  @Test func `a bitmap of sysfs has its highest word first`() {
    #expect(bits(inWords: "") == [])
    #expect(bits(inWords: "0") == [])
    #expect(bits(inWords: "80") == [7])
    #expect(bits(inWords: "1 0") == [UInt16(UInt.bitWidth)])
    let width = UInt16(UInt.bitWidth)
    let highest = "8" + String(repeating: "0", count: UInt.bitWidth / 4 - 2) + "1"
    #expect(bits(inWords: "3 \(highest)") == [0, width - 1, width, width + 1])
  }

  @Test(arguments: [
    (["REL_DIAL", "BTN_0"], false), (["REL_X"], false), (["REL_X", "REL_Y"], false),
    (["KEY_VOLUMEUP", "KEY_VOLUMEDOWN"], false), (["ABS_X"], false), (["BTN_TOUCH"], false),
    (["REL_X", "REL_Y", "BTN_LEFT", "REL_WHEEL"], true), (["ABS_X", "ABS_Y", "BTN_TOUCH"], true),
    (["ABS_MT_POSITION_X", "BTN_TOOL_FINGER"], true), (letters, true), (Array(letters.dropLast()), false),
  ])
  func `without udev the capabilities tell what is general purpose`(names: [String], isGeneralPurpose: Bool) {
    var identity = DeviceIdentity(node: "/dev/input/event0")
    identity.usages = Set(names.compactMap(EvdevUsage.init(name:)))
    #expect(identity.usages.count == names.count)
    #expect(identity.isGeneralPurpose == isGeneralPurpose)
  }

  @Test(arguments: [
    ("/devices/virtual/input/input5/event5", true),
    ("/devices/virtual/misc/uhid/0005:045E:091B.0001/input/input5/event5", false),
    ("/devices/platform/pwm-vibrator/input/input5/event5", false),
  ])
  func `its place says whether a program makes it`(path: String, isMadeByProgram: Bool) {
    var identity = DeviceIdentity(node: "/dev/input/event5")
    #expect(!identity.isMadeByProgram)
    identity.properties = ["DEVPATH": path]
    #expect(identity.isMadeByProgram == isMadeByProgram)
  }

  @Test(arguments: [
    ("/devices/pci0000:00/0000:00:14.0/usb1/1-2/1-2:1.0/0003:05F3:0240.0001/input/input5/event5", true),
    ("/devices/pci0000:00/0000:00:14.0/usb1/1-2/1-2:1.0/input/input5/event5", false),
    ("/devices/virtual/misc/uhid/0003:045E:02FD.0001/input/input5/event5", false),
  ])
  func `its place says whether it is a HID device at USB`(path: String, isUSBHID: Bool) {
    var identity = DeviceIdentity(node: "/dev/input/event5")
    #expect(!identity.isUSBHID)
    identity.properties = ["DEVPATH": path]
    #expect(identity.isUSBHID == isUSBHID)
  }

  @Test(arguments: ["KEYBOARD", "MOUSE", "TOUCHPAD", "TOUCHSCREEN", "TABLET"])
  func `udev's word counts`(kind: String) {
    var identity = DeviceIdentity(node: "/dev/input/event0")
    identity.properties = ["ID_INPUT": "1", "ID_INPUT_\(kind)": "1"]
    #expect(identity.isGeneralPurpose)
    // udev has looked, and found a mere set of keys.
    identity.properties = ["ID_INPUT": "1", "ID_INPUT_KEY": "1", "ID_INPUT_\(kind)": "0"]
    identity.usages = Set(letters.compactMap(EvdevUsage.init(name:)))
    #expect(!identity.isGeneralPurpose)
  }
}

private let letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ".map { "KEY_\($0)" }
