/// A random number generator that is reproducible from its seed (SplitMix64). It has only eight bytes, so that each of ten thousand
/// simulated boards can have one.
struct Jitter: RandomNumberGenerator, Hashable, Sendable {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return mixed ^ (mixed >> 31)
  }

  /// A random time from zero to `longest`.
  mutating func time(upTo longest: Duration) -> Duration {
    let milliseconds = Int64(longest / .milliseconds(1))
    return .milliseconds(Int64.random(in: 0...max(0, milliseconds), using: &self))
  }
}
