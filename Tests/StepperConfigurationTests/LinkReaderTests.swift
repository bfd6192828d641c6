import StepperCore
import Testing
@testable import StepperConfiguration

@Suite struct `The links` {
  static let controls = """
    control.volume.maximum = 60
    control.mute.kind = "toggle"
    control.door.kind = "button"
    control.free.profile = "uikit"

    """

  private func load(link lines: String) -> (link: LinkConfiguration?, problems: [String]) {
    let text = Self.controls + "[link.l]\n" + lines + "\n"
    let full = StepperConfigurationTests.load(text)
    let alone = LinkConfiguration.load(Array(text.utf8), file: "f")
    if let links = full.configuration?.links { #expect(alone.result == links) }
    return (full.configuration?.links.first, full.problems.map(\.description))
  }

  @Test func `are read from all keys`() {
    let (link, problems) = load(
      link: """
        control = "volume"
        mute = "mute"
        to = "alsa:hw:0/Master, Front"
        start = "control"
        start-at-most = 40.5
        rate = 20
        curve = "raw"
        scope = "session"
        """)
    #expect(problems == [])
    #expect(link?.control == "volume")
    #expect(link?.mute == "mute")
    #expect(link?.target == .alsa(card: "hw:0", element: "Master, Front"))
    #expect(link?.start == .control)
    #expect(link?.startAtMost?.doubleValue == 40.5)
    #expect(link?.rate == 20)
    #expect(link?.curve == .raw)
    #expect(link?.scope == .session)
  }

  @Test func `have the usual of their kind`() {
    func usual(_ target: String) -> String {
      let link = load(link: "control = \"volume\"\n\(target)").link
      return link.map { "\($0.target.kind) \($0.curve) \($0.scope) \($0.start) \($0.rate)" } ?? "none"
    }
    #expect(usual("to = \"pulse:@DEFAULT_SINK@\"") == "pulse raw session outside 50")
    #expect(usual("to = \"alsa:default/Master\"") == "alsa mapped board outside 50")
    #expect(usual("to = \"backlight:panel\"") == "backlight perceptual board outside 50")
    #expect(usual("to = \"led:front::status\"") == "led perceptual board outside 50")
    #expect(usual("command = [\"/bin/cat\"]") == "command raw board outside 50")
  }

  static let wrong: [(lines: String, problem: String)] = [
    (
      "control = \"volum\"\nto = \"pulse:x\"",
      "f:6:11: error: link.l.control: there is no [control.volum] (did you mean \"volume\"?)"
    ),
    ("to = \"pulse:x\"", "f:5:1: error: link.l: needs control = \"NAME\", the control that is kept equal"),
    (
      "control = \"door\"\nto = \"pulse:x\"",
      "f:6:11: error: link.l.control: \"door\" is a button, which has no value that could be kept equal"
    ),
    (
      "control = \"volume\"",
      "f:5:1: error: link.l: needs to = \"pulse:@DEFAULT_SINK@\" or another target, or command = [\"PROGRAM\", …]"
    ),
    (
      "control = \"volume\"\nto = \"puls:x\"",
      "f:7:6: error: link.l.to: must be \"pulse:SINK\", \"alsa:CARD/ELEMENT\", \"backlight:NAME\" or \"led:NAME\", found \"puls:x\" (did you mean \"pulse\"?)"
    ),
    (
      "control = \"volume\"\nto = \"alsa:Master\"",
      "f:7:6: error: link.l.to: must be a card and an element such as \"alsa:default/Master\" or \"alsa:hw:0/PCM\", found \"Master\""
    ),
    (
      "control = \"volume\"\nto = \"backlight:../x\"",
      "f:7:6: error: link.l.to: must be a name in /sys/class, not a path, found \"../x\""
    ),
    ("control = \"volume\"\nto = \"led:\"", "f:7:6: error: link.l.to: has nothing behind \"led:\""),
    (
      "control = \"volume\"\nto = \"pulse:x\"\ncommand = [\"/bin/cat\"]",
      "f:8:1: error: link.l.command: either \"to\" or \"command\", not both"
    ),
    (
      "control = \"volume\"\ncommand = [\"cat/it\"]",
      "f:7:12: error: link.l.command[0]: commands begin in /; write the whole path, found \"cat/it\""
    ),
    (
      "control = \"volume\"\ncommand = \"cat\"",
      "f:7:11: error: link.l.command: must be an array of 1 to 64 texts, the program and its arguments; no shell reads them"
    ),
    (
      "control = \"volume\"\nto = \"pulse:x\"\ncurve = \"mapped\"",
      "f:8:9: error: link.l.curve: \"mapped\" does not apply to pulse; known are \"raw\""
    ),
    (
      "control = \"volume\"\nto = \"led:x\"\nmute = \"mute\"",
      "f:8:1: error: link.l.mute: only \"pulse:…\" and \"alsa:…\" can be muted"
    ),
    (
      "control = \"volume\"\nto = \"pulse:x\"\nmute = \"volume\"",
      "f:8:8: error: link.l.mute: \"volume\" must be a control of kind \"toggle\", on while it is muted"
    ),
    (
      "control = \"volume\"\nto = \"pulse:x\"\nstart-at-most = -1",
      "f:8:17: error: link.l.start-at-most: is below the minimum of \"volume\", 0"
    ),
    (
      "control = \"volume\"\nto = \"alsa:hw:0/PCM\"\nstart-at-most = 60",
      "f:8:1: warning: link.l.start-at-most: has no effect: the maximum of \"volume\" is 60"
    ),
    (
      "control = \"volume\"\nto = \"pulse:x\"\nrate = 0",
      "f:8:8: error: link.l.rate: must be an integer from 1 to 1000, found 0"
    ),
    (
      "control = \"volume\"\nto = \"pulse:x\"\nstart-at-mots = 3",
      "f:8:1: error: link.l.start-at-mots: unknown key (did you mean \"start-at-most\"?)"
    ),
  ]

  @Test(arguments: wrong) func `say what is wrong`(lines: String, problem: String) {
    #expect(load(link: lines).problems == [problem])
  }

  @Test func `need a range that something can be spread over`() {
    let text = "[control.c]\nminimum = \"none\"\n[link.l]\ncontrol = \"c\"\nto = \"pulse:x\"\n"
    let problems = problems(in: text)
    #expect(
      problems.contains { $0.contains("link.l.control: the range of \"c\" has an open end") }, "\(problems)")
  }
}
