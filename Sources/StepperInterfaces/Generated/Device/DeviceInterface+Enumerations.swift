// Made by varlink-generate from org.stepperd.device.varlink; do not edit.

public import Varlink

extension DeviceInterface {
  /// What an input is. New roles may be added; clients should treat an unknown role as `axis`.
  public enum Role: String, CaseIterable, Hashable, Sendable, JSONReadable, JSONWritable {
    case button, encoder, axis

    /// Reads any text; a word that is not known here is ``axis``.
    public init(json value: JSONValue) throws(JSONMisfit) {
      self = Self(rawValue: try String(json: value)) ?? .axis
    }
  }

  /// How a device stands. New states may be added; clients should treat an unknown state as `unused`.
  public enum DeviceState: String, CaseIterable, Hashable, Sendable, JSONReadable, JSONWritable {
    /// Configured, not plugged in.
    case absent
    /// Plugged in, no configuration matches it.
    case unused
    /// Matched, but the daemon may not open it; `problem` says what to do.
    case denied
    /// Matched, but another program holds the grab.
    case busy
    /// Read by the daemon, and by anyone else who opens it.
    case open
    /// Read by the daemon alone.
    case grabbed

    /// Reads any text; a word that is not known here is ``unused``.
    public init(json value: JSONValue) throws(JSONMisfit) {
      self = Self(rawValue: try String(json: value)) ?? .unused
    }
  }

  /// What became of an event at one control. New outcomes may be added; clients should treat an unknown
  /// outcome as `noted`.
  public enum Outcome: String, CaseIterable, Hashable, Sendable, JSONReadable, JSONWritable {
    /// It moved the value.
    case changed
    /// It had its effect, which is none on the value: a release, the press of a button whose action comes
    /// later, a push without an action.
    case noted
    /// It is less than a detent, or less than what a fader's noise is.
    case partial
    /// The value stands at the end of its range.
    case limit
    /// The control has enabled = false.
    case disabled
    /// The fader has not reached the value that another source has set (pickup).
    case pickup
    /// A button that is held as modifier gives the input another meaning, or a button that the binding needs
    /// is not held.
    case modifier
    /// The binding is live only while another control has another value (when).
    case layer
    /// Another button is held, and the rule for a second press ignores this one.
    case held
    /// The control has no value that could step.
    case unset

    /// Reads any text; a word that is not known here is ``noted``.
    public init(json value: JSONValue) throws(JSONMisfit) {
      self = Self(rawValue: try String(json: value)) ?? .noted
    }
  }

  /// What something feels like, in the words of UIKit's feedback generators.
  public enum Effect: String, CaseIterable, Hashable, Sendable, JSONReadable, JSONWritable {
    case light, medium, heavy, soft, rigid, selection, success, warning, error
  }
}
