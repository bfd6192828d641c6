import StepperCore
import Testing

@testable import StepperConfiguration

/// A text and what one change makes of it.
struct EditingTests {
  private func edited(
    _ text: String, _ change: (inout DocumentEditor) throws -> Void
  ) throws -> String {
    var editor = try DocumentEditor(Array(text.utf8))
    try change(&editor)
    return editor.text
  }

  private let volume = ValuePath.root["control"]["volume"]

  @Test func `a value is replaced, and the comment behind it stays`() throws {
    let text = "# mine\n[control.volume]\nmaximum = 50 # loud\nstep=2\n"
    let result = try edited(text) { editor in
      try editor.set(volume["maximum"], to: .integer(80))
    }
    #expect(result == "# mine\n[control.volume]\nmaximum = 80 # loud\nstep=2\n")
  }

  @Test func `the same value leaves the text as it is`() throws {
    let text = "[control.volume]\nmaximum = 5_0\n"
    let result = try edited(text) { editor in
      try editor.set(volume["maximum"], to: .integer(50))
    }
    #expect(result == text)
  }

  @Test(arguments: [
    // A table with a header; its comments and the next table stay.
    (
      "[control.volume]\n  maximum = 50 # a\n\n# b\n[control.bass]\n",
      "[control.volume]\n  maximum = 50 # a\n  step = 2\n\n# b\n[control.bass]\n"
    ),
    ("[control.volume]", "[control.volume]\nstep = 2\n"),
    ("[control.volume] # x\r\n\r\n", "[control.volume] # x\r\nstep = 2\r\n\r\n"),
    // Dotted keys.
    ("[control]\nvolume.maximum = 5\nx.y = 1\n", "[control]\nvolume.maximum = 5\nvolume.step = 2\nx.y = 1\n"),
    (
      "control.volume.maximum = 5\n[device.a]\n",
      "control.volume.maximum = 5\ncontrol.volume.step = 2\n[device.a]\n"
    ),
    // Braces.
    ("control = { volume = { maximum = 5 } }", "control = { volume = { maximum = 5, step = 2 } }"),
    ("control.volume = {}\n", "control.volume = { step = 2 }\n"),
    (
      "control = { volume.maximum = 5, a = 1 }\n",
      "control = { volume.maximum = 5, volume.step = 2, a = 1 }\n"
    ),
    ("[control]\nvolume = { } # v\n", "[control]\nvolume = { step = 2 } # v\n"),
    // Quoted keys, and a value of several lines before.
    (
      "['control'.\"volume\"]\ntitle = \"\"\"\n[control.volume]\n\"\"\"\n",
      "['control'.\"volume\"]\ntitle = \"\"\"\n[control.volume]\n\"\"\"\nstep = 2\n"
    ),
    // Only its tables have headers.
    (
      "# top\n\n# feel\n[control.volume.repeat]\ndelay = \"1s\"\n",
      "# top\n\n[control.volume]\nstep = 2\n\n# feel\n[control.volume.repeat]\ndelay = \"1s\"\n"
    ),
    // There is no such table yet.
    ("[control.bass]\nstep = 1\n", "[control.bass]\nstep = 1\n\n[control.volume]\nstep = 2\n"),
    (
      "[control.bass]\nstep = 1\n# of bass\n\n# of d\n[device.d]\n",
      "[control.bass]\nstep = 1\n# of bass\n\n[control.volume]\nstep = 2\n\n# of d\n[device.d]\n"
    ),
    ("", "[control.volume]\nstep = 2\n"),
    ("\u{feff}# only this", "\u{feff}# only this\n\n[control.volume]\nstep = 2\n"),
  ])
  func `a new key is written in the form of its table`(before: String, after: String) throws {
    let result = try edited(before) { editor in
      try editor.set(volume["step"], to: .integer(2))
    }
    #expect(result == after)
  }

  @Test func `a table goes behind its siblings, or before the one it precedes`() throws {
    let text = "[device.a]\nvirtual = true\n\n# the controls\n[control.c]\n"
    let knob: [ValueLiteral.Entry] = [.init("match", .table([.init("name", .string("A \"knob\""))]))]
    let devices = ValuePath.root["device"]
    let behind = try edited(text) { editor in try editor.addTable(devices["k"], knob) }
    let lines = "[device.k]\nmatch = { name = \"A \\\"knob\\\"\" }\n\n"
    #expect(behind == "[device.a]\nvirtual = true\n\n\(lines)# the controls\n[control.c]\n")
    let before = try edited(text) { editor in
      try editor.addTable(devices["k"], knob, before: devices["a"])
    }
    #expect(before == lines + text)
  }

  @Test(arguments: [
    (
      "[control.volume]\nrotate = \"a:REL_X\" # x\n",
      "[control.volume]\nrotate = [\"a:REL_X\", \"new\"] # x\n"
    ),
    ("[control.volume]\nrotate = []\n", "[control.volume]\nrotate = [\"new\"]\n"),
    ("[control.volume]\nrotate = [\"a\", 'b', ]\n", "[control.volume]\nrotate = [\"a\", 'b', \"new\" ]\n"),
    (
      "[control.volume]\nrotate = [\n  \"a\", # first\n  \"b\" # last\n]\n",
      "[control.volume]\nrotate = [\n  \"a\", # first\n  \"b\", # last\n  \"new\"\n]\n"
    ),
    (
      "[control.volume]\r\nrotate = [\r\n\t\"b\", # last\r\n]\r\n",
      "[control.volume]\r\nrotate = [\r\n\t\"b\", # last\r\n\t\"new\",\r\n]\r\n"
    ),
    ("[control.volume]\n", "[control.volume]\nrotate = \"new\"\n"),
  ])
  func `a value is added to an array`(before: String, after: String) throws {
    let result = try edited(before) { editor in
      try editor.append(.string("new"), to: volume["rotate"])
    }
    #expect(result == after)
  }

  @Test(arguments: [
    ("a = [1, 2, 3]", 0, "a = [2, 3]"), ("a = [1, 2, 3]", 1, "a = [1, 3]"),
    ("a = [1, 2 , 3,]", 2, "a = [1, 2 , ]"),
    ("a = [1]", 0, "a = []"), ("a = [1, 2]", 1, "a = [1, ]"),
    ("a = [\n  1, # one\n  2 # two\n]", 0, "a = [\n  # one\n  2 # two\n]"),
  ])
  func `an element is removed from an array`(before: String, index: Int, after: String) throws {
    let result = try edited(before) { editor in
      try editor.remove(index, from: .root["a"])
    }
    #expect(result == after)
  }

  @Test(arguments: [
    ("[[control.volume]]\nstep = 1\n", "write in [control.volume]: step = 2"),
    ("control = [{ volume = 1 }]\n", "control is an array"),
    ("control.volume = 7\n", "line 1: control.volume.step cannot be changed: control.volume is an integer"),
    ("[control.volume.step]\na = 1\n", "it is a table with lines of its own"),
  ])
  func `what has another form is refused with the words to write`(text: String, reason: String) throws {
    var editor = try DocumentEditor(Array(text.utf8))
    let refusal = #expect(throws: EditRefusal.self) {
      try editor.set(volume["step"], to: .integer(2))
    }
    #expect(refusal?.message.contains(reason) == true, "\(refusal?.message ?? "")")
    #expect(editor.text == text)
  }

  @Test func `what is not TOML is refused`() {
    #expect(throws: EditRefusal.self) {
      _ = try DocumentEditor(Array("a = \n".utf8))
    }
  }

  @Test(arguments: ["plain", "", "\"", "\\", "\n\t\r\u{1b}", "\u{202e}\u{1F600}é", "a\u{7f}"])
  func `a text is read as it was written`(text: String) throws {
    let result = try edited("") { editor in
      try editor.set(.root["a b"]["é"], to: .string(text))
    }
    let document = Document(Array(result.utf8))
    guard case .table(let table)? = document.root["a b"], case .string(let read)? = table["é"] else {
      Issue.record("\(result)")
      return
    }
    #expect(read.isExactly(text))
  }
}

/// Inputs of a control that are bound to other ones.
struct BindingEditingTests {
  private let rotate = ValuePath.root["control"]["c"]["rotate"]

  @Test(arguments: [
    ("", [], "rotate = \"knob:REL_X\"\n"),
    ("rotate = \"knob:REL_X\" # x\n", [], "rotate = \"knob:REL_X\" # x\n"),
    ("rotate = \"old:REL_X\" # x\n", ["old:REL_X"], "rotate = \"knob:REL_X\" # x\n"),
    ("rotate = \"old:REL_X\" # x\n", [], "rotate = [\"old:REL_X\", \"knob:REL_X\"] # x\n"),
    (
      "rotate = [\"panel:dial\", \"old:REL_X\", \"old:REL_Y\"]\n", ["old:REL_X", "old:REL_Y"],
      "rotate = [\"panel:dial\", \"knob:REL_X\", ]\n"
    ),
    (
      "rotate = { input = \"old:REL_X\", multiplier = 2 }\n", ["old:REL_X"],
      "rotate = { input = \"knob:REL_X\", multiplier = 2 }\n"
    ),
    (
      "rotate = { input = \"old:REL_X\", while = \"old:BTN_0\" }\n", ["old:REL_X"],
      "rotate = [{ input = \"old:REL_X\", while = \"old:BTN_0\" }, \"knob:REL_X\"]\n"
    ),
    (
      "rotate = { input = \"old:REL_X\", when = { mode = \"a\" } }\n", ["old:REL_X"],
      "rotate = [{ input = \"old:REL_X\", when = { mode = \"a\" } }, \"knob:REL_X\"]\n"
    ),
    ("rotate = [\"knob:REL_X\", \"old:REL_X\"]\n", ["old:REL_X"], "rotate = [\"knob:REL_X\", ]\n"),
  ])
  func `an input takes the place of others or stands beside them`(
    before: String, replaced: [String], after: String
  ) throws {
    var editor = try DocumentEditor(Array("[control.c]\n\(before)".utf8))
    try editor.bind("knob:REL_X", to: rotate, replacing: Set(replaced))
    #expect(editor.text == "[control.c]\n\(after)")
    try editor.bind("knob:REL_X", to: rotate, replacing: Set(replaced))
    #expect(editor.text == "[control.c]\n\(after)")
  }
}
