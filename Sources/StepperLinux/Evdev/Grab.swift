internal import CLinux
import StepperCore
internal import SystemPackage

/// The grab of a device, which may be pending until no key is down.
struct Grab {
  private(set) var isHeld = false
  /// Whether the grab is requested and a key is down.
  private(set) var isPending = false

  /// See ``EvdevDevice/grab(now:)``.
  mutating func take(
    _ evdev: OpaquePointer, reader: inout FrameReader, now: Instant
  ) throws(Errno) -> GrabOutcome {
    let keysDown = unsafe reader.keysDown(of: evdev)
    isPending = !isHeld && !keysDown.isEmpty
    guard !isHeld else { return .grabbed(Resynchronization(time: now, events: [], keysDown: keysDown)) }
    guard keysDown.isEmpty else { return .waitingForKeys(nil) }

    try unsafe set(LIBEVDEV_GRAB, evdev)
    let state = try unsafe reader.forceResynchronization(of: evdev, at: now)
    guard state.keysDown.isEmpty else {
      // The key went down before the grab, and other programs have received it.
      try unsafe release(evdev)
      isPending = true
      return .waitingForKeys(state)
    }
    return .grabbed(state)
  }

  /// See ``EvdevDevice/ungrab()``.
  mutating func release(_ evdev: OpaquePointer) throws(Errno) {
    isPending = false
    try unsafe set(LIBEVDEV_UNGRAB, evdev)
  }

  private mutating func set(_ mode: libevdev_grab_mode, _ evdev: OpaquePointer) throws(Errno) {
    let status = unsafe libevdev_grab(evdev, mode)
    guard status == 0 else { throw Errno(rawValue: -status) }
    isHeld = mode == LIBEVDEV_GRAB
  }
}
