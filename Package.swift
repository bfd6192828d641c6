// swift-tools-version: 6.2
import PackageDescription

// From the ground up. A target is what somebody can use without its neighbours: another program, another platform, another
// privilege, another library in C. Everything else is a folder.

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
/// What serves the panel.
func panel(_ product: String, from package: String) -> Target.Dependency {
  .product(name: product, package: package, condition: .when(traits: ["Panel"]))
}

let package = Package(
  name: "stepperd",
  products: [
    .library(name: "StepperBridge", targets: ["StepperBridge"]),
    .library(name: "StepperClient", targets: ["StepperClient"]),
    .library(name: "StepperInterfaces", targets: ["StepperInterfaces"]),
    .library(name: "Varlink", targets: ["Varlink"]),
    .executable(name: "stepperd", targets: ["stepperd"]),
    .executable(name: "stepperctl", targets: ["stepperctl"]),
    .executable(name: "stepperd-link", targets: ["stepperd-link"]),
    .executable(name: "stepperd-mqtt", targets: ["stepperd-mqtt"]),
    .executable(name: "stepperd-serial", targets: ["stepperd-serial"]),
    .executable(name: "stepperd-midi", targets: ["stepperd-midi"]),
    .executable(name: "stepperd-web", targets: ["stepperd-web"]),
    .executable(name: "varlink-generate", targets: ["varlink-generate"]),
  ],
  traits: [
    .trait(name: "Panel", description: "stepperd-web. Without it its libraries are not fetched."),
    .default(enabledTraits: ["Panel"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
    .package(url: "https://github.com/apple/swift-system", from: "1.8.1"),
    // Without traits: neither all of Foundation nor another reader of configurations.
    .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1", traits: []),
    .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
    .package(url: "https://github.com/apple/swift-nio", from: "2.101.0"),
    .package(url: "https://github.com/apple/swift-nio-extras", from: "1.34.1"),
  ],
  targets: [
    // Libraries in C. A Swift target imports one of them: with two the compiler attributes members of libc's structures to
    // the wrong one.
    .systemLibrary(
      name: "CLinux", pkgConfig: "libevdev", providers: [.apt(["libevdev-dev", "libudev-dev"])]),
    // Without pkg-config's flags for libpulse, -D_REENTRANT and -pthread, which SwiftPM refuses with a warning.
    .systemLibrary(
      name: "CLinks", pkgConfig: "alsa",
      providers: [.apt(["libasound2-dev", "libpulse-dev"])]),
    .systemLibrary(
      name: "CMosquitto", pkgConfig: "libmosquitto", providers: [.apt(["libmosquitto-dev", "libssl-dev"])]),

    // Pure: values without a clock, a descriptor or an operating system.
    .target(name: "StepperCore", swiftSettings: house),
    .target(name: "Varlink", resources: [.embedInCode("Service/Interfaces")], swiftSettings: house),
    .target(name: "StepperText", dependencies: ["StepperCore", "Varlink"], swiftSettings: house),
    .target(
      name: "StepperInterfaces", dependencies: ["Varlink"], resources: [.embedInCode("Interfaces")],
      swiftSettings: house),
    .target(
      name: "StepperConfiguration", dependencies: ["StepperCore", "StepperText", "Varlink"],
      resources: [.embedInCode("default.toml"), .embedInCode("Profiles")], swiftSettings: house),

    // What other programs use, in any Swift program.
    .target(
      name: "StepperClient", dependencies: ["StepperCore", "StepperInterfaces", "Varlink"],
      swiftSettings: house),
    .target(
      name: "StepperBridge", dependencies: ["StepperClient", "StepperCore", "StepperInterfaces"],
      swiftSettings: house),
    .executableTarget(
      name: "varlink-generate", dependencies: ["Varlink", argumentParser, systemPackage], swiftSettings: house
    ),

    // Descriptors and the kernel.
    .target(
      name: "StepperLinux",
      dependencies: ["CLinux", "StepperCore", "StepperText", "Varlink", logging, systemPackage],
      swiftSettings: house),

    // The daemon: the only place where a request becomes an input of the engine.
    .target(
      name: "StepperDaemon",
      dependencies: [
        "StepperCore", "StepperText", "Varlink", "StepperInterfaces", "StepperConfiguration", "StepperLinux",
        logging, systemPackage,
      ], swiftSettings: singleThreaded),
    .executableTarget(
      name: "stepperd",
      dependencies: [
        "CLinux", "StepperDaemon", "StepperConfiguration", "StepperLinux", "Varlink", logging, systemPackage,
      ], swiftSettings: singleThreaded),

    // The tool of people.
    .target(
      name: "StepperCommands",
      dependencies: [
        "StepperCore", "StepperText", "Varlink", "StepperInterfaces", "StepperConfiguration", "StepperClient",
        "StepperLinux", argumentParser, systemPackage,
      ], resources: [.embedInCode("Arguments/completion.bash")], swiftSettings: house),
    .executableTarget(name: "stepperctl", dependencies: ["StepperCommands"], swiftSettings: house),

    // Programs beside the daemon: their beginning, their end and the service manager; then sound and screens, an MQTT
    // broker, browsers.
    .target(
      name: "StepperProgram",
      dependencies: [
        "StepperClient", "StepperConfiguration", "StepperCore", "StepperInterfaces", "StepperLinux",
        "StepperText", "Varlink", argumentParser, logging, systemPackage,
      ], swiftSettings: house),
    .executableTarget(
      name: "stepperd-link",
      dependencies: [
        "CLinks", "StepperBridge", "StepperClient", "StepperConfiguration", "StepperCore",
        "StepperInterfaces", "StepperLinux", "StepperProgram", "StepperText", "Varlink", argumentParser,
        logging, systemPackage,
      ], swiftSettings: house),
    .target(
      name: "StepperMQTT",
      dependencies: [
        "CMosquitto", "StepperClient", "StepperCore", "StepperInterfaces", "StepperText", "Varlink",
      ], swiftSettings: house),
    .executableTarget(
      name: "stepperd-mqtt",
      dependencies: [
        "StepperMQTT", "StepperClient", "StepperConfiguration", "StepperCore", "StepperInterfaces",
        "StepperLinux", "StepperProgram", "StepperText", "Varlink", argumentParser, logging, systemPackage,
      ], swiftSettings: house),
    .executableTarget(
      name: "stepperd-serial",
      dependencies: [
        "StepperClient", "StepperConfiguration", "StepperCore", "StepperInterfaces", "StepperLinux",
        "StepperProgram", "StepperText", "Varlink", argumentParser, logging, systemPackage,
      ], swiftSettings: house),
    .executableTarget(
      name: "stepperd-midi",
      dependencies: [
        "CLinks", "StepperClient", "StepperConfiguration", "StepperCore", "StepperInterfaces", "StepperLinux",
        "StepperProgram", "StepperText", "Varlink", argumentParser, logging, systemPackage,
      ], swiftSettings: house),
    .target(
      name: "StepperWeb",
      dependencies: [
        "CLinux", "StepperClient", "StepperInterfaces", "Varlink", "StepperConfiguration", "StepperCore",
        "StepperText", "StepperLinux", logging, systemPackage,
        panel("HummingbirdCore", from: "hummingbird"), panel("HTTPTypes", from: "swift-http-types"),
        panel("NIOCore", from: "swift-nio"), panel("NIOPosix", from: "swift-nio"),
        panel("NIOHTTP1", from: "swift-nio"), panel("NIOHTTPTypes", from: "swift-nio-extras"),
        panel("NIOHTTPTypesHTTP1", from: "swift-nio-extras"),
      ], swiftSettings: house),
    .executableTarget(
      name: "stepperd-web",
      dependencies: [
        "StepperWeb", "StepperClient", "StepperConfiguration", "StepperProgram", "StepperLinux",
        argumentParser, logging, systemPackage,
      ], swiftSettings: house),

    // Examples of the documents; with the settings of any program, not of the house.
    .executableTarget(
      name: "varlink-example", dependencies: ["Varlink"], path: "Documentation/examples/swift",
      resources: [.embedInCode("org.example.counter.varlink")]),
    .executableTarget(
      name: "bridge-example", dependencies: ["StepperBridge", "StepperClient"],
      path: "Documentation/examples/bridge"),

    // Programs that measure and search: Scripts/measure/cost, Scripts/measure/bench, Scripts/stress/fuzz, Scripts/suites/fleet.
    .executableTarget(
      name: "engine-benchmark", dependencies: ["StepperCore", "StepperLinux"], path: "Benchmarks/Engine",
      swiftSettings: house),
    .target(
      name: "FuzzTargets",
      dependencies: [
        "StepperCore", "StepperText", "StepperInterfaces", "Varlink", "StepperConfiguration", "StepperLinux",
        "StepperClient", "StepperDaemon", "StepperCommands", "StepperMQTT", "StepperBridge", "StepperWeb",
      ], path: "Tests/Fuzz/Targets", swiftSettings: house),
    .executableTarget(
      name: "stepperd-fuzz", dependencies: ["FuzzTargets"], path: "Tests/Fuzz/Driver", swiftSettings: house),
    .executableTarget(
      name: "fleet",
      dependencies: [
        "StepperMQTT", "StepperCore", "StepperInterfaces", "StepperLinux", "Varlink", argumentParser,
        systemPackage,
      ], path: "Tests/Fleet/Program", swiftSettings: house),
    .executableTarget(
      name: "certification",
      dependencies: ["StepperDaemon", "StepperCore", "StepperLinux", "StepperInterfaces", "Varlink"],
      path: "Tests/Certification", resources: [.embedInCode("Interfaces")], swiftSettings: house),
    .executableTarget(
      name: "input-probe", dependencies: ["StepperLinux", "StepperCore", systemPackage],
      path: "Tests/InputProbe", swiftSettings: singleThreaded),

    // Tests, a target for each of those above.
    .target(
      name: "TestSupport", dependencies: ["StepperInterfaces", "Varlink"], path: "Tests/TestSupport",
      swiftSettings: house),
    .testTarget(
      name: "StepperCoreTests",
      dependencies: [
        "StepperCore", "StepperText", "StepperConfiguration", "StepperCommands", "TestSupport",
      ], exclude: ["Timelines", "Vectors"], swiftSettings: house),
    .testTarget(
      name: "StepperRecordingTests",
      dependencies: [
        "StepperText", "StepperConfiguration", "StepperCommands", "StepperCore", "StepperLinux",
        "TestSupport",
      ], exclude: ["Recordings"], swiftSettings: house),
    .testTarget(
      name: "VarlinkTests", dependencies: ["Varlink", "StepperInterfaces", "TestSupport", "varlink-example"],
      swiftSettings: house),
    .testTarget(
      name: "VarlinkGenerateTests", dependencies: ["Varlink", "varlink-generate"], swiftSettings: house),
    .testTarget(
      name: "StepperInterfacesTests", dependencies: ["StepperInterfaces", "Varlink"], swiftSettings: house),
    .testTarget(
      name: "StepperConfigurationTests",
      dependencies: [
        "StepperConfiguration", "StepperCore", "StepperText", "StepperLinux", "TestSupport",
      ], swiftSettings: house),
    .testTarget(
      name: "StepperClientTests",
      dependencies: ["StepperClient", "StepperCore", "StepperInterfaces", "Varlink", "TestSupport"],
      swiftSettings: house),
    .testTarget(
      name: "StepperBridgeTests",
      dependencies: [
        "StepperBridge", "StepperClient", "StepperInterfaces", "TestSupport", "stepperd", "bridge-example",
      ], swiftSettings: house),
    .testTarget(
      name: "StepperLinuxTests",
      dependencies: [
        "StepperLinux", "StepperCore", "StepperText", "TestSupport", "input-probe", logging, systemPackage,
      ], swiftSettings: house),
    .testTarget(
      name: "StepperDaemonTests",
      dependencies: [
        "StepperDaemon", "StepperConfiguration", "StepperCore", "StepperText", "StepperLinux",
        "StepperInterfaces", "Varlink", "TestSupport", "stepperd", "certification", logging, systemPackage,
      ], exclude: ["SyntheticRecordings"], swiftSettings: house),
    .testTarget(
      name: "StepperctlTests",
      dependencies: [
        "StepperCommands", "stepperctl", "stepperd", "StepperConfiguration", "StepperCore", "StepperLinux",
        "StepperInterfaces", "Varlink", "TestSupport", "FuzzTargets",
      ], swiftSettings: house),
    .testTarget(
      name: "StepperLinkTests",
      dependencies: [
        "stepperd-link", "StepperBridge", "StepperConfiguration", "StepperCore", "StepperClient",
        "StepperInterfaces", "StepperText", "TestSupport", "stepperd",
      ], swiftSettings: house),
    .testTarget(
      name: "StepperMQTTTests",
      dependencies: [
        "StepperMQTT", "StepperClient", "StepperCore", "StepperInterfaces", "Varlink", "TestSupport",
        "stepperd-mqtt", "stepperd", "stepperctl",
      ], swiftSettings: house),
    .testTarget(
      name: "StepperSerialTests",
      dependencies: [
        "StepperClient", "StepperConfiguration", "StepperCore", "StepperInterfaces", "StepperLinux",
        "StepperProgram", "TestSupport", "Varlink", "stepperd-serial", "stepperd", "stepperctl",
      ], swiftSettings: house),
    .testTarget(
      name: "StepperMidiTests",
      dependencies: [
        "StepperClient", "StepperConfiguration", "StepperCore", "StepperDaemon", "StepperInterfaces",
        "StepperLinux", "StepperProgram", "TestSupport", "stepperd-midi", systemPackage,
      ], swiftSettings: house),
    .testTarget(
      name: "StepperWebTests",
      dependencies: [
        "StepperWeb", "stepperd-web", "StepperConfiguration", "StepperCore", "StepperInterfaces",
        "StepperLinux", "Varlink", "TestSupport", logging,
        panel("NIOCore", from: "swift-nio"), panel("NIOHTTP1", from: "swift-nio"),
        panel("NIOEmbedded", from: "swift-nio"), panel("HTTPTypes", from: "swift-http-types"),
      ], swiftSettings: house),
    .testTarget(
      name: "FuzzTests", dependencies: ["FuzzTargets", "StepperInterfaces", "TestSupport", "Varlink"],
      swiftSettings: house),
  ],
  swiftLanguageModes: [.v6]
)
