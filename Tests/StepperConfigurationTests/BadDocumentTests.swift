import Testing

@testable import StepperConfiguration

/// Wrong files and devices, and all that is said about them.
@Suite struct BadDocumentTests {
  @Test(arguments: [
    (
      "demon = 1",
      #"f:1:1: error: demon: unknown key (did you mean "daemon"?)"#
    ),
    (
      "profile.x.base = \"gtk4\"",
      #"f:1:18: error: profile.x.base: there is no profile "gtk4" (did you mean "gtk"?)"#
    ),
    (
      "profile.gtk.step = 2",
      #"f:1:9: error: profile.gtk: comes with stepperd; derive your own with another name and base = "gtk""#
    ),
    (
      "profile.a.base = \"a\"\nprofile.b.base = \"a\"",
      #"f:1:18: error: profile.a.base: the profile is derived from itself"#
    ),
    ("daemon = 5", "f:1:10: error: daemon: must be a table, found 5"),
    (
      "[daemon]\nsocket = \"run\"",
      "f:2:10: error: daemon.socket: must be an absolute path, which begins with \"/\", found \"run\""
    ),
    ("control = 5", "f:1:11: error: control: must be tables [control.NAME], found 5"),
    (
      "device.d = {}",
      "f:1:8: error: device.d: needs match = { … } to say which device it is, virtual = true, led = \"NAME\" or vibrator = \"NAME\""
    ),
    (
      "device.d = { virtual = true, match = { name = \"x\" } }",
      #"f:1:30: error: device.d.match: a virtual device matches nothing; leave out "match" or "virtual""#
    ),
    (
      "device.d.match = {}",
      "f:1:18: error: device.d.match: needs a condition: without one it matches every device"
    ),
    ("device.d.match = []", "f:1:18: error: device.d.match: must not be empty"),
    (
      "device.d.match.vendor = 1234",
      #"f:1:25: error: device.d.match.vendor: must be up to four hexadecimal digits in quotes such as "077d", found 1234"#
    ),
    (
      "device.d.match.vendor = \"+77d\"",
      #"f:1:25: error: device.d.match.vendor: must be up to four hexadecimal digits in quotes such as "077d", found "+77d""#
    ),
    (
      "device.d.match.has = \"REL_DIALS\"",
      #"f:1:22: error: device.d.match.has: there is no key or axis "REL_DIALS"; use the kernel's names such as "REL_DIAL" or "KEY_VOLUMEUP" (did you mean "REL_DIAL"?)"#
    ),
    (
      "device.d = { virtual = true, counts-per-detent = 0 }",
      "f:1:50: error: device.d.counts-per-detent: must be an integer from 1 to 100000, found 0"
    ),
    (
      "device.d = { virtual = true, strength = 1.5 }",
      "f:1:41: error: device.d.strength: must be a number from 0 to 1, found 1.5"
    ),
    (
      "device.d = { virtual = true, acceleration = { slow = 9, fast = 9 } }",
      #"f:1:45: error: device.d.acceleration: "slow" must be less than "fast""#
    ),
    (
      "device.\"a b\".virtual = true",
      #"f:1:8: error: device."a b": the name "a b" must be made of lower-case letters, digits, - and _"#
    ),
    (
      "device.d = { virtual = true, axis = { ABS_X = { minimum = 1 } } }",
      #"f:1:39: error: device.d.axis.ABS_X: a virtual device has the axis fader alone, found "ABS_X""#
    ),
    (
      "device.d = { virtual = true, axis = { fade = {} } }",
      #"f:1:39: error: device.d.axis.fade: a virtual device has the axis fader alone, found "fade" (did you mean "fader"?)"#
    ),
    ("title = \"a\\u0000b\"", "f:1:9: error: title: must not contain a NUL character"),
  ])
  func `a wrong document is told in one line with its place`(text: String, expected: String) {
    let errors = load(text).problems.filter { $0.severity == .error }.map(\.description)
    #expect(errors == [expected])
  }

  @Test func `a long name is refused`() {
    let name = String(repeating: "n", count: 65)
    #expect(
      problems(in: "[control.\(name)]")
        == [
          "f:1:1: error: control.\"\(name.prefix(60))…\": the name is 65 bytes long; at most 64 are allowed"
        ])
  }

  @Test func `a name with a dot wants quotes`() {
    #expect(
      problems(in: "[control.a.b]")
        == [
          #"f:1:1: error: control.a.b: unknown key; a name with a dot is written in quotes: [control."a.b"]"#
        ])
    #expect(problems(in: "[control.\"a.b\"]").isEmpty)
  }

  @Test func `too many controls are refused`() {
    let text = (0...256).map { "[control.c\($0)]\n" }.joined()
    #expect(problems(in: text) == ["f:257:1: error: control.c256: 257 tables; at most 256 are allowed"])
  }

  @Test func `too large and too deep files are refused before they are parsed`() {
    #expect(
      problems(in: String(repeating: "#", count: 1_048_577))
        == ["f: error: is 1048577 bytes long; at most 1048576 are allowed"])
    #expect(
      problems(in: "x = " + String(repeating: "[", count: 100_000)).first
        == "f:1:37: error: x[0][0][0].…[0][0][0][0]: is nested too deeply; at most 32 levels are allowed")
  }

  @Test func `all problems are told at once in the order of the file`() {
    let text = #"""
      # A comment = "that looks like a key"
      control."c".step = 0
      control.'c'.title = """
      [device.no]
      step = 1"""
      device.d = { virtual = true, grabs = true }

      [control.d]
      increment = [ # several
        "d:plus",
        "e:plus", # line 11
      ]
      digits = 'x'
      """#
    #expect(
      load(text).problems.map { "\($0.line ?? 0) \($0.keyPath)" }
        == [
          "2 control.c.step", "3 control.c.title", "6 device.d.grabs", "11 control.d.increment[1]",
          "13 control.d.digits",
        ])
  }

  @Test func `an idle device and a file without controls are only warned of`() {
    let (configuration, problems) = load("device.d.virtual = true")
    #expect(configuration != nil)
    #expect(
      Set(problems.map(\.description)) == [
        "f:1:8: warning: device.d: no control uses this device",
        "f: warning: no control is defined, and the file takes the place of the built-in configuration; add a table such as [control.volume]",
      ])
  }
}
