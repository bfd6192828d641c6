/* Makes system calls on files fail or wait in a program under test, while it runs: LD_PRELOAD=faults.so.
 *
 * $STEPPERD_FAULTS names a file that is read at each call. Each of its lines is the name of a call and what it does
 * from now on: the name of an error, or a number of milliseconds to wait before it is made. Each call that was met is a
 * line of $STEPPERD_FAULTS.log. Only calls on regular files and folders are met: sockets, pipes and terminals are not.
 */
#define _GNU_SOURCE
#include <stdarg.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>

#include "interposed.h"

/* Returns 1 if the call fails; errno says how. */
static int meet(const char *call) {
  const char *path = getenv("STEPPERD_FAULTS");
  char text[1024];
  if (!read_text(path, text, sizeof text)) return 0;
  const char *action = action_of(call, text);
  if (!action) return 0;
  log_line(path, call);
  int error = error_number(action);
  if (error) {
    errno = error;
    return 1;
  }
  long milliseconds = atol(action);
  struct timespec time = {milliseconds / 1000, milliseconds % 1000 * 1000000};
  while (nanosleep(&time, &time) != 0 && errno == EINTR) {}
  return 0;
}

static int is_file(int descriptor) {
  struct stat status;
  return fstat(descriptor, &status) == 0 && (S_ISREG(status.st_mode) || S_ISDIR(status.st_mode));
}

int fsync(int file) { return meet("fsync") ? -1 : NEXT(fsync)(file); }

ssize_t write(int file, const void *bytes, size_t count) {
  return is_file(file) && meet("write") ? -1 : NEXT(write)(file, bytes, count);
}

ssize_t read(int file, void *bytes, size_t count) {
  return is_file(file) && meet("read") ? -1 : NEXT(read)(file, bytes, count);
}

/* Only where a file is made. */
int openat(int folder, const char *path, int flags, ...) {
  va_list list;
  va_start(list, flags);
  mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(list, mode_t) : 0;
  va_end(list);
  return flags & O_CREAT && meet("openat") ? -1 : NEXT(openat)(folder, path, flags, mode);
}

int open(const char *path, int flags, ...) {
  va_list list;
  va_start(list, flags);
  mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(list, mode_t) : 0;
  va_end(list);
  return flags & O_CREAT && meet("openat") ? -1 : NEXT(open)(path, flags, mode);
}

int renameat(int from, const char *old, int to, const char *new) {
  return meet("renameat") ? -1 : NEXT(renameat)(from, old, to, new);
}

int rename(const char *old, const char *new) { return meet("renameat") ? -1 : NEXT(rename)(old, new); }

int linkat(int from, const char *old, int to, const char *new, int flags) {
  return meet("linkat") ? -1 : NEXT(linkat)(from, old, to, new, flags);
}

int unlinkat(int folder, const char *path, int flags) {
  return meet("unlinkat") ? -1 : NEXT(unlinkat)(folder, path, flags);
}

int mkdir(const char *path, mode_t mode) { return meet("mkdir") ? -1 : NEXT(mkdir)(path, mode); }

int flock(int file, int operation) { return meet("flock") ? -1 : NEXT(flock)(file, operation); }
