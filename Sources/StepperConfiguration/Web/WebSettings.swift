/// What `stepperd-web.toml` says. Nothing has to be said.
package struct WebSettings: Hashable, Sendable {
  /// Where to listen; empty: the usual addresses.
  package var listen: [WebAddress] = []
  /// The names besides those of ``listen`` that browsers may use for this program, some with a port.
  package var hosts: [String] = []
  /// The file of the tokens; nil: none is needed.
  package var tokenFile: String?
  /// The proxies that say where requests come from.
  package var trustedProxies = TrustedProxies()
  /// The folder of the kiosk maker's own pages.
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

/// The keys of `stepperd-web.toml`. Stable from the first release on.
enum WebKey: String, ConfigurationKey {
  case listen, hosts
  case tokenFile = "token-file"
  case trustedProxy = "trusted-proxy"
  case pages, csp, match
  case readOnly = "read-only"
  case look, language
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
