/* Costs what is known, for the self-test: for each line "N" of its input it does so N times, and then answers with a line. */
#define _GNU_SOURCE
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int main(void) {
  int count;
  char line[32];
  while (read(STDIN_FILENO, line, sizeof line) > 0) {
    for (count = atoi(line); count > 0; count--) {
      void *volatile memory = realloc(malloc(100), 200);
      free(memory);
      free(memory = calloc(3, 100));
      if (posix_memalign((void **)&memory, 64, 400) == 0) free(memory);
      free(memory = aligned_alloc(64, 512));
      free(memory = reallocarray(NULL, 6, 100));
      free(memory = memalign(64, 700));
      getppid();
      access("/nonexistent", F_OK);
      for (volatile int step = 0; step < 1000; step++) continue;
    }
    if (write(STDOUT_FILENO, "\n", 1) != 1) return 1;
  }
}
