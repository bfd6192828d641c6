// Made by Scripts/release/product from product.conf; do not edit.

/// What the programs say about themselves.
package enum Product {
  /// The version of all programs.
  package static let version = "0.1.0"
  /// A page about it that its distributor names; nil if there is none.
  package static let homepage: String? = nil
}
