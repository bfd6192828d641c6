// Made by varlink-generate from org.stepperd.provider.varlink; do not edit.

/// Devices that programs bring.
///
/// A `provider` is a program that reads a device which is not an input device of the kernel (a MIDI
/// controller, a microcontroller on a serial line) and attaches it here. From then on it is a device like any
/// other: a [device.NAME] table of the configuration matches it, and its inputs have the kernel's code names.
///
/// A provider attaches its devices, and reports what they do, on one connection. With the end of that
/// connection they are unplugged. What the devices are to show is read on another one, because a connection
/// has one call at a time.
///
/// The methods need administrative permission, or that `providers` in [daemon] names the user or a group of
/// the caller; others get PermissionDenied of org.varlink.service. The identity of a device is what its
/// provider claims: only a match with `provider` ever matches it.
public enum ProviderInterface {
  /// The name of the interface.
  public static let name = "org.stepperd.provider"
}
