/// What is examined. A finding with the verdict `ok` says that a part is in order; what does not apply is not mentioned.
package enum Diagnosis {
  /// All tables, in the order from the daemon to the hardware.
  static func sections() -> [Section] {
    daemon() + service() + configuration() + tables() + devices() + hardware() + events() + values()
      + hooks() + sandbox() + rivals()
  }

  /// The names of all findings, which stepperctl(1) lists.
  package static var names: [String] { (sections() + [problems(besides: [])]).flatMap(\.names) }
}

extension Facts {
  /// What all tables find, and then the problems that the daemon reports beyond that.
  package var findings: [Finding] {
    let findings = Diagnosis.sections().flatMap { $0.judge(self) }
    return findings + Diagnosis.problems(besides: findings).judge(self)
  }
}

extension Diagnosis {
  /// A row of the diagnosis: a condition on the facts, the sentence, and the remedy.
  struct Row<Thing> {
    let name: String
    let verdict: Finding.Verdict
    /// What was seen; nil: the condition does not hold.
    let seen: (Thing, Facts) -> String?
    let reason: Reason<Thing>
    let remedies: (Thing, Facts) -> [RemedyStep]

    init(
      _ name: String, _ verdict: Finding.Verdict,
      when condition: @escaping (Thing, Facts) -> Bool = { _, _ in true },
      seen: @escaping (Thing, Facts) -> String?, because reason: Reason<Thing> = .none,
      remedies: @escaping (Thing, Facts) -> [RemedyStep] = { _, _ in [] }
    ) {
      self.name = name
      self.verdict = verdict
      self.seen = { condition($0, $1) ? seen($0, $1) : nil }
      self.reason = reason
      self.remedies = remedies
    }
  }

  /// Why what was seen matters.
  enum Reason<Thing>: ExpressibleByStringLiteral {
    case none
    case text(String)
    case of((Thing, Facts) -> String)

    init(stringLiteral text: String) { self = .text(text) }

    func text(_ thing: Thing, _ facts: Facts) -> String? {
      switch self {
      case .none: nil
      case .text(let text): text
      case .of(let text): text(thing, facts)
      }
    }
  }

  /// The rows that are about things of one kind: of each thing, the first row whose condition holds is found.
  struct Section {
    /// The names of the rows.
    let names: [String]
    let judge: (Facts) -> [Finding]

    init<Thing>(
      _ things: @escaping (Facts) -> [Thing], subject: @escaping (Thing) -> String,
      @Listing<Row<Thing>> _ rows: () -> [Row<Thing>]
    ) {
      let rows = rows()
      names = rows.map(\.name)
      judge = { facts in
        things(facts).compactMap { thing in
          for row in rows {
            guard let seen = row.seen(thing, facts) else { continue }
            return Finding(
              row.name, subject(thing), row.verdict, seen, because: row.reason.text(thing, facts),
              remedies: row.remedies(thing, facts).map { $0.remedy(isRoot: facts.caller.isRoot) })
          }
          return nil
        }
      }
    }

    init<Thing>(
      _ subject: String, _ things: @escaping (Facts) -> [Thing],
      @Listing<Row<Thing>> _ rows: () -> [Row<Thing>]
    ) {
      self.init(things, subject: { _ in subject }, rows)
    }

    /// All sections, and `otherwise` if they find nothing.
    init(@Sections _ sections: () -> [Section], @Sections otherwise: () -> [Section]) {
      let (sections, otherwise) = (sections(), otherwise())
      names = (sections + otherwise).flatMap(\.names)
      judge = { facts in
        let findings = sections.flatMap { $0.judge(facts) }
        return findings.isEmpty ? otherwise.flatMap { $0.judge(facts) } : findings
      }
    }
  }

  /// Makes a list of the expressions in a block, each of which the compiler checks by itself.
  @resultBuilder
  enum Listing<Element> {
    static func buildExpression(_ element: Element) -> Element { element }
    static func buildBlock(_ elements: Element...) -> [Element] { elements }
  }

  typealias Sections = Listing<Section>
}
