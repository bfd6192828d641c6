import StepperConfiguration
import TestSupport
import Testing

@testable import StepperWeb

@Suite struct `The settings of the web program` {
  private func load(_ text: String) -> (settings: WebSettings?, problems: [String]) {
    let (settings, problems) = WebSettings.load(Array(text.utf8), file: "w.toml")
    return (settings, problems.map(\.description))
  }

  @Test func `need not be given`() {
    #expect(load("").settings == WebSettings())
    #expect(load("").problems == [])
  }

  @Test func `are read from all keys`() {
    let (settings, problems) = load(
      """
      listen = ["127.0.0.1:80", "[::1]:80", "unix:/run/panel/socket"]
      hosts = ["Panel.example", "panel.example:8443"]
      token-file = "/etc/stepperd/tokens"
      pages = "/srv/panel"
      csp = "default-src 'self'"
      match = "vol*"
      read-only = true
      look = "gtk/source"
      language = "pt-BR"
      """)
    #expect(problems == [])
    #expect(
      settings?.listen == [
        .internet(host: "127.0.0.1", port: 80), .internet(host: "::1", port: 80), .unix("/run/panel/socket"),
      ])
    #expect(settings?.hosts == ["panel.example", "panel.example:8443"])
    #expect(settings?.tokenFile == "/etc/stepperd/tokens")
    #expect(settings?.pages == "/srv/panel")
    #expect(settings?.policy == "default-src 'self'")
    #expect(settings?.match == ["vol*"])
    #expect(settings?.isReadOnly == true)
    #expect(settings?.look == "gtk/source")
    #expect(settings?.language == "pt-BR")
  }

  @Test func `have suggestions for misspelt words, with their places`() {
    #expect(
      load("lissten = \"127.0.0.1:80\"").problems
        == ["w.toml:1:1: error: lissten: unknown key (did you mean \"listen\"?)"])
    let look = load("look = \"uikitt\"").problems
    #expect(look.count == 1)
    #expect(look.first?.hasPrefix("w.toml:1:8: error: look: must be one of") == true)
    #expect(look.first?.hasSuffix("(did you mean \"uikit\"?)") == true)
  }

  @Test(arguments: [
    "listen = \"127.0.0.1\"", "listen = \"panel.example:80\"", "listen = \"127.0.0.1:65536\"",
    "listen = \"127.1:80\"", "listen = \"::1:80\"", "listen = \"unix:relative\"", "listen = 80",
    "hosts = [\"http://a\"]", "hosts = [\"a/b\"]", "hosts = [\"fd00::1\"]",
    "hosts = [\"panel.example:abc\"]", "hosts = [\":8383\"]", "hosts = [\"[::1\"]", "hosts = [\"[::1]8\"]",
    "token-file = \"tokens\"", "pages = \"pages\"",
    "pages = \"/p\"\ncsp = \"default-src\\t\"", "match = [\"\"]", "read-only = \"yes\"",
    "language = \"de_DE.UTF-8\"",
    "not toml",
  ])
  func `are refused`(_ text: String) {
    let (settings, problems) = load(text)
    #expect(settings == nil)
    #expect(!problems.isEmpty)
  }

  @Test(arguments: ["a", "a.b:1", "127.0.0.1", "[fd00::1]", "[fd00::1]:8383"])
  func `have names with or without a port`(_ host: String) {
    #expect(load("hosts = [\"\(host)\"]").settings?.hosts == [host])
  }

  @Test(arguments: [
    ("[FD00:0:0::1]", "[fd00::1]"), ("Panel.example:0443", "panel.example:443"), ("[0::1]:080", "[::1]:80"),
  ])
  func `have names as browsers write them`(_ host: String, _ sent: String) {
    #expect(load("hosts = [\"\(host)\"]").settings?.hosts == [sent])
  }

  @Test func `have each address once`() {
    let text =
      "listen = [\"localhost:8383\", \"127.0.0.1:8383\", \"127.0.0.1:0\", \"127.0.0.1:0\", \"unix:/a\", \"unix:/a\"]"
    #expect(
      load(text).settings?.addresses.map(\.description) == [
        "127.0.0.1:8383", "[::1]:8383", "127.0.0.1:0", "127.0.0.1:0", "unix:/a",
      ])
  }

  @Test(arguments: WebKey.allCases) func `cost no more than their length, whatever they are`(_ key: WebKey) {
    expectProportionalCost(of: key.rawValue, upTo: 8_192, [.manyMarks, .flags]) { bytes in
      let text = String(decoding: bytes, as: UTF8.self)
      _ = load("\(key.rawValue) = \"\(text)\"")
      _ = load("\(key.rawValue) = { \"\(text)\" = [\"\(text)\"] }")
    }
  }

  @Test func `are those of the manual`() throws {
    let items = try ManualPage("stepperd-web.toml.5").items.flatMap(\.keys)
    #expect(Set(items) == Set(WebKey.allCases.map(\.rawValue)))
    let look = try #require(try ManualPage("stepperd-web.toml.5").item("look", in: "DESCRIPTION"))
    for word in WebLook.allCases { #expect(look.words.contains(word.rawValue)) }
  }

  @Test func `say what has no effect`() {
    let (settings, problems) = load("csp = \"default-src 'self'\"")
    #expect(settings != nil)
    #expect(problems == ["w.toml:1:1: warning: csp: has no effect without pages"])
  }

  /// For other machines tokens are needed, and `--check` says so.
  @Test(arguments: [
    ("web-tokens", "", nil), ("other", "", "name a file of tokens with token-file"),
    ("web-tokens", "token-file = \"/nonexistent\"", "there is no token file /nonexistent"),
  ])
  func `take the tokens of the service manager where no file is named`(
    _ credential: String, _ line: String, _ problem: String?
  ) throws {
    let folder = try TemporaryFolder()
    try folder.write("view \(String(repeating: "t", count: 22))\n", to: credential)
    try folder.write("listen = [\"0.0.0.0:8383\"]\n\(line)\n", to: "web.toml")
    let (status, output) = try run(
      builtProgram("stepperd-web"), ["--check", "--config", "\(folder.path)/web.toml"],
      environment: ["CREDENTIALS_DIRECTORY": folder.path])
    #expect(status == (problem == nil ? 0 : 78), "\(output)")
    #expect(output.contains(problem ?? "no errors"), "\(output)")
  }

  @Test(arguments: [12, 20, 64])
  func `cannot be served where too few files may be open, which is said`(limit: Int) throws {
    let folder = try TemporaryFolder()
    let script =
      "ulimit -n \(limit); exec '\(builtProgram("stepperd-web"))' --listen 127.0.0.1:0 --files \(folder.path)"
    let (status, output) = try run("/bin/sh", ["-c", script], environment: ["HOME": folder.path])
    #expect(status == 69, "\(output)")
    #expect(output.contains("only \(limit) files may be open: raise the limit to"), "\(output)")
  }

  @Test func `tell an address for all from one for this machine`() {
    #expect(WebAddress("0.0.0.0:1")?.isOpen == true)
    #expect(WebAddress("[::]:1")?.isOpen == true)
    #expect(WebAddress("192.168.1.5:1")?.isOpen == true)
    #expect(WebAddress("127.0.0.2:1")?.isOpen == false)
    #expect(WebAddress("[::1]:1")?.isOpen == false)
    #expect(WebAddress("unix:/a")?.isOpen == false)
    #expect(WebAddress.all("localhost:8383") == WebAddress.loopback(port: 8383))
  }
}
