import StepperCore
import Testing

@testable import StepperConfiguration

/// Keys for programs that show controls.
@Suite struct PresentationDocumentTests {
  @Test func `a subtitle is written like a title, and a group is a string`() throws {
    let text = """
      [control.plain]
      subtitle = "below"
      group = "Sound"
      [control.translated]
      subtitle.de = "darunter"
      subtitle.en = "below"
      """
    let controls = try #require(load(text).configuration?.controls)
    #expect(controls.map(\.subtitle) == ["below", "below"])
    #expect(controls.map(\.subtitles) == [[:], ["de": "darunter", "en": "below"]])
    #expect(controls.map(\.group?.name) == ["Sound", nil])
    #expect(problems(in: text).isEmpty)
  }

  @Test func `the title of a group is that of all its controls`() throws {
    let text = """
      [control.a]
      group = "sound"
      [control.b]
      group = { name = "sound", title = { en = "Sound", de = "Klang" } }
      [control.c]
      group = { name = "light", title = "Light" }
      [control.d]
      group.name = "sound"
      """
    let controls = try #require(load(text).configuration?.controls)
    #expect(controls.map(\.group?.name) == ["sound", "sound", "light", "sound"])
    #expect(controls.map(\.group?.title) == ["Sound", "Sound", "Light", "Sound"])
    #expect(controls.map(\.group?.titles["de"]) == ["Klang", "Klang", nil, "Klang"])
    #expect(problems(in: text).isEmpty)
  }

  @Test func `the first title of a group counts, and another one is told`() throws {
    let text = """
      [control.a]
      group = { name = "sound", title = "Sound" }
      [control.b]
      group = { name = "sound", title = "Noise" }
      [control.c]
      group = { name = "sound", title = "Sound" }
      """
    #expect(load(text).configuration?.controls.map(\.group?.title) == ["Sound", "Sound", "Sound"])
    #expect(
      problems(in: text) == [
        "f:4:9: warning: control.b.group: the group \"sound\" has another title in an earlier control, which is used"
      ])
  }

  @Test(arguments: [
    (#"subtitle = 1"#, "f:4:12: error: control.c.subtitle: must be a text in quotes, found 1"),
    (#"subtitle = """#, "f:4:12: error: control.c.subtitle: must not be empty"),
    (
      #"subtitle = { d_e = "x" }"#,
      #"f:4:14: error: control.c.subtitle.d_e: must be a language tag such as "de" or "pt-BR", found "d_e""#
    ),
    (#"group = { title = "Sound" }"#, #"f:4:9: error: control.c.group: needs name = "NAME""#),
    (#"group = ["a"]"#, "f:4:9: error: control.c.group: must be a text in quotes, found an array"),
    (
      "group = \"a\\nb\"",
      #"f:4:9: error: control.c.group: must not contain control characters, found "a\nb""#
    ),
  ])
  func `what is wrong with them is said`(line: String, error: String) {
    #expect(errors(inControl: line) == [error])
  }

  @Test func `the family of a profile is the nearest one that comes with stepperd`() throws {
    let text = """
      [profile.own]
      [profile.mine]
      base = "gtk/gtk3"
      [profile.mine-too]
      base = "mine"
      [control.a]
      [control.b]
      profile = "own"
      [control.c]
      profile = "mine-too"
      [control.d]
      profile = "material/wear"
      [control.e]
      choices = ["x", "y"]
      """
    let controls = try #require(load(text).configuration?.controls)
    #expect(controls.map(\.family) == ["uikit", "uikit", "gtk/gtk3", "material/wear", "picker"])
    #expect(Profile.builtIn.allSatisfy { $0.family == $0.name })
  }

  @Test func `a button is pressed by those whom its table names, by default by nobody`() throws {
    let text = """
      device.panel.virtual = true
      [control.door]
      kind = "button"
      push = "panel:push"
      [control.bell]
      kind = "button"
      push = "panel:push"
      writable-by = "everyone"
      """
    let controls = try #require(load(text).configuration?.controls)
    #expect(controls.map(\.writableBy) == [.nobody, .everyone])
    #expect(problems(in: text).isEmpty)
  }

  @Test func `what speaks is told`() throws {
    let text = "[control.a]\nspeak = \"spd-say\"\n[control.b]\n[control.c]\nspeak = false\n"
    #expect(load(text).configuration?.controls.map(\.isSpoken) == [true, false, false])
  }
}
