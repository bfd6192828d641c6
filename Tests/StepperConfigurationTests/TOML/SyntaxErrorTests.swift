import Testing

@testable import StepperConfiguration

/// What is said of a text that is no TOML: where, what was found and what was meant.
@Suite struct SyntaxErrorTests {
  /// The errors of `text`, without the note that nothing else was checked.
  static func errors(in text: String) -> [String] {
    let problems = load(text).problems
    #expect(problems.last?.severity == .warning && problems.last?.line == nil)
    return problems.dropLast().map(\.description)
  }

  @Test(arguments: [
    (
      "control.c.profile = gtk",
      #"f:1:21: error: control.c.profile: texts need quotes, found gtk (did you mean "gtk"?)"#
    ),
    (
      "control.c.title = Main volume # of all",
      #"f:1:19: error: control.c.title: texts need quotes, found Main (did you mean "Main volume"?)"#
    ),
    (
      "control.c.repeat.delay = 500ms",
      #"f:1:26: error: control.c.repeat.delay: texts need quotes, found 500ms (did you mean "500ms"?)"#
    ),
    (
      "[control.c]\nstep = 50%",
      #"f:2:8: error: control.c.step: texts need quotes, found 50% (did you mean "50%"?)"#
    ),
    (
      "device.d.match.vendor = 077d",
      #"f:1:25: error: device.d.match.vendor: texts need quotes, found 077d (did you mean "077d"?)"#
    ),
    (
      "x = [one, \"two\"]", #"f:1:6: error: x[0]: texts need quotes, found one (did you mean "one"?)"#
    ),
    ("x = one\ttwo", "f:1:5: error: x: texts need quotes, found one"),
    ("x = \u{202e}one", "f:1:5: error: x: texts need quotes, found \\u{202e}one"),
    ("x = True", "f:1:5: error: x: true and false are written in small letters, found True"),
    ("x = yes", "f:1:5: error: x: must be true or false, or a text in quotes, found yes"),
    ("x = Off", "f:1:5: error: x: must be true or false, or a text in quotes, found Off"),
    (
      "x = “Main volume”",
      #"f:1:5: error: x: texts need straight quotes, found “Main (did you mean "Main volume"?)"#
    ),
    (
      "x = 5 ms",
      "f:1:7: error: x: nothing but a comment may follow a value, found ms; a text needs quotes around all of it"
    ),
    (
      #"x = "a"b""#,
      #"f:1:8: error: x: nothing but a comment may follow a value, found b"; a text needs quotes around all of it"#
    ),
    ("x = 0,5", "f:1:6: error: x: a number is written with a point, not with a comma"),
  ])
  func `a word without quotes is told with the text that was meant`(text: String, expected: String) {
    #expect(Self.errors(in: text) == [expected])
  }

  @Test(arguments: [
    (
      "x = 0123",
      "f:1:5: error: x: a number must not begin with 0, and a text needs quotes, found 0123"
    ),
    ("x = 1.", "f:1:5: error: x: a number has digits before and after its point, found 1."),
    ("x = -.5", "f:1:5: error: x: a number has digits before and after its point, found -.5"),
    ("x = 1__0", "f:1:5: error: x: an underscore in a number stands between two digits, found 1__0"),
    ("x = 1e", "f:1:5: error: x: an e in a number stands between digits, as in 1e-3, found 1e"),
    (
      "x = -0xff",
      "f:1:5: error: x: a number with 0x, 0o or 0b has only digits after it, no capital in it and no sign, found -0xff"
    ),
    (
      "x=1979-05-27 0#",
      "f:1:3: error: x: must be a date as in 1979-05-27, a time as in 07:32:00 or both with a T between, or a text in quotes, found 1979-05-27 0"
    ),
    (
      "x=1979-05-27T:",
      "f:1:3: error: x: must be a date as in 1979-05-27, a time as in 07:32:00 or both with a T between, or a text in quotes, found 1979-05-27T:"
    ),
  ])
  func `a number or date that is none is told with how it is written`(text: String, expected: String) {
    #expect(Self.errors(in: text) == [expected])
  }

  @Test(arguments: [
    (
      "x = \"Volume\nstep = 1",
      #"f:1:5: error: x: the text that begins here has no closing " in its line"#
    ),
    ("x = 'Volume", "f:1:5: error: x: the text that begins here has no closing ' in its line"),
    ("x = '''\nVolume''", "f:1:5: error: x: the text that begins here has no closing '''"),
    (
      #"x = "C:\path""#,
      #"f:1:8: error: x: a backslash in double quotes is written \\, or the text stands in single quotes; found \p"#
    ),
    (#"x = "\u12""#, #"f:1:6: error: x: \u needs four hexadecimal digits, found 12"#),
    (#"x = "\UD800""#, #"f:1:6: error: x: \U needs eight hexadecimal digits, found D800"#),
    (#"x = "\uD800""#, #"f:1:6: error: x: \uD800 stands for no character"#),
    (
      "x = \"e\(String(repeating: "\u{301}", count: 31))\"",
      "f:1:5: error: x: has more than 30 combining characters in a row"
    ),
  ])
  func `a text that does not end, or has what stands for nothing`(text: String, expected: String) {
    #expect(Self.errors(in: text) == [expected])
  }

  @Test(arguments: [
    (
      "[control.c\nstep = 1",
      #"f:1:11: error: control.c: needs "]" after the name of the table, found the end of the line"#
    ),
    (
      "[[control.c]",
      #"f:1:13: error: control.c: needs "]]" after the name of the table, found the end of the file"#
    ),
    ("[control c]", #"f:1:10: error: control: needs "]" after the name of the table, found c"#),
    (
      "[control.c] step = 1",
      "f:1:13: error: control.c: nothing but a comment may follow the name of a table, found step"
    ),
    ("[]", "f:1:2: error: there is no name of a table here, found ]"),
    ("[,", "f:1:2: error: there is no name of a table here, found ,"),
    ("x = }", "f:1:5: error: x: there is no value here, found }"),
    ("x =", "f:1:4: error: x: there is no value here, found the end of the file"),
    ("x =\n", "f:1:4: error: x: there is no value here, found the end of the line"),
    ("x = # 1", "f:1:5: error: x: there is no value here, found a comment"),
    ("step = = 2", "f:1:8: error: step: there is no value here, found ="),
    ("step 5", #"f:1:6: error: step: needs "=" and a value after the name, found 5"#),
    ("step: 5", #"f:1:5: error: step: a value is given with "=", found ":""#),
    ("= 5", #"f:1:1: error: there is no name before "=""#),
    ("{\"control\": {}}", "f:1:1: error: there is no name here, found {"),
    ("// old", "f:1:1: error: a comment begins with #, found //"),
    ("x = 1 ; old", "f:1:7: error: x: a comment begins with #, found ;"),
    (
      "größe = 1",
      "f:1:1: error: a name with other characters than letters, digits, - and _ needs quotes, found größe"
    ),
    ("“a” = 1", #"f:1:1: error: a name stands in straight quotes ("), or in none, found “a”"#),
    (#""""a""" = 1"#, "f:1:1: error: a name stands in one quote on each side, not three"),
    ("x\r= 1", "f:1:2: error: must not contain a carriage return, except before a line feed"),
    ("x = 1 # \0", "f:1:9: error: must not contain a NUL character"),
    (
      "x = \"\u{7}\"",
      #"f:1:6: error: must not contain a control character; in a text in double quotes it is written \u0007"#
    ),
  ])
  func `what is missing or too much in a line`(text: String, expected: String) {
    #expect(Self.errors(in: text) == [expected])
  }

  @Test(arguments: [
    (
      "[control.c]\nstep = 1\n\nstep = 2",
      "f:4:1: error: control.c.step: is already defined in line 2; remove one of the two"
    ),
    (
      "[control.c]\n[control.d]\n[control.c]",
      "f:3:1: error: control.c: is already defined in line 1; add its keys there"
    ),
    ("a = 1\n[a]", "f:2:1: error: a: is an integer already, in line 1"),
    ("[a]\n[[a]]", "f:2:1: error: a: is a table already, in line 1"),
    ("a = []\n[[a]]", "f:2:1: error: a: is an array already, in line 1"),
    (
      "a = 1\na.b = 2",
      #"f:2:1: error: a.b: "a" is an integer already, in line 1, to which nothing can be added here"#
    ),
    (
      "a = {}\n[a.b]",
      #"f:2:1: error: a.b: "a" is a table already, in line 1, to which nothing can be added here"#
    ),
  ])
  func `what is there twice is told with where it is`(text: String, expected: String) {
    #expect(Self.errors(in: text) == [expected])
  }
}
