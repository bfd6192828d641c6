/// How clients show a control and screen readers speak it. The engine does not use it.
package struct Presentation: Hashable, Sendable {
  package var format = Format.decimal
  /// ISO 4217 code, for ``Format/currency``.
  package var currency: String?
  /// Whether thousands are grouped.
  package var groups = false
  package var speech = Speech.uikit
  package var announcement = Announcement.off
  package var feedback = FeedbackRules()

  package enum Format: String, CaseIterable, Hashable, Sendable {
    case decimal, percent, currency
  }

  /// The platform whose screen reader phrases are used.
  package enum Speech: String, CaseIterable, Hashable, Sendable {
    case uikit, appkit, winui, gtk, slider
  }

  /// Whether screen readers announce changes automatically.
  package enum Announcement: String, CaseIterable, Hashable, Sendable {
    case off, polite
  }
}
