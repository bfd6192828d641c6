import StepperCore
import StepperText
import Testing

@Suite struct GlobTests {
  @Test(arguments: [
    ("*", "", true), ("a*", "abc", true), ("*c", "abc", true), ("a?c", "abc", true), ("a?c", "ac", false),
    ("", "", true), ("", "a", false), ("**b*", "abc", true), ("gpio-keys*", "gpio-keys", true),
    ("rotary@*", "rotary", false), ("*a*a*a*b", String(repeating: "a", count: 200), false),
    ("a.b", "axb", false), (".*", ".a", true), ("*", ".a/b", true),
    ("/dev/input/*", "/dev/input/by-id/x", true),
    ("Foo [Bar]", "Foo [Bar]", true), ("Foo [Bar]", "Foo B", false), ("Foo [*", "Foo [Bar]", true),
    (#"a\*"#, #"a\b"#, true), (#"a\*"#, "a*", false), ("[", "[", true), ("[!a]", "b", false),
    ("]", "]", true),
    ("Kn?pf", "Knöpf", true), ("*ö*", "Knöpf", true), ("?", "旋", true),
    ("a*", "a\0b", false), ("*\0", "a", false), ("*", String(repeating: "a", count: 4_097), false),
  ])
  func `in patterns of names, a star and a question mark are special`(
    _ pattern: String, _ text: String, _ fits: Bool
  ) {
    #expect(glob(pattern, matches: text) == fits)
  }

  @Test(arguments: [
    ("evdev:name:[a-c]*", "evdev:name:big", true), ("[!a]", "b", true), ("[!a]", "a", false),
    ("[]]", "]", true),
    (#"\*"#, "*", true), (#"\*"#, "a", false), ("[", "[", true),
    ("input:b0003v077d*", "input:b0003v077dp0410", true),
    ("[ä-ü]", "ö", true),
  ])
  func `in patterns of the hardware database, brackets are special as well`(
    _ pattern: String, _ text: String, _ fits: Bool
  ) {
    #expect(shellGlob(pattern, matches: text) == fits)
  }

  @Test func `a device matches its own name`() {
    var device = DeviceIdentity(node: "/dev/input/event0")
    var match = DeviceMatch()
    for name in ["Foo [Bar]", #"Foo\Bar"#, "Knöpf [旋]", "what?", "[*]"] {
      (device.name, match.name) = (name, name)
      #expect(match.matches(device), "\(name)")
    }
  }
}
