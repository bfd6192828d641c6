package import StepperCore

/// The maximum sizes of the parts of a recording. Anything beyond them is an error at its line.
package enum RecordingLimit {
  /// The size of a recording of devices, which is read as a whole. Engine logs are read line by line.
  package static let fileBytes = 64 << 20
  /// The length of a line. The configuration in an engine log may be a single line.
  package static let lineBytes = 2 << 20
  package static let frames = 500_000
  package static let devices = 256
  /// The length of a name, a link, or a property.
  package static let textBytes = 4_096
  package static let links = 64
  package static let properties = 256
  /// Keys and axes of a device, and events of a frame. The kernel defines about 850 codes.
  package static let codes = 2_048
  /// The time of the last line: a month.
  package static let time = Instant.milliseconds(31 * 86_400_000)
  /// The number of wakeups for deadlines between two lines of a replay.
  package static let wakeups = 100_000
}
