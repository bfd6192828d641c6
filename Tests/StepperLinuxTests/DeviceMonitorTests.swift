import Glibc
import StepperCore
import TestSupport
import Testing

@testable import StepperLinux

/// The real libudev on a bed of devices.
@Suite(.enabled(if: MockBed.isAvailable, "needs umockdev, gir1.2-umockdev-1.0 and python3-gi"), .serialized)
struct DeviceMonitorTests {
  private let bed: MockBed

  init() throws { bed = try MockBed() }

  private static let powerMate =
    "'name=Griffin PowerMate' vendor=077d product=0410 phys=usb-1/input0 uniq=A1 property:ID_INPUT=1"
    + " link=/dev/input/by-id/usb-Griffin link=/dev/input/by-path/usb-1 REL_DIAL BTN_0"
  private static let identity =
    "present /dev/input/event7 name=[Griffin PowerMate] phys=[usb-1/input0] uniq=[A1] vendor=1917 product=1040"
    + " general=false links=[\"/dev/input/by-id/usb-Griffin\", \"/dev/input/by-path/usb-1\"] input=1"
    + " usages=BTN_0,REL_DIAL"

  @Test func `a device that is there at start is described without opening it`() throws {
    try bed("add event7 \(Self.powerMate)")
    try bed("deny event7")
    try bed.start("input-probe")
    #expect(try bed.line("present") == Self.identity)
    try bed.line("denied:")
  }

  @Test(arguments: ["udev", "kernel"])
  func `a device that comes later is described the same, and goes`(source: String) throws {
    try bed.start("input-probe", "--source", source)
    #expect(try bed.line("ready") == "ready \(source)")
    try bed("add event7 \(Self.powerMate)")
    #expect(try bed.line("present") == Self.identity)
    #expect(try bed.line("opened").contains("same=true"))
    try bed("remove event7")
    try bed.line("removed /dev/input/event7")
  }

  @Test func `udev may look at a device only after the start`() throws {
    try bed("add event7 REL_X REL_Y")
    try bed.start("input-probe")
    #expect(try bed.line("present").contains("general=false links=[] input=-"))
    try bed.line("ready")
    try bed("change event7 property:ID_INPUT=1 property:ID_INPUT_MOUSE=1")
    #expect(try bed.line("present").contains("general=true links=[] input=1"))
  }

  @Test func `two devices of one name are two devices`() throws {
    try bed("add event7 name=knob REL_DIAL")
    try bed("add event8 name=knob REL_DIAL")
    try bed.start("input-probe")
    try bed.line("ready")
    try bed("emit event8 REL_DIAL=8")
    #expect(try bed.line("frame") == "frame /dev/input/event8 REL_DIAL=8")
    try bed("remove event8")
    try bed.line("removed /dev/input/event8")
    try bed("emit event7 REL_DIAL=7")
    #expect(try bed.line("frame") == "frame /dev/input/event7 REL_DIAL=7")
  }

  @Test func `a device that goes and comes back at once is told of in order`() throws {
    try bed("add event7 name=first REL_DIAL")
    try bed.start("input-probe")
    try bed.line("ready")
    for round in 1...5 {
      try bed("remove event7")
      try bed("add event7 name=again-\(round) REL_DIAL")
    }
    // The name is read when the news are, and may be a later round's by then; the order is what counts.
    for _ in 1...5 {
      #expect(try bed.line("removed").hasSuffix("event7"))
      #expect(try bed.line("present").contains("event7"))
    }
    try bed.line("opened /dev/input/event7 [again-5]")
    try bed("emit event7 REL_DIAL=3")
    #expect(try bed.line("frame") == "frame /dev/input/event7 REL_DIAL=3")
  }

  @Test func `the program ends at SIGTERM`() throws {
    try bed.start("input-probe")
    try bed.line("ready")
    try bed("signal TERM")
    #expect(try bed.waitForExit() == -15)
  }
}

/// The real kernel's socket.
struct DeviceMonitorOverflowTests {
  /// Sends what looks like the kernel's own message to every monitor; false if that is not allowed.
  private static func flood(_ count: Int) -> Bool {
    let descriptor = socket(AF_NETLINK, CInt(SOCK_RAW.rawValue | SOCK_CLOEXEC.rawValue), 15)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    // struct sockaddr_nl: the family, padding, nobody in particular, the first group.
    var address: (UInt16, UInt16, UInt32, UInt32) = (UInt16(AF_NETLINK), 0, 0, 1)
    let message = Array("add@/devices/none/event999\0ACTION=add\0SUBSYSTEM=input\0".utf8)
    return unsafe withUnsafePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
        (0..<count).allSatisfy { _ in
          unsafe sendto(descriptor, message, message.count, 0, generic, 12) == message.count
        }
      }
    }
  }

  @Test(.enabled(if: flood(1), "needs the permission to send as the kernel does"))
  func `a buffer that overflows is told once, a part at a time, and the monitor goes on`() throws {
    let monitor = try DeviceMonitor(source: .kernel)
    #expect(Self.flood(4_000))
    var changes: [DeviceChange] = []
    for _ in 0..<4_000 where monitor.isReadable {
      let some = try monitor.receive()
      #expect(some.count <= 16)
      changes += some
    }
    #expect(changes.count { $0 == .overflowed } == 1)
    #expect(!monitor.isReadable)
    #expect(Self.flood(1) && monitor.isReadable)
    #expect(try monitor.receive().count <= 1)
  }
}

extension DeviceMonitor {
  fileprivate var isReadable: Bool {
    var wanted = pollfd(fd: rawDescriptor, events: Int16(POLLIN), revents: 0)
    return unsafe poll(&wanted, 1, 0) == 1
  }
}
