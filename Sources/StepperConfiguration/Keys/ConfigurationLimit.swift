internal import Varlink

/// How large the parts of a configuration may be, and how many of each there may be. What is beyond is an error at its
/// place.
///
/// They are far beyond handwritten files. They bound the cost of parsing any text by its size, and the cost
/// of an accepted configuration at run time. The ranges of numbers and durations are beside their keys.
package enum ConfigurationLimit {
  // The text
  package static let fileBytes = 1 << 20
  /// Keys and places in arrays from the document to its innermost value.
  package static let nesting = 32
  package static let keyBytes = 256
  /// In a row.
  package static let combiningCharacters = OutsideText.mostCombiningCharacters
  /// Problems that are reported one by one.
  package static let problems = 100

  // Tables
  package static let nameBytes = 64
  package static let devices = 64
  package static let profiles = 64
  package static let controls = 256
  /// A program follows no more controls at once, and one link may have two.
  package static let links = 32
  /// Of the broker. One user brings no more devices than 16.
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
  /// Of one key, such as `increment`.
  package static let inputs = 64
  /// Of one binding: the controls that decide its layer.
  package static let conditions = 8
  package static let outputs = 16
  package static let lights = 16
  package static let stages = 32

  // A hook
  package static let arguments = 64
  package static let argumentBytes = 4_096

  // Paths and groups
  /// The longest path that a socket's address holds.
  package static let socketPathBytes = 107
  package static let pathBytes = 1_024
  package static let groupBytes = 32
  package static let providers = 32
}
