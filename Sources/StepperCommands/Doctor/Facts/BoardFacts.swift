internal import StepperText

/// The board and the configuration of its device tree.
struct BoardFacts: Hashable, Sendable {
  enum Kind: Hashable, Sendable { case raspberryPi, armbian, beagleBone, other }

  var kind = Kind.other
  /// `Raspberry Pi 4 Model B Rev 1.4`.
  var model: String?
  /// The first entry of the device tree's `compatible`, such as `rockchip,rk3328`.
  var compatible = ""
  /// The file that selects overlays; nil if it is unknown.
  var file: String?
  var lines: [String] = []
  /// The folder from which the firmware of a Raspberry Pi reads overlays, if it lacks one for knobs or buttons.
  var incompleteOverlays: String?

  init() {}

  init(_ root: SystemRoot) {
    model = root.line("/proc/device-tree/model")
    compatible = root.line("/proc/device-tree/compatible") ?? ""
    let files: [(Kind, String)] =
      if model?.hasPrefix("Raspberry Pi") ?? false {
        [(.raspberryPi, "/boot/firmware/config.txt"), (.raspberryPi, "/boot/config.txt")]
      } else {
        [(.armbian, "/boot/armbianEnv.txt")]
          + (model?.has("BeagleBone") == true ? [(.beagleBone, "/boot/uEnv.txt")] : [])
      }
    guard let (kind, path) = files.first(where: { root.exists($0.1) }) else { return }
    (self.kind, file, lines) = (kind, path, root.lines(path))
    let folder = "\(SystemRoot.parent(of: path))/overlays"
    let names = ["gpio-key", "rotary-encoder"]
    if kind == .raspberryPi, !names.allSatisfy({ root.exists("\(folder)/\($0).dtbo") }) {
      incompleteOverlays = folder
    }
  }

  /// A line of the file that selects an overlay.
  struct Overlay {
    var file: String
    var number: Int
    var text: String
    var parameters: [String: String]
  }

  /// The overlays of each line `dtoverlay=NAME,…` of a Raspberry Pi.
  func overlays(_ name: String) -> [Overlay] {
    guard kind != .other, let file else { return [] }
    return lines.enumerated().compactMap { index, line in
      let text = line.filter { $0 != " " && $0 != "\t" }
      let words = text.split(separator: ",").map(String.init)
      guard words.first == "dtoverlay=\(name)" else { return nil }
      var parameters: [String: String] = [:]
      for word in words.dropFirst() {
        let name = word.prefix { $0 != "=" }
        parameters[String(name)] = String(word.dropFirst(name.count + 1))
      }
      return Overlay(file: file, number: index + 1, text: line, parameters: parameters)
    }
  }
}
