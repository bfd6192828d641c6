#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/pem.h>
#include <openssl/x509.h>

/// A new key on the curve P-256; NULL: the library cannot make one. Here because EVP_PKEY_Q_keygen is variadic.
static inline EVP_PKEY *stepper_new_p256_key(void) { return EVP_PKEY_Q_keygen(NULL, NULL, "EC", "P-256"); }
