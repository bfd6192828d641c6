/* Makes one chosen system call of a program under test fail, or kills the program at it: LD_PRELOAD=nth-call.so.
 *
 * $STEPPERD_CALLS names a file. While it is there, calls are counted by their names, from 1, and each is a line of
 * $STEPPERD_CALLS.log. Its first line is any text: when that changes, counting begins again. Each further line is
 * "CALL NUMBER ACTION"; the number * means each. Reading and writing what is no file are the calls read-other and
 * write-other. ACTION is the name of an error, KILL, or for calls that write: SHORT,
 * which writes one byte of two, and TORN, which does that and kills. WAIT makes the call when the file is gone.
 *
 * faults.c, in comparison, makes all calls of a name fail for some time, and knows files only.
 */
#define _GNU_SOURCE
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/file.h>
#include <sys/inotify.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/timerfd.h>

#include "interposed.h"

enum { SHORT = -1, TORN = -2 };

static char control[512];
static atomic_flag busy = ATOMIC_FLAG_INIT;
static char series[128];
static struct {
  const char *name;
  int count;
} calls[64];

__attribute__((constructor)) static void begin(void) {
  const char *path = getenv("STEPPERD_CALLS");
  if (path && strlen(path) < sizeof control) strcpy(control, path);
  // What the program starts is not under test.
  unsetenv("LD_PRELOAD");
}

static int number_of(const char *call, const char *first) {
  if (strcmp(series, first) != 0) {
    strncpy(series, first, sizeof series - 1);
    memset(calls, 0, sizeof calls);
  }
  for (int i = 0;; i++) {
    if (calls[i].name && strcmp(calls[i].name, call) != 0) continue;
    calls[i].name = call;
    return ++calls[i].count;
  }
}

/* Waits until the file is gone. */
static void wait_for_end(void) {
  while (syscall(SYS_faccessat, AT_FDCWD, control, F_OK) == 0) poll(NULL, 0, 5);
}

/* 0: the call is made; else the number of the error, SHORT or TORN. */
static int plan(const char *call) {
  char text[1024], line[64];
  if (!*control || !read_text(control, text, sizeof text)) return 0;
  char *rest = NULL, *first = strtok_r(text, "\n", &rest);
  if (!first) return 0;
  while (atomic_flag_test_and_set(&busy)) {}
  int number = number_of(call, first);
  sprintf(line, "%s %d", call, number);
  log_line(control, line);
  atomic_flag_clear(&busy);
  for (char *entry; (entry = strtok_r(NULL, "\n", &rest));) {
    char name[32], which[16], action[16];
    if (sscanf(entry, "%31s %15s %15s", name, which, action) != 3 || strcmp(name, call) != 0) continue;
    if (strcmp(which, "*") != 0 && atoi(which) != number) continue;
    if (strcmp(action, "KILL") == 0) syscall(SYS_kill, getpid(), SIGKILL);
    if (strcmp(action, "WAIT") == 0) wait_for_end();
    if (strcmp(action, "SHORT") == 0) return SHORT;
    if (strcmp(action, "TORN") == 0) return TORN;
    int error = error_number(action);
    if (error) return error;
  }
  return 0;
}

/* Returns 1 if the call fails; errno says how. */
static int fails(const char *call) {
  int saved = errno, number = plan(call);
  errno = number > 0 ? number : saved;
  return number > 0;
}

#define CALL(result, name, parameters, arguments) \
  result name parameters { return fails(#name) ? -1 : NEXT(name) arguments; }
/* Of those that return the number of an error. */
#define NUMBERED(name, parameters, arguments)  \
  int name parameters {                        \
    int number = plan(#name);                  \
    return number > 0 ? number : NEXT(name) arguments; \
  }
#define WRITING(name, call, parameters, arguments, half)    \
  ssize_t name parameters {                           \
    int saved = errno, number = plan(call);           \
    errno = number > 0 ? number : saved;              \
    if (number > 0) return -1;                        \
    if (number == 0 || count < 2) return NEXT(name) arguments; \
    ssize_t written = NEXT(name) half;                \
    if (number == TORN) syscall(SYS_kill, getpid(), SIGKILL); \
    return written;                                   \
  }

/* Files. */
static mode_t mode_of(int flags, va_list list) { return flags & (O_CREAT | O_TMPFILE) ? va_arg(list, mode_t) : 0; }

int open(const char *path, int flags, ...) {
  va_list list;
  va_start(list, flags);
  mode_t mode = mode_of(flags, list);
  va_end(list);
  return fails("open") ? -1 : NEXT(open)(path, flags, mode);
}

int openat(int folder, const char *path, int flags, ...) {
  va_list list;
  va_start(list, flags);
  mode_t mode = mode_of(flags, list);
  va_end(list);
  return fails("openat") ? -1 : NEXT(openat)(folder, path, flags, mode);
}

/* What is no file has errors of its own. */
static int is_file(int file) {
  struct stat status;
  return syscall(SYS_fstat, file, &status) == 0 && S_ISREG(status.st_mode);
}

ssize_t read(int file, void *bytes, size_t count) {
  return fails(is_file(file) ? "read" : "read-other") ? -1 : NEXT(read)(file, bytes, count);
}

WRITING(write, is_file(file) ? "write" : "write-other", (int file, const void *bytes, size_t count),
        (file, bytes, count), (file, bytes, count / 2))
WRITING(pwrite, "pwrite", (int file, const void *bytes, size_t count, off_t at), (file, bytes, count, at),
        (file, bytes, count / 2, at))
CALL(int, fsync, (int file), (file))
CALL(int, ftruncate, (int file, off_t size), (file, size))
CALL(int, flock, (int file, int operation), (file, operation))
CALL(int, stat, (const char *path, struct stat *status), (path, status))
CALL(int, lstat, (const char *path, struct stat *status), (path, status))
CALL(int, fstat, (int file, struct stat *status), (file, status))
CALL(int, fstatat, (int folder, const char *path, struct stat *status, int flags), (folder, path, status, flags))
CALL(int, renameat, (int from, const char *old, int to, const char *new), (from, old, to, new))
CALL(int, linkat, (int from, const char *old, int to, const char *new, int flags), (from, old, to, new, flags))
CALL(int, unlinkat, (int folder, const char *path, int flags), (folder, path, flags))
CALL(int, unlink, (const char *path), (path))
CALL(int, mkdir, (const char *path, mode_t mode), (path, mode))
CALL(int, chmod, (const char *path, mode_t mode), (path, mode))
CALL(ssize_t, readlink, (const char *path, char *bytes, size_t size), (path, bytes, size))

/* The event loop. */
CALL(int, epoll_create1, (int flags), (flags))

/* Only where something is added: the others need nothing. */
int epoll_ctl(int epoll, int operation, int file, struct epoll_event *event) {
  return operation == EPOLL_CTL_ADD && fails("epoll_ctl") ? -1 : NEXT(epoll_ctl)(epoll, operation, file, event);
}

CALL(int, epoll_wait, (int epoll, struct epoll_event *events, int most, int timeout), (epoll, events, most, timeout))
CALL(int, timerfd_create, (int clock, int flags), (clock, flags))
CALL(int, timerfd_settime, (int file, int flags, const struct itimerspec *new, struct itimerspec *old),
     (file, flags, new, old))
CALL(int, signalfd, (int file, const sigset_t *mask, int flags), (file, mask, flags))
CALL(int, sigprocmask, (int how, const sigset_t *mask, sigset_t *old), (how, mask, old))
CALL(int, inotify_init1, (int flags), (flags))
CALL(int, inotify_add_watch, (int file, const char *path, uint32_t mask), (file, path, mask))
CALL(int, pipe2, (int ends[2], int flags), (ends, flags))

int fcntl(int file, int command, ...) {
  va_list list;
  va_start(list, command);
  void *argument = va_arg(list, void *);
  va_end(list);
  return fails("fcntl") ? -1 : NEXT(fcntl)(file, command, argument);
}

/* Sockets. */
CALL(int, socket, (int domain, int type, int protocol), (domain, type, protocol))
CALL(int, bind, (int file, const struct sockaddr *address, socklen_t size), (file, address, size))
CALL(int, listen, (int file, int backlog), (file, backlog))
CALL(int, connect, (int file, const struct sockaddr *address, socklen_t size), (file, address, size))
CALL(int, accept4, (int file, struct sockaddr *address, socklen_t *size, int flags), (file, address, size, flags))
CALL(int, getsockname, (int file, struct sockaddr *address, socklen_t *size), (file, address, size))
CALL(int, getsockopt, (int file, int level, int name, void *value, socklen_t *size), (file, level, name, value, size))
CALL(int, setsockopt, (int file, int level, int name, const void *value, socklen_t size),
     (file, level, name, value, size))
CALL(ssize_t, recv, (int file, void *bytes, size_t count, int flags), (file, bytes, count, flags))
/* Without MSG_DONTWAIT it is the result of a thread, to this program itself: that is received, in whole, sooner or later. */
WRITING(send, flags & MSG_DONTWAIT ? "send" : "send-result",
        (int file, const void *bytes, size_t count, int flags), (file, bytes, count, flags), (file, bytes, count / 2, flags))

/* Threads and processes. */
NUMBERED(pthread_create, (pthread_t * thread, const pthread_attr_t *attributes, void *(*body)(void *), void *argument),
         (thread, attributes, body, argument))

/* Of the daemon's own threads none. */
int clone(int (*body)(void *), void *stack, int flags, void *argument, ...) {
  va_list list;
  va_start(list, argument);
  int *first = va_arg(list, int *);
  va_end(list);
  return fails("clone") ? -1 : NEXT(clone)(body, stack, flags, argument, first);
}

CALL(int, socketpair, (int domain, int type, int protocol, int ends[2]), (domain, type, protocol, ends))
CALL(int, execve, (const char *path, char *const arguments[], char *const environment[]), (path, arguments, environment))
