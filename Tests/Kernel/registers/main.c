// Threads and processes that keep values in all floating-point and vector registers of this processor while they
// are preempted, call the kernel, take page faults, and are interrupted by signals whose handlers use the same
// registers. Ends when that happened often enough, and prints how often.
// Exits 1, and says where, when a register changed; 2 when it did not happen often enough in `limit` seconds.
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { processes = 2, threads = 3, rounds = 20, limit = 40 };
enum { enough_holds = 300, enough_preemptions = 1000, enough_signals = 1000 }; // in each process

// hold.S knows this layout.
struct registers {
  uint64_t vector[32][8];
  uint64_t mask[8];
  double stack[8];
  uint32_t mxcsr;
};
_Static_assert(offsetof(struct registers, mxcsr) == 2176, "the layout that hold.S knows");

// Loads all registers, leaves them alone for so many rounds, and stores them again. A round gives the page back,
// touches it and counts to 50000.
typedef void hold_function(struct registers *, void *page, long rounds);
hold_function hold_sse, hold_avx, hold_avx512;

static hold_function *hold;
static int vectors, words, masks; // what of `struct registers` this processor has

static const char *choose(void) {
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw")) {
    hold = hold_avx512, vectors = 32, words = 8, masks = 8;
    return "AVX-512";
  }
  if (__builtin_cpu_supports("avx")) {
    hold = hold_avx, vectors = 16, words = 4;
    return "AVX";
  }
  hold = hold_sse, vectors = 16, words = 2;
  return "SSE";
}

static void fill(struct registers *registers, uint64_t seed) {
  uint64_t next = seed * 0x9e3779b97f4a7c15 + 1;
  uint64_t *all = &registers->vector[0][0];
  for (int i = 0; i < 32 * 8 + 8; i++) {
    next ^= next << 13, next ^= next >> 7, next ^= next << 17;
    all[i] = next;
  }
  for (int i = 0; i < 8; i++) registers->stack[i] = (double)(seed * 8 + i) + 0.5;
  registers->mxcsr = 0x1f80 | (seed % 4) << 13; // a rounding mode
}

static atomic_long signals, holds, wrong;
static struct {
  const char *where, *kind;
  int number, byte;
} first;

// Nothing is printed here: it may be in a signal handler.
static void count_wrong(const char *where, const char *kind, int number, int byte) {
  if (wrong++) return;
  first.where = where, first.kind = kind, first.number = number, first.byte = byte;
}

static void compare(const struct registers *found, const struct registers *expected, const char *where) {
  for (int i = 0; i < vectors; i++)
    for (int word = 0; word < words; word++)
      if (found->vector[i][word] != expected->vector[i][word]) return count_wrong(where, "vector ", i, word * 8);
  for (int i = 0; i < masks; i++)
    if (found->mask[i] != expected->mask[i]) return count_wrong(where, "k", i, 0);
  for (int i = 0; i < 8; i++)
    if (found->stack[i] != expected->stack[i]) return count_wrong(where, "st", i, 0);
  if (found->mxcsr != expected->mxcsr) count_wrong(where, "mxcsr", 0, 0);
}

static void handle(int signal) {
  (void)signal;
  static _Thread_local uint64_t count;
  struct registers mine, expected;
  fill(&mine, ((uint64_t)gettid() << 32) + count++);
  expected = mine;
  hold(&mine, NULL, 0);
  compare(&mine, &expected, "in a signal handler");
  signals++;
}

static double seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static long preemptions(void) {
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_nivcsw;
}

static bool enough(void) {
  return holds >= enough_holds && signals >= enough_signals && preemptions() >= enough_preemptions;
}

static void *run(void *argument) {
  double end = *(double *)argument;
  void *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  struct sigevent event = {.sigev_notify = SIGEV_THREAD_ID, .sigev_signo = SIGRTMIN};
  event._sigev_un._tid = gettid();
  timer_t timer;
  if (page == MAP_FAILED || timer_create(CLOCK_MONOTONIC, &event, &timer)) {
    perror("registers");
    exit(2);
  }
  // No multiple of a tick, so that signals come at all points of the rounds.
  struct itimerspec often = {{0, 1700000}, {0, 1700000}};
  timer_settime(timer, 0, &often, NULL);
  for (uint64_t seed = (uint64_t)gettid() * 100000; !enough() && seconds() < end; seed++) {
    struct registers mine, expected;
    fill(&mine, seed);
    expected = mine;
    hold(&mine, page, rounds);
    compare(&mine, &expected, "in a thread");
    holds++;
  }
  timer_delete(timer);
  return NULL;
}

// Runs the threads of one process; its exit status.
static int work(double end) {
  pthread_t ids[threads];
  for (int i = 0; i < threads; i++)
    if (pthread_create(&ids[i], NULL, run, &end)) return 2;
  for (int i = 0; i < threads; i++) pthread_join(ids[i], NULL);
  printf("%ld times held, %ld preemptions, %ld signals, %ld times wrong\n", holds, preemptions(), signals, wrong);
  if (wrong) printf("first %s: %s%d, byte %d\n", first.where, first.kind, first.number, first.byte);
  fflush(stdout);
  return wrong ? 1 : enough() ? 0 : 2;
}

int main(void) {
  struct sigaction action = {.sa_handler = handle, .sa_flags = SA_RESTART};
  sigaction(SIGRTMIN, &action, NULL);
  printf("%s\n", choose());
  fflush(stdout);
  double end = seconds() + limit;
  for (int i = 0; i < processes; i++) {
    pid_t child = fork();
    if (child < 0) return 2;
    if (child == 0) _exit(work(end));
  }
  int result = 0;
  for (int i = 0; i < processes; i++) {
    int status;
    wait(&status);
    int one = WIFEXITED(status) ? WEXITSTATUS(status) : 2;
    if (one && result != 1) result = one;
  }
  return result;
}
