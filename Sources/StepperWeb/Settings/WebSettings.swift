/// The settings of `stepperd-web.toml`. Each of them is optional.
package struct WebSettings: Hashable, Sendable {
  /// Where to listen; empty: at the default addresses.
  package var listen: [WebAddress] = []
  /// The names, besides those of ``listen``, that browsers may use for this program; some have a port.
  package var hosts: [String] = []
  /// The file of the tokens; nil: none is needed.
  package var tokenFile: String?
  /// The proxies whose header fields give the address of a client.
  package var trustedProxies = TrustedProxies()
  /// The directory of additional pages.
  package var pages: String?
  /// The content security policy of those pages; nil: that of the panel.
  package var policy: String?
  /// Shell patterns of the controls to show; empty: all.
  package var match: [String] = []
  /// Whether clients cannot change anything.
  package var isReadOnly = false
  /// The look of the panel page, and its language in place of the browser's.
  package var look: String?
  package var language: String?

  package init() {}

  /// The addresses of ``listen``, each once: a second socket cannot be bound to the same address.
  var addresses: [WebAddress] {
    listen.indices.filter { !listen[..<$0].contains(listen[$0]) || listen[$0].isAny }.map { listen[$0] }
  }
}

/// The looks of the panel, named after what they imitate.
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
