/// The board, and where its device tree is configured.
package struct BoardFacts: Hashable, Sendable {
  package enum Kind: Hashable, Sendable { case raspberryPi, armbian, beagleBone, other }

  package var kind = Kind.other
  /// `Raspberry Pi 4 Model B Rev 1.4`.
  package var model: String?
  /// The first entry of the device tree's `compatible`, such as `rockchip,rk3328`.
  package var compatible = ""
  /// The file that selects overlays; nil: none is known.
  package var file: String?
  package var lines: [String] = []

  package init() {}

  init(_ root: SystemRoot) {
    model = root.line("/proc/device-tree/model")
    compatible = root.line("/proc/device-tree/compatible") ?? ""
    let files: [(Kind, [String])] =
      if model?.hasPrefix("Raspberry Pi") ?? false {
        [(.raspberryPi, ["/boot/firmware/config.txt", "/boot/config.txt"])]
      } else {
        [(.armbian, ["/boot/armbianEnv.txt"]), (.beagleBone, beagleBoneFiles)]
      }
    for (kind, paths) in files {
      guard let path = paths.first(where: root.exists) else { continue }
      (self.kind, file, lines) = (kind, path, root.lines(path))
      return
    }
  }

  private var beagleBoneFiles: [String] {
    model?.firstRange(of: "BeagleBone") != nil ? ["/boot/uEnv.txt"] : []
  }

  /// The parameters of each line `dtoverlay=NAME,…` of a Raspberry Pi, with the number of the line.
  func overlays(_ name: String) -> [(number: Int, text: String, parameters: [String: String])] {
    lines.enumerated().compactMap { index, line in
      let text = line.filter { $0 != " " && $0 != "\t" }
      let words = text.split(separator: ",").map(String.init)
      guard words.first == "dtoverlay=\(name)" else { return nil }
      var parameters: [String: String] = [:]
      for word in words.dropFirst() {
        let pair = word.split(separator: "=", maxSplits: 1).map(String.init)
        parameters[pair[0]] = pair.count > 1 ? pair[1] : ""
      }
      return (index + 1, line, parameters)
    }
  }
}
