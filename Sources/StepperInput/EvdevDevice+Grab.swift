internal import CEvdev
package import StepperCore
package import SystemPackage

extension EvdevDevice {
  /// Whether a grab was refused because of a key, and no key is known to be down any more.
  package var isGrabDue: Bool { isGrabPending && keysDown.isEmpty }

  /// Takes the device for this program alone, unless a key is down.
  ///
  /// A key that is down when the device is grabbed stays down for everybody else, who miss its release. So
  /// this waits: call it again when ``isGrabDue``, which is worth a look after every frame. Call it when
  /// ``nextFrame(now:)`` has returned nil, since whatever waits to be read is thrown away.
  ///
  /// Throws `EBUSY` if another program holds the grab, and `ENODEV` if the device is gone.
  /// The corresponding C function is `libevdev_grab`.
  package func grab(now: Instant) throws(Errno) -> GrabOutcome {
    let keysDown = keysDown
    isGrabPending = !isGrabbed && !keysDown.isEmpty
    guard !isGrabbed else { return .grabbed(Resynchronization(time: now, events: [], keysDown: keysDown)) }
    guard keysDown.isEmpty else { return .waitingForKeys(nil) }

    try setGrab(LIBEVDEV_GRAB)
    let state = try forceResynchronization(at: now)
    guard state.keysDown.isEmpty else {
      // The key went down before the grab, and the others have seen it.
      try ungrab()
      isGrabPending = true
      return .waitingForKeys(state)
    }
    return .grabbed(state)
  }

  /// Lets other programs have the device's events again; also gives up a grab that is pending.
  ///
  /// The corresponding C function is `libevdev_grab`, with `LIBEVDEV_UNGRAB`.
  package func ungrab() throws(Errno) {
    isGrabPending = false
    try setGrab(LIBEVDEV_UNGRAB)
  }

  private func setGrab(_ mode: libevdev_grab_mode) throws(Errno) {
    let status = unsafe libevdev_grab(evdev, mode)
    guard status == 0 else { throw Errno(rawValue: -status) }
    isGrabbed = mode == LIBEVDEV_GRAB
  }
}
