/* Makes a machine that is never too slow: LD_PRELOAD=counted-clock.so.
 *
 * From one return of epoll_wait to the next, CLOCK_MONOTONIC goes on by a microsecond each time it is read, and where the timer
 * was due meanwhile, it is as late as that and no later. What the program does therefore does not depend on how slow an
 * instrument or another program makes it: it has limits of the time that it works for a client, and does at once what is overdue.
 */
#define _GNU_SOURCE
#include <sys/epoll.h>
#include <sys/timerfd.h>
#include <time.h>

#include "../Support/interposed.h"

static __typeof__(&epoll_wait) next_epoll_wait;
static __typeof__(&clock_gettime) next_clock_gettime;
static __typeof__(&timerfd_settime) next_timerfd_settime;
static _Thread_local __attribute__((tls_model("initial-exec"))) struct timespec now;
static struct timespec deadline;

__attribute__((constructor)) static void begin(void) {
  next_epoll_wait = NEXT(epoll_wait);
  next_clock_gettime = NEXT(clock_gettime);
  next_timerfd_settime = NEXT(timerfd_settime);
}

static int is_before(struct timespec one, struct timespec other) {
  return one.tv_sec < other.tv_sec || (one.tv_sec == other.tv_sec && one.tv_nsec < other.tv_nsec);
}

int timerfd_settime(int timer, int flags, const struct itimerspec *new, struct itimerspec *old) {
  deadline = new->it_value;
  return next_timerfd_settime(timer, flags, new, old);
}

int epoll_wait(int epoll, struct epoll_event *events, int most, int timeout) {
  int count = next_epoll_wait(epoll, events, most, timeout), error = errno;
  struct timespec real;
  next_clock_gettime(CLOCK_MONOTONIC, &real);
  if (is_before(now, deadline) && is_before(deadline, real)) real = deadline;
  if (is_before(now, real)) now = real;
  errno = error;
  return count;
}

int clock_gettime(clockid_t clock, struct timespec *time) {
  if (clock != CLOCK_MONOTONIC || now.tv_sec == 0) return next_clock_gettime(clock, time);
  now.tv_nsec += 1000;
  if (now.tv_nsec >= 1000000000) {
    now.tv_sec++;
    now.tv_nsec -= 1000000000;
  }
  *time = now;
  return 0;
}
