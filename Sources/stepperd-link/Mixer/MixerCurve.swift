internal import Glibc

/// alsamixer's places of volumes (alsa-utils, alsamixer/volume_mapping.c).
enum MixerCurve {
  /// What stands for silence, in hundredths of a decibel (SND_CTL_TLV_DB_GAIN_MUTE).
  static let silence = -9_999_999.0
  /// A smaller span is linear in decibels.
  static let linearSpan = 2_400.0

  /// The places from 0 to 1 of volumes in hundredths of a decibel, in ascending order; nil: they do not ascend.
  ///
  /// A span of up to 24 dB is linear in decibels; a larger one is 10^(dB/60), from which that of the least volume is
  /// taken unless it is silence.
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
