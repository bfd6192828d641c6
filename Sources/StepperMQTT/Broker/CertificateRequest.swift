internal import CMosquitto

/// A new key and a certificate request for it (PKCS #10, RFC 2986). The subject is a common name and nothing else.
package struct CertificateRequest: Sendable {
  /// The private key, on the curve P-256 (PKCS #8 in PEM, RFC 5958 and 7468). It is a secret.
  package let key: [UInt8]
  /// The request, signed with the key by ECDSA and SHA-256, in PEM.
  package let request: [UInt8]
  /// The SHA-256 hash of the request in DER, 32 bytes long.
  package let fingerprint: [UInt8]

  /// nil: the library is out of memory or has no random numbers, or the name does not have 1 to 64 characters.
  package init?(commonName: String) {
    let pair = unsafe stepper_new_p256_key()
    let request = unsafe X509_REQ_new()
    defer {
      unsafe EVP_PKEY_free(pair)
      unsafe X509_REQ_free(request)
    }
    guard unsafe pair != nil, unsafe request != nil else { return nil }
    let name = unsafe X509_REQ_get_subject_name(request)
    // 0x1000 is MBSTRING_UTF8, a macro with a cast.
    guard unsafe X509_NAME_add_entry_by_txt(name, "CN", 0x1000, commonName, -1, -1, 0) == 1,
      unsafe X509_REQ_set_pubkey(request, pair) == 1, unsafe X509_REQ_sign(request, pair, EVP_sha256()) > 0,
      let key = unsafe written({ unsafe PEM_write_bio_PKCS8PrivateKey($0, pair, nil, nil, 0, nil, nil) }),
      let text = unsafe written({ unsafe PEM_write_bio_X509_REQ($0, request) })
    else { return nil }
    var hash = [UInt8](repeating: 0, count: 32)
    guard unsafe X509_REQ_digest(request, EVP_sha256(), &hash, nil) == 1 else { return nil }
    (self.key, self.request, fingerprint) = (key, text, hash)
  }
}

/// The bytes that `write` writes; nil: it has failed.
private func written(_ write: (OpaquePointer) -> CInt) -> [UInt8]? {
  guard let memory = unsafe BIO_new(BIO_s_mem()) else { return nil }
  defer { unsafe BIO_free(memory) }
  guard unsafe write(memory) == 1 else { return nil }
  var content = [UInt8](repeating: 0, count: 8_192)
  let count = unsafe BIO_read(memory, &content, CInt(content.count))
  return count > 0 ? Array(content.prefix(Int(count))) : nil
}
