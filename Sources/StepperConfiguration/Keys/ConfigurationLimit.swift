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
  static let nesting = 32
  static let keyBytes = 256
  /// In a row.
  static let combiningCharacters = OutsideText.mostCombiningCharacters
  /// Problems that are reported one by one.
  static let problems = 100

  // Tables
  static let nameBytes = 64
  static let devices = 64
  static let profiles = 64
  static let controls = 256
  /// A program follows no more controls at once, and one link may have two.
  static let links = 32

  // A device
  static let alternatives = 32
  static let codes = 64
  static let properties = 32
  static let patternBytes = 256

  // A control
  static let textBytes = 256
  static let unitBytes = 32
  static let languages = 64
  static let choices = 256
  static let choiceBytes = 64
  /// Of one key, such as `increment`.
  static let inputs = 64
  /// Of one binding: the controls that decide its layer.
  static let conditions = 8
  static let outputs = 16
  static let lights = 16
  static let stages = 32

  // A hook
  static let arguments = 64
  static let argumentBytes = 4_096

  // Paths and groups
  /// The longest path that a socket's address holds.
  static let socketPathBytes = 107
  static let pathBytes = 1_024
  static let groupBytes = 32
}
