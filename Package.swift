// swift-tools-version: 6.3
import PackageDescription

/// What every target is compiled with: see CONTRIBUTING.md, "The rules the compiler keeps".
let house: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
  .strictMemorySafety(),
  .treatAllWarnings(as: .error),
]
/// The daemon runs on one thread; the compiler proves it.
let singleThreaded: [SwiftSetting] = house + [.defaultIsolation(MainActor.self)]

let argumentParser = Target.Dependency.product(name: "ArgumentParser", package: "swift-argument-parser")
let logging = Target.Dependency.product(name: "Logging", package: "swift-log")
let systemPackage = Target.Dependency.product(name: "SystemPackage", package: "swift-system")

let package = Package(
  name: "stepperd",
  products: [
    .library(name: "StepperBridge", targets: ["StepperBridge"]),
    .library(name: "StepperClient", targets: ["StepperClient"]),
    .library(name: "StepperFormatting", targets: ["StepperFormatting"]),
    .library(name: "StepperInterfaces", targets: ["StepperInterfaces"]),
    .library(name: "Varlink", targets: ["Varlink"]),
    .executable(name: "stepperd", targets: ["stepperd"]),
    .executable(name: "stepperctl", targets: ["stepperctl"]),
    .executable(name: "stepperd-link", targets: ["stepperd-link"]),
    .executable(name: "stepperd-mqtt", targets: ["stepperd-mqtt"]),
    .executable(name: "varlink-generate", targets: ["varlink-generate"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
    .package(url: "https://github.com/apple/swift-system", from: "1.8.1"),
  ],
  targets: [
    .systemLibrary(name: "CLinux"),
    .systemLibrary(
      name: "CEvdev", pkgConfig: "libevdev", providers: [.apt(["libevdev-dev", "libudev-dev"])]),

    // The bridge to an MQTT broker: a pure state machine, the C library, and the program.
    .systemLibrary(name: "CMosquitto", pkgConfig: "libmosquitto", providers: [.apt(["libmosquitto-dev"])]),
    .target(
      name: "StepperMQTT", dependencies: ["StepperCore", "StepperInterfaces", "Varlink"], swiftSettings: house
    ),
    .target(name: "StepperMosquitto", dependencies: ["CMosquitto", "Varlink"], swiftSettings: house),
    .systemLibrary(name: "CCrypto", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),
    .target(name: "StepperDigest", dependencies: ["CCrypto"], swiftSettings: house),
    .executableTarget(
      name: "stepperd-mqtt",
      dependencies: [
        "StepperMQTT", "StepperMosquitto", "StepperDigest", "StepperClient", "StepperConfiguration",
        "StepperCore", "StepperInterfaces", "StepperProgram", "StepperSystem", "Varlink", argumentParser,
        logging, systemPackage,
      ], swiftSettings: house),
    .testTarget(
      name: "StepperMQTTTests",
      dependencies: [
        "StepperMQTT", "StepperCore", "StepperInterfaces", "Varlink", "TestSupport", "stepperd-mqtt",
        "stepperd", "stepperctl",
      ],
      swiftSettings: house),

    // Many simulated boards at a real broker, and a dashboard; Scripts/fleet runs it.
    .executableTarget(
      name: "fleet",
      dependencies: [
        "StepperMQTT", "StepperMosquitto", "StepperCore", "StepperInterfaces", "StepperSystem", "Varlink",
        argumentParser, systemPackage,
      ],
      path: "Tests/Fleet/Program", swiftSettings: house),

    .target(name: "StepperCore", swiftSettings: house),
    .target(name: "StepperText", dependencies: ["StepperCore"], swiftSettings: house),
    .target(name: "StepperDevices", dependencies: ["StepperCore"], swiftSettings: house),
    .target(name: "StepperLearning", dependencies: ["StepperCore", "StepperDevices"], swiftSettings: house),
    .target(name: "Varlink", resources: [.embedInCode("Service/Interfaces")], swiftSettings: house),
    .target(
      name: "StepperInterfaces", dependencies: ["Varlink"], resources: [.embedInCode("Interfaces")],
      swiftSettings: house),
    .target(
      name: "StepperConfiguration",
      dependencies: ["StepperCore", "StepperText", "StepperDevices", "Varlink"],
      resources: [.embedInCode("default.toml"), .embedInCode("Profiles")], swiftSettings: house),
    .target(
      name: "StepperRecording",
      dependencies: ["StepperCore", "StepperText", "StepperDevices", "StepperConfiguration", "Varlink"],
      swiftSettings: house),
    .target(
      name: "StepperSystem",
      dependencies: [
        "CLinux", "StepperCore", "StepperText", "Varlink", logging, systemPackage,
      ], swiftSettings: house),
    .target(
      name: "StepperInput",
      dependencies: [
        "CEvdev", "StepperCore", "StepperDevices", "StepperSystem", "Varlink", systemPackage,
      ], swiftSettings: house),
    .target(
      name: "StepperDaemon",
      dependencies: [
        "StepperCore", "StepperText", "StepperDevices", "StepperInterfaces", "Varlink",
        "StepperConfiguration", "StepperRecording", "StepperSystem", "StepperInput", logging, systemPackage,
      ], swiftSettings: singleThreaded),
    .target(
      name: "StepperDiagnosis",
      dependencies: [
        "StepperCore", "StepperText", "StepperDevices", "StepperInterfaces", "StepperConfiguration",
        "StepperSystem", "StepperInput", "Varlink", systemPackage,
      ], swiftSettings: house),
    .target(
      name: "StepperClient", dependencies: ["StepperInterfaces", "Varlink", "StepperFormatting"],
      swiftSettings: house),
    // What the programs beside the daemon have in common: their beginning, their end, the service manager.
    .target(
      name: "StepperProgram",
      dependencies: [
        "StepperClient", "StepperConfiguration", "StepperSystem", "Varlink", argumentParser, logging,
        systemPackage,
      ],
      swiftSettings: house),
    .target(
      name: "StepperBridge", dependencies: ["StepperClient", "StepperInterfaces"], swiftSettings: house),
    .target(name: "StepperFormatting", dependencies: ["StepperInterfaces", "Varlink"], swiftSettings: house),
    // Who may ask what of the web program, without its server: builds with it have the rest of the target, below.
    .target(
      name: "StepperWeb", dependencies: ["StepperConfiguration", "Varlink"],
      path: "Sources/StepperWeb/Access",
      swiftSettings: house),
    .executableTarget(
      name: "stepperd",
      dependencies: [
        "CLinux", "StepperDaemon", "StepperConfiguration", "StepperSystem", "Varlink", logging, systemPackage,
      ], swiftSettings: singleThreaded),
    .executableTarget(
      name: "stepperctl",
      dependencies: [
        "StepperClient", "StepperFormatting", "StepperInterfaces", "Varlink", "StepperConfiguration",
        "StepperCore", "StepperText", "StepperDevices", "StepperSystem", "StepperInput", "StepperRecording",
        "StepperLearning", "StepperDiagnosis", argumentParser, systemPackage,
      ],
      swiftSettings: house),

    // What keeps controls equal with mixers, screens and lights: one Swift target for each library in C.
    // Without pkg-config's flags for libpulse, -D_REENTRANT and -pthread, which SwiftPM refuses with a warning.
    .systemLibrary(name: "CPulse", providers: [.apt(["libpulse-dev"])]),
    .target(
      name: "StepperOutside", dependencies: ["StepperBridge", "StepperClient"], swiftSettings: house),
    .target(
      name: "StepperPulse", dependencies: ["CPulse", "StepperBridge", "StepperOutside", "Varlink"],
      swiftSettings: house),
    .systemLibrary(name: "CAlsa", pkgConfig: "alsa", providers: [.apt(["libasound2-dev"])]),
    .target(
      name: "StepperMixer", dependencies: ["CAlsa", "StepperBridge", "StepperOutside", "Varlink"],
      swiftSettings: house),
    .systemLibrary(name: "CUdev", pkgConfig: "libudev", providers: [.apt(["libudev-dev"])]),
    .target(
      name: "StepperSysfs", dependencies: ["CUdev", "StepperBridge", "StepperOutside", "Varlink"],
      swiftSettings: house),
    .target(
      name: "StepperLink",
      dependencies: [
        "StepperBridge", "StepperClient", "StepperConfiguration", "StepperCore", "StepperOutside",
        "StepperPulse", "StepperMixer", "StepperSysfs", "StepperSystem", "Varlink", logging,
      ], swiftSettings: house),
    .executableTarget(
      name: "stepperd-link",
      dependencies: [
        "StepperLink", "StepperClient", "StepperConfiguration", "StepperProgram", "StepperSystem", "Varlink",
        argumentParser, logging, systemPackage,
      ], swiftSettings: house),

    .executableTarget(
      name: "varlink-generate",
      dependencies: [
        "Varlink", argumentParser, systemPackage,
      ], swiftSettings: house),

    .executableTarget(
      name: "certification",
      dependencies: ["StepperDaemon", "StepperCore", "StepperSystem", "StepperInterfaces", "Varlink"],
      path: "Tests/Certification", resources: [.embedInCode("Interfaces")], swiftSettings: house),
    .executableTarget(
      name: "engine-benchmark", dependencies: ["StepperCore", "StepperSystem"], path: "Benchmarks/Engine",
      swiftSettings: house),
    .target(name: "TestSupport", path: "Tests/TestSupport", swiftSettings: house),
    // What is fuzzed: see Documentation/fuzzing.md. The tests run it too, on the inputs that are kept.
    .target(
      name: "FuzzTargets",
      dependencies: [
        "StepperCore", "StepperText", "StepperDevices", "StepperInterfaces", "Varlink",
        "StepperConfiguration", "StepperRecording", "StepperInput", "StepperClient", "StepperFormatting",
        "StepperDaemon", "StepperMQTT", "StepperBridge", "StepperWeb", "stepperctl",
      ],
      path: "Tests/Fuzz/Targets", swiftSettings: house),
    .testTarget(
      name: "FuzzTests", dependencies: ["FuzzTargets", "StepperInterfaces", "TestSupport", "Varlink"],
      swiftSettings: house),
    .testTarget(
      name: "StepperCoreTests",
      dependencies: [
        "StepperCore", "StepperText", "StepperDevices", "StepperConfiguration", "StepperRecording",
        "TestSupport",
      ],
      exclude: ["Timelines", "Vectors"],
      swiftSettings: house),
    .testTarget(
      name: "StepperLearningTests",
      dependencies: ["StepperLearning", "StepperCore", "StepperDevices", "TestSupport"], swiftSettings: house),
    .testTarget(
      name: "VarlinkTests", dependencies: ["Varlink", "StepperInterfaces", "TestSupport", "varlink-example"],
      swiftSettings: house),
    .testTarget(
      name: "VarlinkGenerateTests", dependencies: ["Varlink", "varlink-generate"], swiftSettings: house),
    // What Documentation/varlink.md explains; with the settings of any program, not of the house.
    .executableTarget(
      name: "varlink-example", dependencies: ["Varlink"], path: "Documentation/examples/swift",
      resources: [.embedInCode("org.example.counter.varlink")]),
    .testTarget(
      name: "StepperInterfacesTests", dependencies: ["StepperInterfaces", "Varlink"], swiftSettings: house),
    .testTarget(
      name: "StepperConfigurationTests",
      dependencies: [
        "StepperConfiguration", "StepperCore", "StepperText", "StepperDevices", "StepperInput", "TestSupport",
      ],
      swiftSettings: house),
    .testTarget(
      name: "StepperRecordingTests",
      dependencies: [
        "StepperRecording", "StepperConfiguration", "StepperCore", "StepperDevices", "StepperInput",
        "TestSupport",
      ],
      exclude: ["Recordings"], swiftSettings: house),
    .testTarget(
      name: "StepperSystemTests",
      dependencies: [
        "StepperCore", "StepperText", "TestSupport", "StepperSystem", logging, systemPackage,
      ],
      swiftSettings: house),
    .testTarget(
      name: "StepperInputTests",
      dependencies: [
        "StepperInput", "StepperCore", "StepperDevices", "StepperSystem", "TestSupport", "input-probe",
        systemPackage,
      ], swiftSettings: house),
    .executableTarget(
      name: "input-probe",
      dependencies: [
        "StepperInput", "StepperCore", "StepperDevices", systemPackage,
      ],
      path: "Tests/InputProbe", swiftSettings: singleThreaded),
    .testTarget(
      name: "StepperDiagnosisTests",
      dependencies: [
        "StepperDiagnosis", "StepperConfiguration", "StepperCore", "StepperDevices", "StepperInput",
        "StepperInterfaces", "TestSupport",
      ], swiftSettings: house),
    // A Varlink service in the test's hands, for the client's tests and the program's.
    .target(
      name: "TestPeer", dependencies: ["StepperInterfaces", "Varlink"], path: "Tests/TestPeer",
      swiftSettings: house),
    .testTarget(
      name: "StepperClientTests",
      dependencies: ["StepperClient", "StepperInterfaces", "Varlink", "TestPeer", "TestSupport"],
      swiftSettings: house),
    .testTarget(
      name: "StepperLinkTests",
      dependencies: [
        "StepperLink", "StepperCore", "StepperMixer", "StepperOutside", "StepperClient", "StepperInterfaces",
        "TestSupport", "stepperd",
        "stepperd-link",
      ], swiftSettings: house),
    .testTarget(
      name: "StepperBridgeTests",
      dependencies: [
        "StepperBridge", "StepperClient", "StepperInterfaces", "TestSupport", "stepperd", "bridge-example",
      ],
      swiftSettings: house),
    // What Documentation/bridges.md explains; with the settings of any program, not of the house.
    .executableTarget(
      name: "bridge-example", dependencies: ["StepperBridge", "StepperClient"],
      path: "Documentation/examples/bridge"),
    .testTarget(
      name: "StepperFormattingTests", dependencies: ["StepperFormatting", "StepperInterfaces", "Varlink"],
      swiftSettings: house),
    .testTarget(
      name: "StepperctlTests",
      dependencies: [
        "stepperctl", "stepperd", "StepperInterfaces", "Varlink", "TestSupport", "TestPeer", "FuzzTargets",
      ],
      swiftSettings: house),
    .testTarget(
      name: "StepperDaemonTests",
      dependencies: [
        "StepperDaemon", "StepperConfiguration", "StepperCore", "StepperText", "StepperDevices",
        "StepperSystem", "StepperInterfaces", "Varlink", "TestSupport", "stepperd", "certification", logging,
        systemPackage,
      ],
      exclude: ["SyntheticRecordings"], swiftSettings: house),
  ],
  swiftLanguageModes: [.v6]
)

// Only `swift build --sanitize fuzzer` can link it, for its main function is libFuzzer's.
if Context.environment["STEPPERD_FUZZ"] != nil {
  // The targets use the code of stepperctl, which is linked as that of a library is, without its main function.
  package.products.removeAll { $0.name == "stepperctl" }
  package.targets = package.targets.map { target in
    guard target.name == "stepperctl" else { return target }
    return .target(name: target.name, dependencies: target.dependencies, swiftSettings: house)
  }
  package.targets.append(
    .executableTarget(
      name: "stepperd-fuzz", dependencies: ["FuzzTargets"], path: "Tests/Fuzz/Driver", swiftSettings: house))
}

// The web panel: see Documentation/panel.md. Only builds that ask for it fetch and compile its server, into a folder of
// their own: STEPPERD_WEB=1 swift build --scratch-path .build-web. A trait would be a compilation condition of every
// target, so that each switch compiled the daemon anew, and would leave an empty program in builds without it; a second
// package could not use what this one keeps to itself: the reader of TOML and the notices to the service manager.
if Context.environment["STEPPERD_WEB"] != nil {
  package.products.append(.executable(name: "stepperd-web", targets: ["stepperd-web"]))
  package.dependencies += [
    // Without traits: neither all of Foundation nor another reader of configurations.
    .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1", traits: []),
    .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
    .package(url: "https://github.com/apple/swift-nio", from: "2.101.0"),
    .package(url: "https://github.com/apple/swift-nio-extras", from: "1.34.1"),
  ]
  // The others' tests are run without it.
  package.targets.removeAll { $0.type == .test || $0.name == "StepperWeb" }
  package.targets += [
    .target(
      name: "StepperWeb",
      dependencies: [
        "CLinux", "StepperClient", "StepperInterfaces", "Varlink", "StepperConfiguration", "StepperCore",
        "StepperText", "StepperSystem", "StepperDevices",
        .product(name: "HummingbirdCore", package: "hummingbird"),
        .product(name: "HTTPTypes", package: "swift-http-types"),
        .product(name: "NIOCore", package: "swift-nio"), .product(name: "NIOPosix", package: "swift-nio"),
        .product(name: "NIOHTTP1", package: "swift-nio"),
        .product(name: "NIOHTTPTypes", package: "swift-nio-extras"),
        .product(name: "NIOHTTPTypesHTTP1", package: "swift-nio-extras"),
        logging,
        systemPackage,
      ], swiftSettings: house),
    .executableTarget(
      name: "stepperd-web",
      dependencies: [
        "StepperWeb", "StepperClient", "StepperConfiguration", "StepperProgram", "StepperSystem",
        argumentParser, logging, systemPackage,
      ], swiftSettings: house),
    .testTarget(
      name: "StepperWebTests",
      dependencies: [
        "StepperWeb", "StepperConfiguration", "StepperCore", "StepperInterfaces", "StepperSystem", "Varlink",
        "TestPeer", "TestSupport", logging,
        .product(name: "NIOCore", package: "swift-nio"), .product(name: "NIOHTTP1", package: "swift-nio"),
        .product(name: "NIOEmbedded", package: "swift-nio"),
        .product(name: "HTTPTypes", package: "swift-http-types"),
      ],
      swiftSettings: house),
  ]
}
