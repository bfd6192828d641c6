package import StepperCore

/// How large the parts of a recording may be. What is beyond is an error at its line.
package enum RecordingLimit {
  /// Of a recording of devices, which is read as a whole. Engine logs are read line by line.
  package static let fileBytes = 64 << 20
  /// The configuration in an engine log may be one line.
  package static let lineBytes = 2 << 20
  package static let frames = 500_000
  package static let devices = 256
  /// Of a name, a link, or a property.
  package static let textBytes = 4_096
  package static let links = 64
  package static let properties = 256
  /// Keys and axes of a device, and events of a frame: the kernel has about 850 of them.
  package static let codes = 2_048
  /// The time of the last line: a month.
  package static let time = Instant.milliseconds(31 * 86_400_000)
  /// Times that a replay wakes up for a deadline between two lines.
  package static let wakeups = 100_000
}
