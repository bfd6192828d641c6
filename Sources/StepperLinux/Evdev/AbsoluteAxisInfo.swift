/// The range of an absolute axis, in counts.
///
/// The corresponding C type is `struct input_absinfo`.
package struct AbsoluteAxisInfo: Hashable, Sendable {
  package var minimum: Int32
  package var maximum: Int32
  /// The present position.
  package var value: Int32
  /// Smaller changes are noise, which the kernel has filtered out before the daemon reads them.
  package var fuzz: Int32
  /// Values within this distance from the centre are read as the centre.
  package var flat: Int32
  /// Counts per millimetre, or per radian; 0: unknown.
  package var resolution: Int32

  package init(
    minimum: Int32, maximum: Int32, value: Int32 = 0, fuzz: Int32 = 0, flat: Int32 = 0, resolution: Int32 = 0
  ) {
    self.minimum = minimum
    self.maximum = maximum
    self.value = value
    self.fuzz = fuzz
    self.flat = flat
    self.resolution = resolution
  }
}
