internal import CLinux
internal import StepperCore
internal import SystemPackage

/// An effect in the memory of a device. Strengths are 0…1.
enum ForceEffect: Hashable {
  case rumble(strong: Double, weak: Double, milliseconds: UInt16)
  case periodic(waveform: UInt16, magnitude: Double, milliseconds: UInt16)
  case constant(level: Double, milliseconds: UInt16)
}

/// The effects of this program in the memory of a device, each uploaded once.
///
/// `EVIOCSFF` and `EVIOCRMFF` return when the driver has finished: immediately for most, after a bus transfer for
/// others, and after at most 30 s for a device made with uinput whose program does not respond
/// (`uinput_request_submit`). The kernel erases the remaining effects when the descriptor is closed.
final class ForceMemory {
  let device: EvdevDevice
  /// The factor of all strengths, 0…1.
  private(set) var gain = 1.0
  /// The uploaded effects, least recently used first.
  private var uploads: [(effect: ForceEffect, identifier: CInt)] = []
  private var hasSetGain = false

  /// The period of a wave in milliseconds: 100 Hz. The shortest pulse holds nearly one wave.
  private static var period: UInt16 { 10 }

  init(_ device: EvdevDevice) { self.device = device }

  /// The identifier of `effect`, which is uploaded first if necessary. If the device's memory is full, the least
  /// recently used effect is erased.
  func identifier(of effect: ForceEffect) throws(Errno) -> CInt {
    if let index = uploads.firstIndex(where: { $0.effect == effect }) {
      let upload = uploads.remove(at: index)
      uploads.append(upload)
      return upload.identifier
    }
    while true {
      do throws(Errno) {
        let identifier = try upload(effect)
        uploads.append((effect, identifier))
        return identifier
      } catch .noSpace where !uploads.isEmpty {
        try erase(uploads.removeFirst().identifier)
      }
    }
  }

  /// Sets `FF_GAIN`; on a device without it, the effects are uploaded again with the new strength.
  func setGain(_ gain: Double) throws(Errno) {
    guard gain != self.gain else { return }
    self.gain = gain
    if device.has(.force(FF_GAIN)) {
      hasSetGain = true
      try device.write(EvdevEvent(.force(FF_GAIN), Int32(gain * 0xFFFF)))
    } else {
      try eraseAll()
    }
  }

  /// Erases all effects, and restores the drivers' initial gain.
  func close() throws(Errno) {
    try eraseAll()
    guard hasSetGain else { return }
    hasSetGain = false
    try device.write(EvdevEvent(.force(FF_GAIN), 0xFFFF))
  }

  /// Erases all effects. Effects that cannot be erased are forgotten: the kernel erases them when the descriptor is
  /// closed.
  private func eraseAll() throws(Errno) {
    defer { uploads = [] }
    for upload in uploads { try erase(upload.identifier) }
  }

  private func erase(_ identifier: CInt) throws(Errno) {
    try Errno.check(status: cevdev_erase(device.rawDescriptor, identifier))
  }

  private func upload(_ effect: ForceEffect) throws(Errno) -> CInt {
    let scale = device.has(.force(FF_GAIN)) ? 1 : gain
    let descriptor = device.rawDescriptor
    let status =
      switch effect {
      case .rumble(let strong, let weak, let milliseconds):
        cevdev_upload_rumble(
          descriptor, UInt16(strong * scale * 0xFFFF), UInt16(weak * scale * 0xFFFF), milliseconds)
      case .periodic(let waveform, let magnitude, let milliseconds):
        cevdev_upload_periodic(
          descriptor, waveform, Self.period, Int16(magnitude * scale * 0x7FFF), milliseconds)
      case .constant(let level, let milliseconds):
        cevdev_upload_constant(descriptor, Int16(level * scale * 0x7FFF), milliseconds)
      }
    return try Errno.check(status: status)
  }
}
