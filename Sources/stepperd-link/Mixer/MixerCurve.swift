internal import Glibc

/// Converts volumes to places as alsamixer does (alsa-utils, alsamixer/volume_mapping.c).
enum MixerCurve {
  /// The level that stands for silence, in hundredths of a decibel (SND_CTL_TLV_DB_GAIN_MUTE).
  static let silence = -9_999_999.0
  /// Spans up to this one, in hundredths of a decibel, are linear in decibels.
  static let linearSpan = 2_400.0

  /// The places from 0 to 1 of levels in hundredths of a decibel, which must be in ascending order; nil: they are not.
  ///
  /// A span of up to 24 dB is linear in decibels. For a larger one the place is 10^(dB/60), reduced by the place of the lowest level
  /// unless that is silence, and scaled to 0…1.
  static func places(ofHundredths levels: [Double]) -> [Double]? {
    guard let least = levels.first, let most = levels.last, least < most, levels == levels.sorted() else {
      return nil
    }
    if most - least <= linearSpan { return levels.map { ($0 - least) / (most - least) } }
    let floor = least > silence ? pow(10, (least - most) / 6_000) : 0
    return levels.map { level in
      let place = level <= silence ? 0 : pow(10, (level - most) / 6_000)
      return min(max((place - floor) / (1 - floor), 0), 1)
    }
  }
}
