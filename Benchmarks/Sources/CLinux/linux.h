// What Swift's own module of the C library lacks. No feature-test macros here: that module is built without them, and
// structures that both define must look the same.
#include <poll.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

// Declared only under _GNU_SOURCE.
int ppoll(struct pollfd *descriptors, nfds_t count, const struct timespec *timeout, const sigset_t *mask);

// The process that listens at the other end of a connection; -1 if it is unknown.
static inline pid_t peer_process(int connection)
{
	struct { pid_t pid; uid_t uid; gid_t gid; } peer;
	socklen_t size = sizeof peer;
	return getsockopt(connection, SOL_SOCKET, SO_PEERCRED, &peer, &size) ? -1 : peer.pid;
}

// Waits end at their time, not some microseconds later.
static inline void end_waits_in_time(void) { prctl(PR_SET_TIMERSLACK, 1UL); }

// Runs this process, and what it starts, on one of the first processors.
static inline void run_on_processor(int processor)
{
	unsigned long set = 1UL << processor;
	syscall(SYS_sched_setaffinity, 0, sizeof set, &set);
}
