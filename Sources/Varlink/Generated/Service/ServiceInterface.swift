// Made by varlink-generate from org.varlink.service.varlink; do not edit.

/// The Varlink Service Interface is provided by every varlink service. It describes the service and the
/// interfaces it implements.
public enum ServiceInterface {
  /// The name of the interface.
  public static let name = "org.varlink.service"
}
