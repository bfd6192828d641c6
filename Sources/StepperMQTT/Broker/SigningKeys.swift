internal import CMosquitto
internal import StepperCore

/// The public half of an Ed25519 key (RFC 8032), 32 bytes long.
package struct VerifyingKey: Hashable, Sendable {
  private let bytes: [UInt8]

  /// Reads a file written by `openssl pkey -pubout`; nil: it has no such key.
  package init?(pem: [UInt8]) {
    guard let bytes = unsafe withKey(pem, { unsafe PEM_read_bio_PUBKEY($0, nil, nil, nil) }, publicBytes)
    else {
      return nil
    }
    self.bytes = bytes
  }

  /// Whether `signature`, 64 bytes long, is this key's signature of `message`.
  package func verifies(_ signature: [UInt8], of message: [UInt8]) -> Bool {
    let key = unsafe EVP_PKEY_new_raw_public_key(EVP_PKEY_ED25519, nil, bytes, bytes.count)
    let context = unsafe EVP_MD_CTX_new()
    defer { unsafe EVP_MD_CTX_free(context); unsafe EVP_PKEY_free(key) }
    guard unsafe key != nil, unsafe context != nil,
      unsafe EVP_DigestVerifyInit(context, nil, nil, nil, key) == 1
    else { return false }
    return unsafe EVP_DigestVerify(context, signature, signature.count, message, message.count) == 1
  }
}

/// An Ed25519 key for signing.
package struct SigningKey {
  private let pem: [UInt8]

  /// Reads a file written by `openssl genpkey -algorithm ed25519`; nil: it has no such key, or only with a password.
  package init?(pem: [UInt8]) {
    guard unsafe withKey(pem, readPrivate, publicBytes) != nil else { return nil }
    self.pem = pem
  }

  /// The signature of `message`, 64 bytes long; nil: the library is out of memory.
  package func signature(of message: [UInt8]) -> [UInt8]? {
    unsafe withKey(pem, readPrivate) { key in
      let context = unsafe EVP_MD_CTX_new()
      defer { unsafe EVP_MD_CTX_free(context) }
      var signature = [UInt8](repeating: 0, count: 64)
      var count = signature.count
      guard unsafe EVP_DigestSignInit(context, nil, nil, nil, key) == 1,
        unsafe EVP_DigestSign(context, &signature, &count, message, message.count) == 1, count == 64
      else { return nil }
      return signature
    }
  }
}

/// A key with a password cannot be read: the callback supplies none, and nobody is asked.
private func readPrivate(_ file: OpaquePointer) -> OpaquePointer? {
  unsafe PEM_read_bio_PrivateKey(file, nil, { _, _, _, _ in -1 }, nil)
}

/// The public half of an Ed25519 key; nil: `key` is of another kind.
private func publicBytes(_ key: OpaquePointer) -> [UInt8]? {
  guard unsafe EVP_PKEY_get_id(key) == EVP_PKEY_ED25519 else { return nil }
  var bytes = [UInt8](repeating: 0, count: 32)
  var count = bytes.count
  return unsafe EVP_PKEY_get_raw_public_key(key, &bytes, &count) == 1 && count == 32 ? bytes : nil
}

/// Passes the key of a PEM file to `body`; nil: the file has none.
private func withKey<Result>(
  _ pem: [UInt8], _ read: (OpaquePointer) -> OpaquePointer?, _ body: (OpaquePointer) -> Result?
) -> Result? {
  guard let file = unsafe BIO_new_mem_buf(pem, CInt(clamping: pem.count)) else { return nil }
  defer { unsafe BIO_free(file) }
  guard let key = unsafe read(file) else { return nil }
  defer { unsafe EVP_PKEY_free(key) }
  return unsafe body(key)
}

/// The SHA-256 digest of `message` as hexadecimal digits.
package func digest(of message: [UInt8]) -> String {
  var bytes = [UInt8](repeating: 0, count: 32)
  _ = unsafe EVP_Digest(message, message.count, &bytes, nil, EVP_sha256(), nil)
  return bytes.map { $0.digits(2, radix: 16) }.joined()
}

/// Base64 of RFC 4648, section 4, in one line.
package func base64(_ bytes: [UInt8]) -> String {
  var text = [UInt8](repeating: 0, count: (bytes.count + 2) / 3 * 4 + 1)
  let count = unsafe EVP_EncodeBlock(&text, bytes, CInt(bytes.count))
  // Base64 that the library itself has written is ASCII.
  return String(decoding: text.prefix(Int(count)), as: UTF8.self)
}

/// The 64 bytes of a signature in base64; nil: `text` is not such a signature.
func signatureBytes(base64 text: String) -> [UInt8]? {
  let text = Array(text.utf8)
  // 64 bytes become 88 characters, the last two of which are padding.
  guard text.count == 88, text.suffix(2).elementsEqual("==".utf8), text[85] != UInt8(ascii: "=") else {
    return nil
  }
  var bytes = [UInt8](repeating: 0, count: 66)
  guard unsafe EVP_DecodeBlock(&bytes, text, CInt(text.count)) == 66 else { return nil }
  return Array(bytes.prefix(64))
}
