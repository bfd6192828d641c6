/// The kernel's drivers, and the hardware that the device tree describes.
struct KernelFacts: Hashable, Sendable {
  /// `uname -r`.
  var release = ""
  var loaded: Set<String> = []
  var builtIn: Set<String> = []
  /// Modules that are installed for this kernel; nil if the list cannot be read.
  var installed: Set<String>?
  /// Whether modules are installed only for other kernels, as after an upgrade without a reboot.
  var isReplaced = false
  /// Hardware of the device tree, with or without a driver.
  var platform: [PlatformDevice] = []
  /// Input devices without an event node: the names of `inputN`.
  var inputsWithoutNode: [String] = []

  struct PlatformDevice: Hashable, Sendable {
    var name: String
    /// `rotary-encoder`.
    var compatible: String
    var hasDriver: Bool
  }

  init() {}

  /// The module of each driver, by the `compatible` string of its hardware in the device tree.
  static let modules = [
    "rotary-encoder": "rotary_encoder", "gpio-keys": "gpio_keys", "gpio-keys-polled": "gpio_keys_polled",
    "adc-joystick": "adc_joystick", "adc-keys": "adc_keys",
  ]

  init(_ root: SystemRoot) {
    release = root.line("/proc/sys/kernel/osrelease") ?? ""
    loaded = Set(root.lines("/proc/modules").compactMap { $0.split(separator: " ").first.map(String.init) })
    let directories = ["/lib/modules/\(release)", "/usr/lib/modules/\(release)"]
    for directory in directories where installed == nil {
      builtIn = Set(root.lines("\(directory)/modules.builtin").filter { !$0.isEmpty }.map(Self.name))
      guard let list = root.text("\(directory)/modules.dep") else { continue }
      installed = Set(
        list.split(separator: "\n").compactMap {
          $0.split(separator: ":").first.map { Self.name(String($0)) }
        })
    }
    if !directories.contains(where: root.exists) {
      isReplaced = ["/lib/modules", "/usr/lib/modules"].contains { !root.names($0).isEmpty }
      // A kernel without modules has only built-in drivers.
      installed = []
    }
    // A built-in driver is listed here even if no files of the kernel are installed.
    for (compatible, module) in Self.modules {
      let names = [compatible, module]
      if names.contains(where: { root.exists("/sys/bus/platform/drivers/\($0)") }) { loaded.insert(module) }
    }
    for module in ["uhid", "uinput"] where root.exists("/sys/class/misc/\(module)") { loaded.insert(module) }
    for name in root.names("/sys/bus/platform/devices") {
      let directory = "/sys/bus/platform/devices/\(name)"
      // The value is "of:NrotaryT(null)Crotary-encoder": each compatible string follows a C.
      let parts = (root.line("\(directory)/modalias") ?? "").split(separator: "C").dropFirst()
      guard let compatible = parts.map(String.init).first(where: { Self.modules[$0] != nil }) else {
        continue
      }
      platform.append(
        PlatformDevice(name: name, compatible: compatible, hasDriver: root.link("\(directory)/driver") != nil)
      )
    }
    for name in root.names("/sys/class/input") where name.hasPrefix("input") {
      let interfaces = root.names("/sys/class/input/\(name)")
      if interfaces.contains(where: { $0.hasPrefix("event") }) {
        loaded.insert("evdev")
      } else {
        inputsWithoutNode.append(root.line("/sys/class/input/\(name)/name") ?? name)
      }
    }
  }

  /// `rotary_encoder` of `kernel/drivers/input/misc/rotary_encoder.ko.xz`; modules have `_` where files may have `-`.
  private static func name(_ path: String) -> String {
    let file = path.split(separator: "/").last ?? ""
    return String((file.split(separator: ".").first ?? "").map { $0 == "-" ? "_" : $0 })
  }

  func has(_ module: String) -> Bool { loaded.contains(module) || builtIn.contains(module) }

  /// Whether a module is present or can be loaded; nil: unknown.
  func offers(_ module: String) -> Bool? {
    has(module) ? true : isReplaced ? nil : installed?.contains(module)
  }
}
