import FoundationEssentials
import StepperConfiguration
import StepperCore
import StepperLinux
import StepperText
import TestSupport
import Testing

@testable import StepperDaemon

/// What the kernel does for its devices is done for those of programs.
@MainActor @Suite struct ProvidedDeviceTests {
  private static func at(_ milliseconds: Int64) -> Instant { Instant(nanoseconds: milliseconds * 1_000_000) }

  private static func device(fuzz: Int32 = 0, value: Int32? = nil) -> ProvidedDevice {
    var declaration = ProvidedDevice.Declaration()
    declaration.usages = ["BTN_0": .button0, "REL_DIAL": .dial, "ABS_VOLUME": .absoluteVolume]
    let code = EvdevUsage.absoluteVolume.code
    declaration.axes[code] = AbsoluteAxisInfo(minimum: 0, maximum: 1_000, value: value ?? 0, fuzz: fuzz)
    if value != nil { declaration.placed = [code] }
    return ProvidedDevice(declaration, of: nil)
  }

  private static func passed(_ events: [(EvdevUsage, Int32)], by device: ProvidedDevice) -> [Int32] {
    device.pass(EvdevEvents(events.map { EvdevEvent($0.0, $0.1) }), at: at(0)).map(\.value)
  }

  @Test func `a key changes once, and repeats only while it is down`() {
    let device = Self.device()
    #expect(Self.passed([(.button0, 0), (.button0, 2)], by: device) == [])
    #expect(Self.passed([(.button0, 1), (.button0, 1), (.button0, 2)], by: device) == [1, 2])
    #expect(device.keysDown == [.button0])
    #expect(Self.passed([(.button0, 0), (.button0, 0)], by: device) == [0])
    #expect(Self.passed([(.dial, 0), (.dial, -3)], by: device) == [-3])
  }

  @Test func `the first position counts, and later ones if they are others`() {
    let device = Self.device()
    #expect(Self.passed([(.absoluteVolume, 0), (.absoluteVolume, 0)], by: device) == [0])
    #expect(Self.passed([(.absoluteVolume, 5), (.absoluteVolume, 5)], by: device) == [5])
    #expect(Self.passed([(.absoluteVolume, 500)], by: Self.device(value: 500)) == [])
  }

  /// `input_defuzz_abs_event` of the kernel, with a fuzz of 8 around 100.
  @Test(
    arguments: [
      (103, nil), (97, nil), (104, 101), (107, 101), (108, 104), (115, 107), (116, 116), (84, 84), (92, 96),
    ] as [(Int32, Int32?)])
  func `noise is filtered as by the kernel`(_ report: Int32, _ expected: Int32?) {
    let device = Self.device(fuzz: 8, value: 100)
    #expect(Self.passed([(.absoluteVolume, report)], by: device) == [expected].compactMap(\.self))
  }

  @Test func `times do not run backwards or ahead`() {
    let device = Self.device()
    #expect(device.time(nil, notAfter: Self.at(5)) == Self.at(5))
    #expect(device.time(Self.at(3), notAfter: Self.at(9)) == Self.at(5))
    #expect(device.time(Self.at(7), notAfter: Self.at(9)) == Self.at(7))
    #expect(device.time(Self.at(70), notAfter: Self.at(9)) == Self.at(9))
    #expect(device.time(Instant(nanoseconds: .min), notAfter: Self.at(9)) == Self.at(9))
  }

  @Test func `a loss ends with what is different from before it`() {
    let device = Self.device(value: 10)
    device.beginLoss()
    _ = Self.passed([(.button0, 1), (.absoluteVolume, 70)], by: device)
    let events = device.endLoss()
    #expect(events.map(\.usage) == [.button0, .absoluteVolume] && events.map(\.value) == [1, 70])
    device.beginLoss()
    _ = Self.passed([(.button0, 0), (.button0, 1)], by: device)
    #expect(device.endLoss().map(\.usage) == [.absoluteVolume])
    #expect(device.endLoss().isEmpty)
    let lost = device.resynchronize(
      keysDown: [], positions: [EvdevEvent(.absoluteVolume, 70), EvdevEvent(.absoluteVolume, 71)])
    #expect(lost.map(\.value) == [0, 71])
  }

  @Test func `a first position is told, also that of the lower end`() {
    let device = Self.device(value: nil)
    let lower = EvdevEvent(.absoluteVolume, 0)
    #expect(device.resynchronize(keysDown: [], positions: [lower]).map(\.value) == [0])
    #expect(device.resynchronize(keysDown: [], positions: [lower]).isEmpty)
  }

  // MARK: Equality

  /// Everything that the kernel has reported in a recording, given to the engine as it is and through a provided device.
  @Test(arguments: try recordings())
  func `a recording has the same effects through a program, bit by bit`(_ name: String) throws {
    let recording = try Recording.read(
      Array(try Self.text("\(name).recording").utf8), file: name, codes: .kernel)
    let (loaded, problems) = Configuration.load(
      Array(try Self.text("\(name).toml").utf8), file: name, codes: .kernel)
    let configuration = try #require(loaded, "\(problems)").engine
    var engines = [Engine(configuration, at: Self.at(0)), Engine(configuration, at: Self.at(0))]
    var devices: [Int: ProvidedDevice] = [:]
    var count = 0

    func apply(_ input: Input, _ provided: Input, at time: Instant) {
      let effects = engines[0].advance(to: time, applying: input)
      #expect(engines[1].advance(to: time, applying: provided) == effects, "at \(time)")
      count += effects.count
    }
    func add(_ place: Int, at time: Instant) throws {
      let recorded = recording.devices[place]
      let table = try #require(configuration.devices.first?.name)
      var declaration = ProvidedDevice.Declaration()
      for usage in recorded.identity.usages { declaration.usages[usage.name] = usage }
      for axis in recorded.axes {
        declaration.axes[axis.usage.code] = AbsoluteAxisInfo(
          minimum: axis.range.lowerBound, maximum: axis.range.upperBound, value: axis.position)
        declaration.placed.insert(axis.usage.code)
      }
      let device = ProvidedDevice(declaration, of: nil)
      devices[place] = device
      apply(
        .deviceAdded(DeviceNumber(place), recorded.capabilities(settingsName: table)),
        .deviceAdded(DeviceNumber(place), device.capabilities(settingsName: table)), at: time)
    }

    for place in recording.devices.indices where recording.devices[place].isPresentAtStart {
      try add(place, at: Self.at(0))
    }
    for entry in recording.entries {
      switch entry.event {
      case .frame(let place, let events):
        let device = try #require(devices[place])
        let time = device.time(entry.time, notAfter: entry.time)
        #expect(time == entry.time)
        apply(
          .frame(DeviceNumber(place), events),
          .frame(DeviceNumber(place), device.pass(events, at: time)), at: time)
      case .resynchronized(let place, let events, let keysDown):
        let device = try #require(devices[place])
        let state = device.resynchronize(
          keysDown: keysDown, positions: events.filter(\.usage.isAbsolute))
        apply(
          .resynchronized(DeviceNumber(place), events, keysDown: keysDown),
          .resynchronized(DeviceNumber(place), state, keysDown: device.keysDown), at: entry.time)
      case .added(let place): try add(place, at: entry.time)
      case .removed(let place):
        devices[place] = nil
        apply(.deviceRemoved(DeviceNumber(place)), .deviceRemoved(DeviceNumber(place)), at: entry.time)
      case .lost, .end: break
      }
    }
    #expect(count > 0)
  }

  nonisolated private static let folder = "Tests/StepperRecordingTests/Recordings"

  nonisolated private static func recordings() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: TemporaryFolder.path(ofSource: folder))
      .filter { $0.hasSuffix(".recording") }.map { String($0.dropLast(".recording".count)) }.sorted()
  }

  nonisolated private static func text(_ file: String) throws -> String {
    try TemporaryFolder.contents(ofSource: "\(folder)/\(file)")
  }
}
