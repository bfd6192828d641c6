import StepperWeb

extension FuzzTarget {
  /// A request to the web program: what the gate lets in, against readers of the same bytes that know nothing of it.
  static let requests = FuzzTarget("requests", upTo: 2_048, within: .milliseconds(200)) { input in
    var source = ByteSource(input)
    let method = source.element(of: [RequestMethod.get, .post, .head, .delete]) ?? .get
    let grant: Grant? = [nil, tokens.grant(of: view), tokens.grant(of: operate), .open][
      source.index(below: 4)]
    let flags = source.byte()
    var head = RequestHead(method: Array(method.rawValue.utf8))
    let path = source.untilNUL()
    head.host = flags & 1 == 0 ? Array("panel.example".utf8) : source.untilNUL()
    if flags & 2 == 0 {
      (head.stepper, head.contentType) = (Array("1".utf8), Array("application/json".utf8))
    }
    if flags & 4 != 0 { head.origin = source.untilNUL() }
    if flags & 8 != 0 { head.fetchSite = source.untilNUL() }
    let field = source.remainder()
    try checkProxies(field)
    try checkTokens(field)

    let hosts = HostRules([.internet(host: "0.0.0.0", port: 80)], hosts: ["panel.example"])
    let rules = AccessRules(hosts: hosts, isReadOnly: flags & 16 != 0)
    let question: AccessRules.Question
    let access: Grant
    do throws(Problem) {
      // A refused target is no request.
      guard let target = try? RequestTarget(path) else { return }
      question = try rules.question(head, target, own: Array("192.0.2.1:80".utf8))
      access = try rules.access(question, grant)
    } catch {
      try require([400, 401, 403, 404, 405, 415, 421].contains(error.code), "status \(error.code)")
      return try require(
        !error.detail.isEmpty && !error.detail.contains("\n"), "a refusal without a sentence")
    }
    try checkSource(head)
    try checkPath(of: path, question.target)
    try checkRight(question, access, grant, isReadOnly: flags & 16 != 0)
  }

  private static let view = Array("view-token-of-the-fuzzer".utf8)
  private static let operate = Array("operate-token-of-the-fuzzer".utf8)
  private static let tokens =
    TokenList.read(Array("view ".utf8) + view + Array("\noperate ".utf8) + operate).tokens
}

/// A request that is let in names this program, and comes from none of other pages.
private func checkSource(_ head: RequestHead) throws {
  let names =
    ["panel.example", "panel.example:80", "192.0.2.1:80"]
    + ["localhost", "127.0.0.1", "[::1]", "0.0.0.0"]
    .flatMap { [$0, "\($0):80"] }
  func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self).lowercased() }
  try require(head.host.map { names.contains(text($0)) } ?? false, "another name is let in")
  if let origin = head.origin {
    let own = names.flatMap { ["http://\($0)", "https://\($0)"] }
    try require(own.contains(text(origin)), "another origin is let in")
  }
  if let site = head.fetchSite {
    try require(["same-origin", "none"].contains(text(site)), "another site is let in")
  }
}

/// Every way to read a path that is let in finds the same names.
private func checkPath(of text: [UInt8], _ target: RequestTarget) throws {
  let path = Array(text.prefix { $0 != UInt8(ascii: "?") })
  let decoded = try decode(path)
  let slash = UInt8(ascii: "/")
  // As a router that decodes first, then splits, and knows neither empty names nor those of folders.
  var resolved: [[UInt8]] = []
  for name in decoded.split(whereSeparator: { $0 == slash || $0 == UInt8(ascii: "\\") }).map(Array.init) {
    if name == Array("..".utf8) {
      _ = resolved.popLast()
    } else if name != Array(".".utf8) {
      resolved.append(name)
    }
  }
  try require(resolved == target.names, "decoded first, the path is another: \(resolved)")
  // As one that splits first, then decodes.
  let split = try path.split(separator: slash, omittingEmptySubsequences: false).map { try decode(Array($0)) }
  try require(
    split == [[]] + target.names + (target.isFolder ? [[]] : []), "split first, the path is another: \(split)"
  )
  // Written again in the usual way it is the same path.
  let digits = Array("0123456789ABCDEF".utf8)
  var written: [UInt8] = []
  for name in target.names {
    written.append(slash)
    for byte in name {
      let isPlain =
        UInt8(ascii: "a") <= byte | 0x20 && byte | 0x20 <= UInt8(ascii: "z") || byte >= 0x30 && byte <= 0x39
      let isBare = isPlain || "-._~".utf8.contains(byte)
      written += isBare ? [byte] : [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
    }
  }
  if target.isFolder { written.append(slash) }
  // What is encoded is longer, and may be too long then.
  guard written.count <= 4_096 else { return }
  let again = try? RequestTarget(written)  // Refused, it is another one.
  try require(
    again?.names == target.names && again?.isFolder == target.isFolder, "written again, the path is another")
}

private func decode(_ text: [UInt8]) throws -> [UInt8] {
  var bytes: [UInt8] = []
  var index = 0
  while index < text.count {
    if text[index] == UInt8(ascii: "%") {
      let digits = String(decoding: text.dropFirst(index + 1).prefix(2), as: UTF8.self)
      guard let byte = UInt8(digits, radix: 16) else { throw Finding("% without digits is let in") }
      bytes.append(byte)
      index += 3
    } else {
      bytes.append(text[index])
      index += 1
    }
  }
  return bytes
}

/// The rules of rights in other words than those of the table.
private func checkRight(_ question: AccessRules.Question, _ access: Grant, _ grant: Grant?, isReadOnly: Bool)
  throws
{
  let names = question.target.names.map { String(decoding: $0, as: UTF8.self) }
  let isInterface = names.first == "api"
  let place = names.joined(separator: "/")
  let isOpen =
    !isInterface || !question.target.isFolder && ["api/v1/session", "api/v1/settings"].contains(place)
  let leadsNowhere = question.match.route == .noInterface
  if !isOpen { try require(grant != nil, "\(place) without a token") }
  if question.method.isChange, place != "api/v1/session", !leadsNowhere {
    try require(isInterface, "a file is changed")
    try require(
      grant?.right == .operate && !isReadOnly && access.mayOperate,
      "\(place) is changed by one who only looks")
  }
  try require(!access.mayOperate || grant?.right == .operate && !isReadOnly, "more is given than was granted")
  // Another table: whatever begins with "api" and has no file is there or leads nowhere.
  let isKnown =
    switch (names.dropFirst(2).first ?? "", names.count, names.last ?? "") {
    case ("controls", 3...4, _), ("events", 3, _), ("holds", 3, _), ("session", 3, _), ("settings", 3, _),
      ("status", 3, _):
      true
    case ("controls", 5, let last): ["set", "step", "turn", "reset"].contains(last)
    case ("holds", 4, let last): last == "renew"
    case ("holds", 5, let last): ["move", "release"].contains(last)
    default: false
    }
  if isInterface {
    let isThere = isKnown && names[1] == "v1" && !question.target.isFolder
    try require(isThere != leadsNowhere, "\(place) leads to \(question.match.route)")
  }
}

/// What a client writes before the address that the proxy adds changes nothing.
private func checkProxies(_ field: [UInt8]) throws {
  var proxies = TrustedProxies()
  proxies.areLocal = true
  var head = RequestHead(method: [])
  head.forwardedFor = field + Array(", 198.51.100.7".utf8)
  try require(proxies.client(of: "", head) == "198.51.100.7", "X-Forwarded-For is forged")
  try require(proxies.client(of: "203.0.113.1", head) == "203.0.113.1", "one that is no proxy is believed")
  head.forwarded = field + Array(",for=\"198.51.100.7:1\"".utf8)
  try require(proxies.client(of: "", head) == "198.51.100.7", "Forwarded is forged")
  (head.forwardedFor, head.forwarded) = (field, nil)
  let client = proxies.client(of: "", head)
  try require(
    client.isEmpty || TrustedProxies.address(Array(client.utf8)) == client,
    "\(client) is no address, or one of two spellings")
}

/// A file of tokens gives what its lines say, and to nobody else.
private func checkTokens(_ text: [UInt8]) throws {
  let (tokens, failures) = TokenList.read(text)
  try require(tokens.isEmpty ? !failures.isEmpty : true, "a file without tokens is accepted")
  for line in text.split(separator: UInt8(ascii: "\n")) {
    let words = line.split { $0 == 0x20 || $0 == 0x09 || $0 == 0x0d }
    guard words.count == 2, let grant = tokens.grant(of: words[1]) else { continue }
    try require(words[1].count >= TokenList.shortest, "a short token is accepted")
    let (again, _) = TokenList.read(text, after: tokens)
    try require(again.grant(of: words[1]) == grant, "read again, the token is another one")
  }
  try require(tokens.grant(of: []) == nil, "nothing is a token")
}
