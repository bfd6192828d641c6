/* What the libraries that are preloaded under test have in common: names of errors, the file that says what fails from
 * now on, the log of calls, and the function that a call stands for. Their own calls bypass what is interposed. */
#pragma once
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

/* The function of that name that the program would have called. */
#define NEXT(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

#define ERROR(name) {#name, name}
static const struct {
  const char *name;
  int number;
} errors[] = {
    ERROR(EACCES),       ERROR(EADDRINUSE), ERROR(EAFNOSUPPORT), ERROR(EAGAIN), ERROR(ECONNABORTED), ERROR(ECONNREFUSED),
    ERROR(ECONNRESET),   ERROR(EDQUOT),     ERROR(EINTR),        ERROR(EINVAL), ERROR(EIO),          ERROR(EMFILE),
    ERROR(EMLINK),       ERROR(ENFILE),     ERROR(ENOBUFS),      ERROR(ENOENT), ERROR(ENOLCK),       ERROR(ENOMEM),
    ERROR(ENOSPC),       ERROR(ENOTCONN),   ERROR(ENOTSUP),      ERROR(EPERM),  ERROR(EPIPE),        ERROR(EPROTO),
    ERROR(EROFS),        ERROR(ESTALE)};

/* The number of the error of that name; 0 if it is none. */
static inline int error_number(const char *name) {
  for (size_t i = 0; i < sizeof errors / sizeof *errors; i++)
    if (strcmp(name, errors[i].name) == 0) return errors[i].number;
  return 0;
}

/* The text of the file, cut at `size` - 1 bytes; 0 if there is none. */
static inline int read_text(const char *path, char *text, size_t size) {
  long file = path ? syscall(SYS_openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC) : -1;
  if (file < 0) return 0;
  long count = syscall(SYS_read, file, text, size - 1);
  syscall(SYS_close, file);
  text[count > 0 ? count : 0] = 0;
  return 1;
}

/* What the text says of `call` in a line "CALL ACTION"; NULL if it says nothing. The text is cut at its line ends. */
static inline const char *action_of(const char *call, char *text) {
  size_t length = strlen(call);
  char *rest = NULL;
  for (char *line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest))
    if (strncmp(line, call, length) == 0 && line[length] == ' ') return line + length + 1;
  return NULL;
}

/* Adds a line to PATH.log. */
static inline void log_line(const char *path, const char *line) {
  char name[4096], text[64];
  if (strlen(path) + sizeof ".log" > sizeof name || strlen(line) + 2 > sizeof text) return;
  long file = syscall(SYS_openat, AT_FDCWD, strcat(strcpy(name, path), ".log"),
                      O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  if (file < 0) return;
  strcat(strcpy(text, line), "\n");
  syscall(SYS_write, file, text, strlen(text));
  syscall(SYS_close, file);
}
