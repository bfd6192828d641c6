import StepperCore
internal import SystemPackage

/// Sets the level of a light.
struct LightDriver {
  /// The level of full brightness; 0 is off.
  var maximumLevel: Int
  /// The original level, if it is known.
  var originalLevel: Int?
  /// The level to restore if the original one is unknown.
  var defaultLevel = 0
  var write: (_ level: Int) throws(Errno) -> Void
}

/// A light that shows the brightness of a value, and flashes in between. Only changes are written.
final class Light: PulseOutput {
  let name: String
  let kind: OutputKind
  private let driver: LightDriver
  /// The level without flashes.
  private var steady: Int
  /// The level that was written or read last; nil if unknown.
  private var shown: Int?
  private var isFlashing = false

  init(_ name: String, _ kind: OutputKind, _ driver: LightDriver) {
    self.name = name
    self.kind = kind
    self.driver = driver
    steady = driver.originalLevel ?? driver.defaultLevel
    shown = driver.originalLevel
  }

  /// `brightness` is 0…1; a light that can only be on or off is on from one half. A flash in progress continues.
  func set(brightness: Double) throws(Errno) {
    let fraction = brightness.isNaN ? 0 : min(max(brightness, 0), 1)
    steady = Int((fraction * Double(driver.maximumLevel)).rounded())
    if !isFlashing { try show(steady) }
  }

  /// Restores the original brightness.
  func restore() throws(Errno) {
    isFlashing = false
    steady = driver.originalLevel ?? driver.defaultLevel
    if shown != nil { try show(steady) }
  }

  var endsByItself: Bool { false }

  /// A flash inverts the present brightness.
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
    try driver.write(level)
    shown = level
  }
}
