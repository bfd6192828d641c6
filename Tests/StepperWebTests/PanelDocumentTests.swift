import FoundationEssentials
import TestSupport
import Testing

/// panel.md has what `custom-elements.json` declares for style sheets.
@Suite struct PanelDocumentTests {
  private struct Manifest: Decodable {
    struct Module: Decodable { let declarations: [Declaration]? }
    struct Declaration: Decodable {
      let cssParts: [Named]?
      let cssStates: [Named]?
    }
    struct Named: Decodable { let name: String }
    let modules: [Module]
  }

  @Test func `the page has every part and every state`() throws {
    let text = try TemporaryFolder.contents(ofSource: "Web/panel/custom-elements.json")
    let manifest = try JSONDecoder().decode(Manifest.self, from: Data(text.utf8))
    let declarations = manifest.modules.flatMap { $0.declarations ?? [] }
    let parts = declarations.flatMap { $0.cssParts ?? [] }.map(\.name)
    let states = declarations.flatMap { $0.cssStates ?? [] }.map(\.name)
    #expect(parts.contains("base") && states.contains("disconnected"))
    let page = try TemporaryFolder.contents(ofSource: "Documentation/panel.md")
    let list = try #require(page.split(separator: "Parts: `").last?.split(separator: "`").first)
    let listed = list.split { " \n".contains($0) }
    #expect(parts.filter { part in !listed.contains { $0 == part } } == [])
    #expect(states.filter { !page.contains("`:state(\($0))`") } == [])
  }
}
