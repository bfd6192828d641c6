import StepperCore
internal import SystemPackage

/// What makes a light bright.
protocol LightDriver {
  /// 0 is off, this is as bright as it gets.
  var maximumLevel: Int { get }
  /// How bright it was at first, as far as that can be known.
  var levelFound: Int? { get }
  /// Where it is left if that is not known.
  var levelLeft: Int { get }
  func write(level: Int) throws(Errno)
}

/// A light with the brightness that it has for a value, and flashes in between. Writes only changes.
final class Lamp: PulseOutput {
  let name: String
  let kind: OutputKind
  private let driver: any LightDriver
  /// What it shows but for flashes.
  private var steady: Int
  /// What was written last, or found; nil if nobody knows.
  private var shown: Int?
  private var isFlashing = false

  init(_ name: String, _ kind: OutputKind, _ driver: any LightDriver) {
    self.name = name
    self.kind = kind
    self.driver = driver
    steady = driver.levelFound ?? driver.levelLeft
    shown = driver.levelFound
  }

  /// `brightness` is 0…1; a light that can only be on or off is on from one half. A flash is not disturbed.
  func set(brightness: Double) throws(Errno) {
    let fraction = brightness.isNaN ? 0 : min(max(brightness, 0), 1)
    steady = Int((fraction * Double(driver.maximumLevel)).rounded())
    if !isFlashing { try show(steady) }
  }

  /// Leaves it as it was found.
  func restore() throws(Errno) {
    isFlashing = false
    steady = driver.levelFound ?? driver.levelLeft
    if shown != nil { try show(steady) }
  }

  var endsByItself: Bool { false }

  /// A flash is the opposite of what it shows.
  func begin(_ pulse: EffectPattern.Pulse, of pattern: EffectPattern) throws(Errno) {
    isFlashing = true
    try show(steady * 2 > driver.maximumLevel ? 0 : driver.maximumLevel)
  }

  func end() throws(Errno) {
    guard isFlashing else { return }
    isFlashing = false
    try show(steady)
  }

  private func show(_ level: Int) throws(Errno) {
    guard level != shown else { return }
    try driver.write(level: level)
    shown = level
  }
}
