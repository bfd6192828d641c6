// Made by varlink-generate from org.example.counter.varlink; do not edit.

/// Counters that everybody shares.
public enum CounterInterface {
  /// The name of the interface.
  public static let name = "org.example.counter"
}
