/// The settings of `stepperd-web.toml`, each of which may be absent.
package struct WebSettings: Hashable, Sendable {
  /// Where to listen; empty: the usual addresses.
  package var listen: [WebAddress] = []
  /// The names besides those of ``listen`` that browsers may use for this program, some with a port.
  package var hosts: [String] = []
  /// The file of the tokens; nil: none is needed.
  package var tokenFile: String?
  /// The proxies whose header fields give the address of a client.
  package var trustedProxies = TrustedProxies()
  /// The directory of pages beside the panel.
  package var pages: String?
  /// The content security policy of those pages; nil: that of the panel.
  package var policy: String?
  /// Shell patterns of the controls that are shown; empty: all.
  package var match: [String] = []
  /// Whether nothing can be changed.
  package var isReadOnly = false
  /// The look of the panel page, and its language where the browser does not say one.
  package var look: String?
  package var language: String?

  package init() {}
}

/// The looks of the panel, by the name of what they imitate.
package enum WebLook: String, CaseIterable, Sendable {
  case auto, uikit
  case iOS7 = "uikit/ios7"
  case swiftui
  case swiftuiMacOS = "swiftui/macos"
  case appkit, winui
  case winuiSource = "winui/source"
  case gtk
  case gtkSource = "gtk/source"
  case adwaita
  case adwaitaSource = "adwaita/source"
  case material, wear, rpvertical, slider, picker
}
