internal import Varlink

/// The maximum sizes and numbers of the parts of a configuration. Anything beyond them is an error at its place.
///
/// The limits are far beyond what handwritten files need. They bound the cost of parsing any text by its size, and the
/// run-time cost of an accepted configuration. Ranges of numbers and durations are declared with their keys.
package enum ConfigurationLimit {
  // The text
  package static let fileBytes = 1 << 20
  /// The number of keys and array indices from the document to its innermost value.
  package static let nesting = 32
  package static let keyBytes = 256
  /// The number of combining characters in a row.
  package static let combiningCharacters = OutsideText.mostCombiningCharacters
  /// Problems that are reported one by one.
  package static let problems = 100

  // Tables
  package static let nameBytes = 64
  package static let devices = 64
  package static let profiles = 64
  package static let controls = 256
  /// A program cannot follow more controls at once, and a link may have two.
  package static let links = 32
  /// Remotes of the broker. One user may attach at most 16 devices.
  package static let remotes = 16
  package static let serialPorts = 16
  package static let midiTables = 16
  package static let midiKnobs = 16
  package static let midiFaders = 32

  // A device
  package static let alternatives = 32
  package static let codes = 64
  package static let properties = 32
  package static let patternBytes = 256

  // A control
  package static let textBytes = 256
  package static let unitBytes = 32
  package static let languages = 64
  package static let choices = 256
  package static let choiceBytes = 64
  /// The number of inputs of one key, such as `increment`.
  package static let inputs = 64
  /// The number of controls that decide the layer of one binding.
  package static let conditions = 8
  package static let outputs = 16
  package static let lights = 16
  package static let stages = 32

  // A hook
  package static let arguments = 64
  package static let argumentBytes = 4_096

  // Paths and groups
  /// The longest path that fits into a socket address.
  package static let socketPathBytes = 107
  package static let pathBytes = 1_024
  package static let groupBytes = 32
  package static let providers = 32
}
