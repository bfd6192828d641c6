import Testing

@testable import StepperConfiguration

/// Errors in values that go over several lines, and what is read after them.
@Suite struct SeveralLinesTests {
  @Test(arguments: [
    (
      "x = [\"a\", \"b\"\nstep = 1",
      [
        #"f:2:1: error: x: needs "," or "]" after a value of the array that begins in line 1, found step"#
      ]
    ),
    ("x = [1, 2\n", [#"f:1:5: error: x: the array that begins here has no "]""#]),
    (
      "x = [\n  \"a\",\n  b,\n  \"c\"\n]\ny = z",
      [
        #"f:3:3: error: x[1]: texts need quotes, found b (did you mean "b"?)"#,
        #"f:6:5: error: y: texts need quotes, found z (did you mean "z"?)"#,
      ]
    ),
    (
      "x = { a = 1\nstep = 1",
      [#"f:1:5: error: x: the table in braces that begins here has no "}" in its line"#]
    ),
    (
      "x = { a = 1, }", [#"f:1:12: error: x: no "," may follow the last value of a table in braces"#]
    ),
    (
      "x = { a = 1 b = 2 }",
      [#"f:1:13: error: x: needs "," or "}" after a value of a table in braces, found b"#]
    ),
    (
      "x = {\n  a = 1, # first\n  b = 2,\n}\ny = z",
      [
        "f:1:5: error: x: a table in braces must be on one line; write it as [TABLE] with a line for each key instead",
        #"f:5:5: error: y: texts need quotes, found z (did you mean "z"?)"#,
      ]
    ),
    (
      "x = {\n  a = 1\n  b = 2\n}\ny = z",
      [
        #"f:1:5: error: x: the table in braces that begins here has no "}" in its line"#,
        #"f:5:5: error: y: texts need quotes, found z (did you mean "z"?)"#,
      ]
    ),
  ])
  func `an error in brackets is one error`(text: String, expected: [String]) {
    #expect(SyntaxErrorTests.errors(in: text) == expected)
  }

  @Test func `every wrong line is told at once, and that nothing else was looked at`() {
    let text = "control:\n  c:\n    step: 1\n[control.d]\nwraps = True\nmaximun = 3\n"
    #expect(
      problems(in: text) == [
        #"f:1:8: error: control: a value is given with "=", found ":""#,
        #"f:2:4: error: c: a value is given with "=", found ":""#,
        #"f:3:9: error: step: a value is given with "=", found ":""#,
        "f:5:9: error: control.d.wraps: true and false are written in small letters, found True",
        "f: warning: keys and values were not checked, because of these errors",
      ])
  }

  @Test func `of very many errors the first hundred are told`() {
    let problems = problems(in: String(repeating: "x\n", count: 1_000))
    #expect(problems.count == 101)
    #expect(problems.last == "f: warning: the rest of the file was not read")
  }

  @Test(arguments: [
    ("# comment\r\n[control.c]\r\nstep = 0\r\n", 3, 8), ("\u{feff}#\r\n[control.c]\r\n\tstep\t=\t0", 3, 9),
    ("\u{feff}control.c.step = 0", 1, 18),
    ("#é\u{1f600}\n'control'.c.title = 'é'\ncontrol.c.\"step\" = 0", 3, 20),
  ])
  func `line ends of Windows, tabs and a byte order mark are no errors, and places count characters`(
    text: String, line: Int, column: Int
  ) {
    let problem = load(text).problems.first
    #expect(problem?.keyPath == "control.c.step" && problem?.line == line && problem?.column == column)
  }

  @Test(arguments: [
    (Array("x = \"".utf8) + [0xff], "f:1:6: error: must be text in UTF-8, found 0xff as byte 6 of the file"),
    (
      Array("a = 1\nb = \"".utf8) + [0xc3],
      "f:2:6: error: must be text in UTF-8, found 0xc3 as byte 12 of the file"
    ),
    ([0xff, 0xfe, 0x61, 0], "f:1:1: error: must be text in UTF-8, and this is UTF-16; save it as UTF-8"),
  ])
  func `bytes that are no text are told with their place`(bytes: [UInt8], expected: String) {
    let (configuration, problems) = Configuration.load(
      bytes, file: "f")
    #expect(configuration == nil && problems.first?.description == expected)
  }
}
