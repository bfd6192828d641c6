import FuzzTargets
import StepperInterfaces
import TestSupport
import Testing
import Varlink

/// Every text of every message of our interfaces, as their descriptions have them.
@Suite struct `Hostile messages` {
  /// A place of a message at which a text can stand, with the rest of the message around it.
  struct Place: CustomTestStringConvertible, Sendable {
    let method: Int
    let name: String
    var before = ""
    var after = ""

    var testDescription: String { "\(name) \(before)…\(after)" }

    func around(_ before: String, _ after: String) -> Place {
      Place(method: method, name: name, before: before + self.before, after: self.after + after)
    }
  }

  private struct Shape {
    let types: [String: VarlinkType]

    /// A value of `type` that is in order.
    func example(_ type: VarlinkType, depth: Int = 0) -> String {
      switch type {
      case .boolean: "true"
      case .integer, .float: "1"
      case .string: "\"x\""
      case .object: "{}"
      case .named(let name): types[name].map { example($0, depth: depth + 1) } ?? "null"
      case .optional(let type): depth > 4 ? "null" : example(type, depth: depth + 1)
      case .array: "[]"
      case .map: "{}"
      case .structure(let fields): object(fields, depth: depth)
      case .enumeration(let words): "\"\(words.first?.name ?? "")\""
      }
    }

    private func object(_ fields: [VarlinkField], depth: Int) -> String {
      "{\(fields.map { "\"\($0.name)\":\(example($0.type, depth: depth + 1))" }.joined(separator: ","))}"
    }

    /// The places in a value of `type`.
    func places(_ type: VarlinkType, of place: Place, depth: Int = 0) -> [Place] {
      guard depth < 6 else { return [] }
      switch type {
      case .boolean, .integer, .float: return [place.around("\"", "\"")]
      case .string, .enumeration: return [place.around("\"", "\"")]
      case .object: return [place.around("{\"", "\":1}")]
      case .named(let name): return types[name].map { places($0, of: place, depth: depth + 1) } ?? []
      case .optional(let type): return places(type, of: place, depth: depth)
      case .array(let type): return places(type, of: place, depth: depth + 1).map { $0.around("[", "]") }
      case .map(let type):
        return [place.around("{\"", "\":\(example(type))}")]
          + places(type, of: place, depth: depth + 1).map { $0.around("{\"x\":", "}") }
      case .structure(let fields): return places(fields, of: place, depth: depth)
      }
    }

    func places(_ fields: [VarlinkField], of place: Place, depth: Int = 0) -> [Place] {
      let members = fields.map { "\"\($0.name)\":\(example($0.type, depth: depth + 1))" }
      let unknown = place.around("{\((members + ["\""]).joined(separator: ","))", "\":1}")
      return [unknown]
        + fields.indices.flatMap { index in
          let before = (members[..<index] + ["\"\(fields[index].name)\":"]).joined(separator: ",")
          let after = (members[(index + 1)...].map { "," + $0 }).joined()
          return places(fields[index].type, of: place, depth: depth + 1).map {
            $0.around("{\(before)", "\(after)}")
          }
        }
    }
  }

  /// In the order in which the inputs of the fuzz target name the methods.
  static let places: [Place] = {
    var places: [Place] = []
    var method = 0
    for description in [.service] + InterfaceDescription.stepperd {
      guard let interface = try? VarlinkInterface(parsing: description.text) else { continue }
      var types: [String: VarlinkType] = [:]
      for case (let name, .type(let type)) in interface.members.map({ ($0.name, $0.declaration) }) {
        types[name] = type
      }
      for member in interface.members {
        guard case .method(let parameters, let reply) = member.declaration else { continue }
        let place = Place(method: method, name: "\(interface.name).\(member.name)")
        let shape = Shape(types: types)
        places += shape.places(parameters, of: place) + shape.places(reply, of: place)
        method += 1
      }
    }
    return places
  }()

  @Test func `are made from descriptions that can be read`() { #expect(Self.places.count > 200) }

  @Test func `cost no more than their length at any place, to a service and to a client`() throws {
    let target = try #require(FuzzTarget.named("parameters"))
    for place in Self.places {
      let head = [UInt8(place.method)] + Array(place.before.utf8)
      try expectProportionalCost(of: place.testDescription, upTo: 16_384) { bytes in
        try target.run(head + bytes + Array(place.after.utf8))
      }
    }
  }
}
