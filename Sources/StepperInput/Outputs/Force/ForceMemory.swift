internal import CEvdev
internal import StepperCore
internal import SystemPackage

/// An effect as it lies in a device. Strengths are 0…1.
enum ForceEffect: Hashable {
  case rumble(strong: Double, weak: Double, milliseconds: UInt16)
  case periodic(waveform: UInt16, magnitude: Double, milliseconds: UInt16)
  case constant(level: Double, milliseconds: UInt16)
}

/// The effects of ours that lie in a device, each uploaded once.
///
/// `EVIOCSFF` and `EVIOCRMFF` return when the driver has done it: at once for most, after a turn on the bus for
/// others, and after at most 30 s for a device made with uinput whose program does not answer
/// (`uinput_request_submit`). The kernel erases what is left when the descriptor is closed.
final class ForceMemory {
  let device: EvdevDevice
  /// What effects are multiplied with, 0…1.
  private(set) var gain = 1.0
  /// The one used last is at the end.
  private var uploads: [(effect: ForceEffect, identifier: CInt)] = []
  private var hasSetGain = false

  /// One wave in so many milliseconds: 100 Hz, which fits even into the shortest pulses nearly once.
  private static var period: UInt16 { 10 }

  init(_ device: EvdevDevice) { self.device = device }

  /// Where `effect` lies; uploads it if it does not yet. When the device is full, what was used longest ago
  /// is erased.
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

  /// Sets `FF_GAIN`; where the device has none, the effects are uploaded anew.
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

  /// Leaves the device as drivers have it at first.
  func close() throws(Errno) {
    try eraseAll()
    guard hasSetGain else { return }
    hasSetGain = false
    try device.write(EvdevEvent(.force(FF_GAIN), 0xFFFF))
  }

  /// What cannot be erased is forgotten: the kernel erases it when the descriptor is closed.
  private func eraseAll() throws(Errno) {
    defer { uploads = [] }
    for upload in uploads { try erase(upload.identifier) }
  }

  private func erase(_ identifier: CInt) throws(Errno) {
    try Errno.checkStatus(cevdev_erase(device.rawDescriptor, identifier))
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
    return try Errno.checkStatus(status)
  }
}
