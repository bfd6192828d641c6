public import Varlink

extension ControlInterface {
  /// What a control is to a screen reader. New roles may be added; clients must treat an unknown role as
  /// `stepper`.
  public enum AccessibilityRole: String, Codable, Hashable, Sendable {
    case stepper, incrementor, spinner, slider, picker, `switch`, button
  }

  /// Whether a change is to be announced by itself. `polite` waits for a pause.
  public enum Announcement: String, Codable, Hashable, Sendable {
    case off, polite
  }

  /// A control and its state in the words a screen reader says on the platform that the control's profile
  /// comes from. Numbers are in the C locale.
  public struct Accessibility: Codable, Hashable, Sendable {
    /// What it is.
    public var role: AccessibilityRole
    /// What it is called: its title in the language asked for, or its name.
    public var label: String
    /// Its value with its unit; nil: unset.
    public var value: String?
    /// Whether a reader's gestures for increment and decrement apply.
    public var adjustable: Bool
    /// What can be done with it, where the platform says so.
    public var hint: String?
    /// What to say at an end of the range, where the platform says anything.
    public var limit: String?
    /// Whether a change is to be announced by itself.
    public var announcement: Announcement
    /// All of this as one sentence.
    public var speech: String

    /// Its fields, in the order of the interface description.
    public init(
      role: AccessibilityRole, label: String, value: String? = nil, adjustable: Bool, hint: String? = nil,
      limit: String? = nil, announcement: Announcement, speech: String
    ) {
      self.role = role
      self.label = label
      self.value = value
      self.adjustable = adjustable
      self.hint = hint
      self.limit = limit
      self.announcement = announcement
      self.speech = speech
    }
  }

  /// What a screen reader says of a control.
  public enum Describe: VarlinkMethod {
    /// The fully qualified name.
    public static let name = "org.stepperd.control.Describe"

    /// What it is called with.
    public struct Parameters: Codable, Hashable, Sendable {
      /// The name of the control.
      public var control: String
      /// A language tag such as `de` or `pt-BR`, which chooses the title.
      public var language: String?

      /// Its fields, in the order of the interface description.
      public init(control: String, language: String? = nil) {
        self.control = control
        self.language = language
      }
    }

    /// What it answers.
    public struct Reply: Codable, Hashable, Sendable {
      /// What it is.
      public var description: Description
      /// How it stands.
      public var state: State
      /// The words.
      public var accessibility: Accessibility

      /// Its fields, in the order of the interface description.
      public init(description: Description, state: State, accessibility: Accessibility) {
        self.description = description
        self.state = state
        self.accessibility = accessibility
      }
    }
  }
}
