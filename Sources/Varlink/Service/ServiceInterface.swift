/// `org.varlink.service`: what every Varlink service provides.
public enum ServiceInterface {
  /// The name of the interface.
  public static let name = "org.varlink.service"
}
