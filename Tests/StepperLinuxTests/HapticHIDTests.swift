import StepperCore
import SystemPackage
import TestSupport
import Testing

@testable import StepperLinux

@Suite struct HapticOrdersTests {
  private let now = Instant(nanoseconds: 1_000_000)
  private let felt = DetentReports.Setting(countsPerTurn: 24, isFelt: true)
  private let silent = DetentReports.Setting(countsPerTurn: 24, isFelt: false)

  /// What is due, which has begun then.
  private func begin(_ orders: inout HapticOrders, at time: Instant? = nil) -> HapticOrders.Work? {
    let work = orders.next(at: time ?? now)
    if let work { orders.began(work) }
    return work
  }

  @Test func `only the latest detents are made, and none twice`() {
    var orders = HapticOrders()
    #expect(begin(&orders) == nil)
    orders.order(detents: felt)
    orders.order(detents: silent)
    #expect(begin(&orders) == .detents(silent))
    orders.order(detents: silent)
    #expect(begin(&orders) == nil)
  }

  @Test func `what is ordered while the former settings are restored comes after them`() {
    var orders = HapticOrders()
    orders.order(detents: felt)
    #expect(begin(&orders) == .detents(felt))
    orders.order(detents: nil)
    #expect(begin(&orders) == .detents(nil))
    orders.order(detents: felt)
    #expect(begin(&orders) == .detents(felt))
  }

  @Test func `a pulse comes first, unless it is late`() {
    var orders = HapticOrders()
    orders.order(detents: felt)
    orders.order(pulse: [1, 3], until: now)
    #expect(begin(&orders) == .pulse([1, 3]))
    orders.order(pulse: [1, 3], until: now)
    #expect(begin(&orders, at: now + .nanoseconds(1)) == .detents(felt))
    orders.order(pulse: [1, 2], until: nil)
    #expect(begin(&orders, at: now + .seconds(10)) == .pulse([1, 2]), "what ends a pulse is never too late")
    #expect(begin(&orders) == nil)
  }

  @Test func `after a failure no detents are due`() {
    var orders = HapticOrders()
    orders.order(detents: felt)
    #expect(begin(&orders) == .detents(felt))
    orders.order(detents: nil)
    orders.giveUpDetents()
    #expect(begin(&orders) == nil)
  }
}

@Suite(.timeLimit(.minutes(10))) struct HapticHIDTests {
  /// As in ``HapticReportTests``: five bytes with the trigger in the third one.
  private static let descriptor: [UInt8] = [
    0x85, 0x01, 0x05, 0x0E, 0x09, 0x01, 0xA1, 0x02, 0x75, 0x08, 0x95, 0x01, 0x15, 0x00, 0x25, 0x64, 0x09,
    0x24, 0x91, 0x02,
    0x15, 0x01, 0x25, 0x07, 0x09, 0x21, 0x91, 0x02, 0xC0,
  ]
  /// With the counts of a turn and the automatic trigger in a feature report.
  private static let knob =
    Array(descriptor.dropLast()) + [0x09, 0x20, 0xB1, 0x02, 0x05, 0x01, 0x09, 0x48, 0xB1, 0x02, 0xC0]

  private let folder: TemporaryFolder
  private var sysfs: FilePath { FilePath("\(folder.path)/sys") }
  private var nodes: FilePath { FilePath("\(folder.path)/dev") }

  init() throws { folder = try TemporaryFolder() }

  /// The event node `event7` of a HID device with `hidraw3`.
  private func makeDevice(_ descriptor: [UInt8]) throws {
    let hid = "\(folder.path)/sys/class/input/event7/device/device"
    try createDirectory(FilePath("\(hid)/hidraw/hidraw3"), permissions: .ownerReadWriteExecute)
    try createDirectory(nodes, permissions: .ownerReadWriteExecute)
    let path = FilePath("\(hid)/report_descriptor")
    removeFile(path)
    try createFile(path, descriptor, permissions: .ownerReadWrite)
  }

  private func device() throws -> HapticDevice? {
    try HapticDevice(besides: "/dev/input/event7", sysfs: sysfs, nodes: nodes)
  }

  private func nextEvent(of haptic: HapticHID) -> HapticHID.Event? {
    #expect(Deadline().waitForInput(on: haptic.rawDescriptor))
    return haptic.takeResult()
  }

  @Test func `a device without a haptic controller has none, and a node that is missing is told`() throws {
    try makeDevice([0x05, 0x01, 0xC0])
    #expect(try device() == nil)
    #expect(try HapticDevice(besides: "/dev/input/event8", sysfs: sysfs, nodes: nodes) == nil)
    try makeDevice(Self.descriptor)
    let haptic = try HapticHID(try #require(try device()))
    #expect(!haptic.isOpen)
    #expect(nextEvent(of: haptic) == .notOpened(.noSuchFileOrDirectory))
  }

  @Test func `pulses are written once it is open, and a failure of detents is told once`() throws {
    try makeDevice(Self.knob)
    try createFile(nodes.appending("hidraw3"), [], permissions: .ownerReadWrite)
    let haptic = try HapticHID(try #require(try device()))
    #expect(nextEvent(of: haptic) == .opened)
    let pattern = try #require(EffectPattern(.light))
    haptic.begin(.init(on: .seconds(60), off: .zero), of: pattern)
    #expect(nextEvent(of: haptic) == nil)
    // A file knows no feature reports.
    haptic.order(.init(countsPerTurn: 24, isFelt: true))
    #expect(nextEvent(of: haptic) == .detentsFailed(.inappropriateIOCTLForDevice))
    haptic.order(nil)
    #expect(!haptic.isBusy)
    haptic.end()
    haptic.finish(until: .now + .seconds(60))
    #expect(try SmallFile(nodes.appending("hidraw3")).read(limit: 100) == [1, 0, 3, 1, 0, 2])
  }
}
