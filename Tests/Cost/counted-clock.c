/* Lets time pass by counting while the program works: LD_PRELOAD=counted-clock.so.
 *
 * From one return of epoll_wait to the next, CLOCK_MONOTONIC goes on by a microsecond each time it is read. What the program
 * does therefore does not depend on how slow an instrument makes it: it has limits of the time that it works for a client.
 * Deadlines are those of the real clock.
 */
#define _GNU_SOURCE
#include <sys/epoll.h>
#include <time.h>

#include "../Support/interposed.h"

static __typeof__(&epoll_wait) next_epoll_wait;
static __typeof__(&clock_gettime) next_clock_gettime;
static _Thread_local __attribute__((tls_model("initial-exec"))) struct timespec now;

__attribute__((constructor)) static void begin(void) {
  next_epoll_wait = NEXT(epoll_wait);
  next_clock_gettime = NEXT(clock_gettime);
}

int epoll_wait(int epoll, struct epoll_event *events, int most, int timeout) {
  int count = next_epoll_wait(epoll, events, most, timeout);
  int error = errno;
  next_clock_gettime(CLOCK_MONOTONIC, &now);
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
