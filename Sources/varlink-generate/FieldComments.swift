import Varlink

/// The comments of fields.
///
/// A field without a comment gets the first sentence about its declared type, or else the comment of the first field
/// with the same name and type that has one.
struct FieldComments {
  private let types: [String: String]
  private let fields: [VarlinkField]

  init(of interface: VarlinkInterface) {
    var types: [String: String] = [:]
    var fields: [VarlinkField] = []
    for member in interface.members {
      switch member.declaration {
      case .type(let type):
        types[member.name] = member.comment
        if case .structure(let own) = type { fields += own }
      case .method(let parameters, let reply): fields += parameters + reply
      case .error(let own): fields += own
      }
    }
    self.types = types
    self.fields = fields.filter { !$0.comment.isEmpty }
  }

  func comment(of field: VarlinkField) -> DocumentationComment {
    guard field.comment.isEmpty else { return DocumentationComment(field.comment) }
    if let name = field.type.declaredName, let comment = types[name], !comment.isEmpty {
      return DocumentationComment(comment).summary
    }
    return DocumentationComment(
      fields.first { $0.name == field.name && $0.type == field.type }?.comment ?? "")
  }
}
