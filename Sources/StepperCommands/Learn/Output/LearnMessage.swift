internal import Varlink

/// An object of `stepperctl learn --json`. Fields without a meaning for the type are absent.
struct LearnMessage {
  enum Kind: String, JSONWritable {
    /// Something is asked; the answer is a line of the standard input.
    case prompt
    /// Something to know.
    case note
    /// An input that was recognised.
    case finding
    /// The change of the configuration.
    case proposal
    /// The control moved, in the trial or after it was written.
    case value
    /// The end.
    case result
  }

  var type: Kind
  /// Of a prompt: which one, such as `move`.
  var id: String?
  var text: String?
  /// Of a prompt: words that answer it, beside a text and an empty line.
  var answers: [String]?
  var finding: Finding?
  var file: String?
  /// Of a proposal: the whole configuration.
  var configuration: String?
  /// Of a proposal: lines that begin with "+", "-" or a blank.
  var difference: [String]?
  /// Of a value: its place in the range, 0 to 1.
  var position: Double?
  /// Of a result: whether the configuration was written, and where the former one is.
  var written: Bool?
  var backup: String?

  init(_ type: Kind, id: String? = nil, text: String? = nil) {
    (self.type, self.id, self.text) = (type, id, text)
  }

  var json: JSONObject {
    [
      "answers": answers, "backup": backup, "configuration": configuration, "difference": difference,
      "file": file,
      "finding": finding?.json, "id": id, "position": position, "text": text, "type": type,
      "written": written,
    ]
  }

  struct Finding {
    /// `knob`, `button` or `fader`.
    var kind: String
    /// The kernel's name of the device, and its node.
    var name: String
    var node: String
    var code: String
    var inverted: Bool?
    var countsPerDetent: Int?
    var minimum: Int32?
    var maximum: Int32?
    var hysteresis: Int32?

    var json: JSONObject {
      [
        "code": code, "countsPerDetent": countsPerDetent, "hysteresis": hysteresis.map { Int($0) },
        "inverted": inverted, "kind": kind, "maximum": maximum.map { Int($0) },
        "minimum": minimum.map { Int($0) },
        "name": name, "node": node,
      ]
    }
  }
}
