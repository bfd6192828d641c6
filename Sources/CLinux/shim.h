// What Swift's Glibc leaves out. No feature-test macros here: Glibc's own module is built without them, and
// structures that both define must look the same.
#include <getopt.h>
#include <signal.h>
#include <spawn.h>
#include <sys/epoll.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <sys/xattr.h>
#include <unistd.h>

// What follows is declared only under _GNU_SOURCE; the layout is the kernel's ABI (include/linux/socket.h).
struct peer_credentials {
  pid_t pid;
  uid_t uid;
  gid_t gid;
};
int accept4(int descriptor, struct sockaddr *address, socklen_t *length, int flags);
int pipe2(int ends[2], int flags);
int posix_spawn_file_actions_addchdir_np(posix_spawn_file_actions_t *actions, const char *path);
int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *actions, int first);
#ifndef POSIX_SPAWN_SETSID
#define POSIX_SPAWN_SETSID 0x80
#endif

// The C library has it as pidfd_open only since 2.36.
static inline int open_pidfd(pid_t process) { return (int)syscall(SYS_pidfd_open, process, 0); }

// O_PATH and AT_EMPTY_PATH are declared only under _GNU_SOURCE. Not <fcntl.h>: it defines struct stat, which would then
// be this module's or Glibc's, whichever a compilation meets first. The first is the same on every processor that Swift
// runs on (include/uapi/asm-generic/fcntl.h).
static const int open_path_only = 010000000;
static const int at_empty_path = 0x1000;

// The variables of getopt_long(3): Swift does not read a global variable of C that may change.
static inline const char *option_argument(void) { return optarg; }
static inline int first_operand(void) { return optind; }
