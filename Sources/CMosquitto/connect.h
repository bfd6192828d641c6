#include <errno.h>
#include <mosquitto.h>
#include <pthread.h>
#include <signal.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static inline void stepper_interrupt(int number) { (void)number; }

/// mosquitto_connect_bind_v5, which waits for each address of a name in turn, and for one that does not answer for two minutes: here
/// `seconds`, after which a signal to this thread ends the wait, and the library goes on to the next one. The first address has less:
/// the time of looking up the name counts. To be called on a thread of its own.
static inline int stepper_connect(
    struct mosquitto *client, const char *host, int port, int keep_alive, const mosquitto_property *properties, int seconds) {
  // By itself it is ignored, and nothing else here uses it.
  struct sigaction interrupt = {.sa_handler = stepper_interrupt};
  struct sigevent event = {.sigev_notify = SIGEV_THREAD_ID, .sigev_signo = SIGURG};
  event._sigev_un._tid = (pid_t)syscall(SYS_gettid);
  struct itimerspec times = {{seconds, 0}, {seconds, 0}};
  sigset_t signals;
  timer_t timer;
  sigemptyset(&signals);
  sigaddset(&signals, SIGURG);
  sigaction(SIGURG, &interrupt, NULL);
  pthread_sigmask(SIG_UNBLOCK, &signals, NULL);
  // Without a timer it takes the kernel's time.
  int has_timer = timer_create(CLOCK_MONOTONIC, &event, &timer) == 0;
  if (has_timer) timer_settime(timer, 0, &times, NULL);
  int result = mosquitto_connect_bind_v5(client, host, port, keep_alive, NULL, properties);
  int number = errno;
  if (has_timer) timer_delete(timer);
  pthread_sigmask(SIG_BLOCK, &signals, NULL);
  errno = number;
  return result;
}
