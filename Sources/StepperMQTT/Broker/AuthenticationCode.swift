internal import CMosquitto

/// The HMAC-SHA-256 of `message`, 32 bytes long (RFC 2104, FIPS 180-4); nil: the library is out of memory.
package func authenticationCode(of message: [UInt8], key: [UInt8]) -> [UInt8]? {
  var code = [UInt8](repeating: 0, count: 32)
  let result = unsafe HMAC(EVP_sha256(), key, CInt(key.count), message, message.count, &code, nil)
  return unsafe result == nil ? nil : code
}
