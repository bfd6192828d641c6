// What Swift's library takes from a C library newer than Debian 12's, where it was compiled with a newer one: C23's forms of
// functions, which read "0b" besides, and a function that is new in 2.38. Programs with these run with 2.36 and later.
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

long __isoc23_strtol(const char *text, char **end, int base) { return strtol(text, end, base); }

long long __isoc23_strtoll(const char *text, char **end, int base) { return strtoll(text, end, base); }

int __isoc23_sscanf(const char *text, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  int count = vsscanf(text, format, arguments);
  va_end(arguments);
  return count;
}

size_t strlcpy(char *to, const char *from, size_t size) {
  size_t length = strlen(from);
  if (size > 0) {
    size_t count = length < size ? length : size - 1;
    memcpy(to, from, count);
    to[count] = 0;
  }
  return length;
}
