/// The profiles of one toolkit that come with stepperd, the toolkit's own first: see `Profiles/`, a file for each.
///
/// A profile is a set of options. An option that it leaves out has stepperd's own default, which is that of UIStepper.
/// Documentation/profiles.md lists the properties of the controls that the profiles reproduce.
enum ProfileFamily: String, CaseIterable {
  case uikit, appkit, winui, gtk, material, rpvertical, slider, picker

  /// The family in the name `profile`: `gtk` for `gtk/gtk3`. nil if stepperd has no such family.
  init?(of profile: String) {
    self.init(rawValue: String(profile.prefix { $0 != "/" }))
  }

  /// Bases precede the profiles derived from them. A family is read once, on first use.
  var profiles: [Profile] {
    switch self {
    case .uikit: Self.uikitProfiles
    case .appkit: Self.appkitProfiles
    case .winui: Self.winuiProfiles
    case .gtk: Self.gtkProfiles
    case .material: Self.materialProfiles
    case .rpvertical: Self.rpverticalProfiles
    case .slider: Self.sliderProfiles
    case .picker: Self.pickerProfiles
    }
  }

  private static let uikitProfiles = read(PackageResources.uikit_toml, .uikit)
  private static let appkitProfiles = read(PackageResources.appkit_toml, .appkit)
  private static let winuiProfiles = read(PackageResources.winui_toml, .winui)
  private static let gtkProfiles = read(PackageResources.gtk_toml, .gtk)
  private static let materialProfiles = read(PackageResources.material_toml, .material)
  private static let rpverticalProfiles = read(PackageResources.rpvertical_toml, .rpvertical)
  private static let sliderProfiles = read(PackageResources.slider_toml, .slider)
  private static let pickerProfiles = read(PackageResources.picker_toml, .picker)

  private static func read(_ bytes: [UInt8], _ family: Self) -> [Profile] {
    let (profiles, problems) = Configuration.profiles(
      bytes, file: "\(family.rawValue).toml", ProfileReader(isBuiltIn: true))
    assert(problems.isEmpty, "the built-in profiles are wrong: \(problems)")
    return profiles
  }
}

extension Profile {
  /// The profiles that come with stepperd, all of them.
  package static var builtIn: [Profile] { ProfileFamily.allCases.flatMap(\.profiles) }

  /// The profile of that name that comes with stepperd.
  static func builtIn(named name: String) -> Profile? {
    ProfileFamily(of: name)?.profiles.first { $0.name.isExactly(name) }
  }
}
