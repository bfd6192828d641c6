internal import CMosquitto

/// The time at which a certificate expires. Its text is the day: `2026-12-08`.
package struct CertificateEnd: Hashable, Sendable, CustomStringConvertible {
  /// In seconds since 1970.
  package let seconds: Int64
  /// How long before its end the certificate should be replaced, in seconds: 30 days, or a third of the validity of a certificate that is
  /// valid for less than 90 days.
  private let notice: Int64

  /// Reads the first certificate of a PEM file, which is that of the client; nil: the file has none.
  package init?(pem: [UInt8]) {
    guard let file = unsafe BIO_new_mem_buf(pem, CInt(clamping: pem.count)) else { return nil }
    defer { unsafe BIO_free(file) }
    guard let certificate = unsafe PEM_read_bio_X509(file, nil, nil, nil) else { return nil }
    defer { unsafe X509_free(certificate) }
    guard let begin = unsafe secondsSince1970(X509_get0_notBefore(certificate)),
      let end = unsafe secondsSince1970(X509_get0_notAfter(certificate))
    else { return nil }
    seconds = end
    notice = min(30 * 86_400, max(end - begin, 0) / 3)
  }

  /// Whether the certificate should be replaced now or has expired.
  package func isNear(at secondsSince1970: Int64) -> Bool { secondsSince1970 >= seconds - notice }

  package var description: String {
    String(UTCTime(microseconds: seconds * 1_000_000).description.prefix(10))
  }
}

private func secondsSince1970(_ time: UnsafePointer<ASN1_TIME>?) -> Int64? {
  let epoch = unsafe ASN1_TIME_set(nil, 0)
  defer { unsafe ASN1_TIME_free(epoch) }
  var (days, seconds) = (CInt(0), CInt(0))
  guard unsafe epoch != nil, unsafe time != nil, unsafe ASN1_TIME_diff(&days, &seconds, epoch, time) == 1
  else {
    return nil
  }
  return Int64(days) * 86_400 + Int64(seconds)
}
