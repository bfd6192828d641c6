#include <alsa/asoundlib.h>

static inline void calsa_ignore(const char *file, int line, const char *function, int error, const char *format, ...) {
  (void)file, (void)line, (void)function, (void)error, (void)format;
}

/// Has the library print nothing to standard error; every function returns what is wrong. Swift has no functions with variable
/// arguments for C.
static inline void calsa_be_silent(void) { snd_lib_error_set_handler(calsa_ignore); }
