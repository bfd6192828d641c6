package import StepperCore

extension DeviceMatch {
  package func matches(_ device: DeviceIdentity) -> Bool {
    func fits(_ pattern: String?, _ text: String) -> Bool { pattern.map { glob($0, matches: text) } ?? true }
    // A device that a program attaches never matches where only devices of the kernel are meant, whatever it claims.
    return (provider == nil) == (device.provider == nil)
      && fits(provider, device.provider ?? "")
      && fits(name, device.name)
      && fits(physicalPath, device.physicalPath)
      && fits(uniqueName, device.uniqueName)
      && vendor.map { $0 == device.vendor } ?? true
      && product.map { $0 == device.product } ?? true
      && path.map { path in ([device.node] + device.links).contains { glob(path, matches: $0) } } ?? true
      && properties.allSatisfy { key, pattern in
        device.properties[key].map { glob(pattern, matches: $0) } ?? false
      }
      && usages.isSubset(of: device.usages)
      && !(isGeneric && device.isGeneralPurpose)
  }
}
