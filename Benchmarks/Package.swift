// swift-tools-version: 6.2
import PackageDescription

// A package of its own, so that nobody who builds stepperd fetches what only measuring needs.
let package = Package(
  name: "Benchmarks",
  dependencies: [
    .package(url: "https://github.com/HdrHistogram/hdrhistogram-swift", from: "0.2.0")
  ],
  targets: [
    .systemLibrary(name: "CLinux"),
    .executableTarget(
      name: "measure",
      dependencies: ["CLinux", .product(name: "Histogram", package: "hdrhistogram-swift")],
      swiftSettings: [.treatAllWarnings(as: .error)]),
  ],
  swiftLanguageModes: [.v6]
)
