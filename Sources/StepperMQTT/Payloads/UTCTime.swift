import StepperCore

/// A time as text in UTC, as in RFC 3339: `2026-11-23T00:17:52.123Z`.
struct UTCTime: Hashable, Sendable, CustomStringConvertible {
  /// Since 1970.
  let microseconds: Int64

  var description: String {
    let milliseconds = floorDivide(microseconds, 1_000)
    let seconds = floorDivide(milliseconds.quotient, 1_000)
    let days = floorDivide(seconds.quotient, 86_400)
    let (year, month, day) = Self.date(days.quotient)
    let second = days.remainder
    let time = [second / 3_600, second / 60 % 60, second % 60].map { $0.digits(2) }
    let fraction = seconds.remainder.digits(3)
    return "\(year.digits(4))-\(month.digits(2))-\(day.digits(2))T"
      + "\(time.joined(separator: ":")).\(fraction)Z"
  }

  /// Of days since 1970, in the Gregorian calendar: years begin in March, so that the leap day is their last.
  private static func date(_ days: Int64) -> (year: Int64, month: Int64, day: Int64) {
    let (era, dayOfEra) = floorDivide(days.addingReportingOverflow(719_468).partialValue, 146_097)
    let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let month = (5 * dayOfYear + 2) / 153
    let day = dayOfYear - (153 * month + 2) / 5 + 1
    let calendarMonth = month < 10 ? month + 3 : month - 9
    return (yearOfEra + era * 400 + (calendarMonth <= 2 ? 1 : 0), calendarMonth, day)
  }
}

private func floorDivide(_ number: Int64, _ divisor: Int64) -> (quotient: Int64, remainder: Int64) {
  let (quotient, remainder) = number.quotientAndRemainder(dividingBy: divisor)
  return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
}
