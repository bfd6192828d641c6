// What Swift's Glibc leaves out. No feature-test macros here: Glibc's own module is built without them, and
// structures that both define must look the same.
#include <signal.h>
#include <sys/epoll.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/timerfd.h>

// Both are declared only under _GNU_SOURCE; the layout is the kernel's ABI (include/linux/socket.h).
struct peer_credentials {
  pid_t pid;
  uid_t uid;
  gid_t gid;
};
int accept4(int descriptor, struct sockaddr *address, socklen_t *length, int flags);
