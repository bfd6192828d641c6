// What Swift's Glibc leaves out. No feature-test macros here: Glibc's own module is built without them, and
// structures that both define must look the same.
#include <errno.h>
#include <getopt.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
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
#if defined(__has_feature) && __has_feature(thread_sanitizer)
// ThreadSanitizer takes each clone(2) for a fork(2), whose child has memory of its own. This is the C library's other name.
#define clone __clone
#endif
int clone(int (*body)(void *), void *stack, int flags, void *argument, ...);

// A program to load, and where its streams lead.
struct program_start {
  const char *path;
  char *const *arguments;
  char *const *environment;
  int input, output, error;
  // What becomes descriptor 3, which it is not yet; -1: nothing.
  int kept;
  // A socket that the process number is sent to before the program is loaded: without a reader it is not loaded. -1: none.
  int line;
  // The number of the error that load_program met; 0 if the program was loaded.
  int failure;
};

// Runs in the new process. It shares the memory of the caller, who waits until the program is loaded, so it makes system
// calls only.
static inline int load_program(void *argument) {
  struct program_start *start = (struct program_start *)argument;
  struct sigaction usual = {.sa_handler = SIG_DFL};
  sigset_t none;
  pid_t process = getpid();
  sigemptyset(&none);
  // Fails for those of the C library.
  for (int number = 1; number < NSIG; number++) sigaction(number, &usual, 0);
  // The session is its own, so that the terminal neither stops nor interrupts it. Descriptors of this program are closed on
  // exec anyway; this closes those of libraries, and all of them for as long as loading takes. A blocked signal that has
  // arrived ends the process here.
  if ((start->line < 0 || send(start->line, &process, sizeof process, MSG_NOSIGNAL) == sizeof process) &&
      setsid() >= 0 && dup2(start->output, STDOUT_FILENO) >= 0 && dup2(start->error, STDERR_FILENO) >= 0 &&
      dup2(start->input, STDIN_FILENO) >= 0 && (start->kept < 0 || dup2(start->kept, 3) == 3) && chdir("/") == 0) {
    closefrom(start->kept < 0 ? 3 : 4);
    pthread_sigmask(SIG_SETMASK, &none, 0);
    execve(start->path, start->arguments, start->environment);
  }
  start->failure = errno;
  _exit(127);
}

// Starts a process for a program as posix_spawn(3) does: without a copy of the memory, and the calling thread waits until the
// program is loaded. Returns its number and sets its pidfd, also if the program could not be loaded, which `failure` says;
// the process ends then. Negative: there is none.
static inline pid_t start_program(struct program_start *start, int *pidfd) {
  char stack[32768] __attribute__((aligned(16)));
  // CLONE_VM, CLONE_VFORK and CLONE_PIDFD (include/uapi/linux/sched.h).
  const int flags = 0x100 | 0x4000 | 0x1000 | SIGCHLD;
  sigset_t all, before;
  sigfillset(&all);
  start->failure = 0;
  // A handler of this program must not run in the new process.
  pthread_sigmask(SIG_BLOCK, &all, &before);
  pid_t process = clone(load_program, stack + sizeof stack, flags, start, pidfd);
  if (process < 0) start->failure = errno;
  pthread_sigmask(SIG_SETMASK, &before, 0);
  return process;
}

// Has the kernel kill this process when its parent ends, and names it: prctl(2) has variable arguments.
static inline void end_with_parent(void) { prctl(PR_SET_PDEATHSIG, SIGKILL); }
static inline void name_process(const char *name) { prctl(PR_SET_NAME, name); }

// O_PATH and AT_EMPTY_PATH are declared only under _GNU_SOURCE. Not <fcntl.h>: it defines struct stat, which would then
// be this module's or Glibc's, whichever a compilation meets first. The first is the same on every processor that Swift
// runs on (include/uapi/asm-generic/fcntl.h).
static const int open_path_only = 010000000;
static const int at_empty_path = 0x1000;
// F_SETPIPE_SZ of fcntl(2), likewise (include/uapi/linux/fcntl.h).
static const int set_pipe_size = 1024 + 7;

// The variables of getopt_long(3): Swift does not read a global variable of C that may change.
static inline const char *option_argument(void) { return optarg; }
static inline int first_operand(void) { return optind; }
